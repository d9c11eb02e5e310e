"""Which mail addresses are good: one rule, and what it lets through can be written into a mail and sent."""

from email.headerregistry import Address as Written
from email.message import EmailMessage

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from marshmallow import ValidationError

from server.addresses import mail_address
from server.notify.mime_message import finish
from server.routes.http.strict_fields import Address
from server.service.common import checks
from server.service.common.errors import Unprocessable
from server.service.outbox.deliveries import QueuedMail
from server.settings import Settings, SettingsError

GOOD = {
    "ann@example.org": "ann@example.org",
    " Ann+ulm@Example.ORG ": "Ann+ulm@Example.ORG",
    "ann@localhost": "ann@localhost",
    "ann@ulm.test": "ann@ulm.test",
    "ann@nas.local": "ann@nas.local",
    "o'neill_{x}@mail.example.org": "o'neill_{x}@mail.example.org",
    "ann@bücher.example.org": "ann@xn--bcher-kva.example.org",
    "ann@xn--bcher-kva.example.org": "ann@xn--bcher-kva.example.org",
}
BAD = [
    "a@b@example.org", "ann", "@example.org", "ann@", "a..b@example.org", ".a@example.org", "a.@example.org",
    "ann@example..org", "ann@example.org.", "ann@-example.org", "ann@exam_ple.org", "ann@host", "ann@1.2.3.4",
    "ann@[127.0.0.1]", '"ann b"@example.org', "ann b@example.org", "ann@exam ple.org", "Ann <ann@example.org>",
    "ann@example.org,ben@example.org", "ann@example.org\nBcc: ben@example.org", "jürgen@example.org",
    "ann@example.invalid", "ann@hidden.onion", "x" * 65 + "@example.org", "ann@" + "x." * 130 + "org", "a(b)@ulm.org",
]  # fmt: skip


def by_the_api(text: str) -> str:
    return str(Address().deserialize(text))


def by_a_page(text: str) -> str:
    return str(checks.email(text))


def by_the_settings(text: str) -> str:
    return Settings.from_env({"ULM_MAIL_FROM": text.strip()}).mail_from


WAYS = (by_the_api, by_a_page, by_the_settings)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", GOOD)
def test_what_is_good_is_good_everywhere_and_kept_alike(way, text):
    assert way(text) == GOOD[text]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", BAD)
def test_what_is_bad_is_bad_everywhere(way, text):
    if way is by_the_settings and text in ("ann@host", "ann@1.2.3.4"):
        return  # the operator's own machines need no dot
    with pytest.raises((ValidationError, Unprocessable, SettingsError)):
        way(text)


def test_what_is_wrong_is_said():
    with pytest.raises(Unprocessable, match="without accents"):
        checks.email("jürgen@example.org")
    with pytest.raises(Unprocessable, match="such as ann"):
        checks.email("a@b@example.org")


_LETTERS = "ab1.@+-_'{}`|!#$%&*/=?^~ \"\\()<>[],:;üß例。\u0301\u200b\t\n"
_PIECES = st.lists(st.sampled_from(_LETTERS), max_size=12).map("".join)


@given(st.tuples(_PIECES, _PIECES).map(lambda parts: f"{parts[0]}@{parts[1]}.org") | _PIECES)
@example("a@b@example.org")
@example("ann@ex。ample.org")
def test_whatever_is_accepted_can_be_composed_and_sent(text):
    try:
        address = mail_address(text)
    except ValueError:
        return
    assert mail_address(address) == address, "what is kept is accepted"
    assert address.isascii(), "no mail server has to know more than ASCII for it"
    message = EmailMessage()
    message["From"] = Written("Ulm", addr_spec=address)
    message["To"] = Written("Ann", addr_spec=address)
    message.set_content("x\n")
    settings = Settings(mail_from=address)
    sent = finish(settings, QueuedMail(1, "k", "turn", "2026-11-21T09:30:00Z", "2026-11-21T09:30:00Z"), message)
    assert (sent.to, sent.sender) == (address, address)
    assert f"<{address}>".encode() in sent.data.replace(b"\r\n ", b"")
