"""The bytes of a mail: what was put in is read out again by the library, whichever way it was made."""

from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import default

import pytest

from server.notify.mime_message import domain, finish, message_id
from server.service.outbox.deliveries import QueuedMail
from server.settings import Settings

SETTINGS = Settings(mail_from="ulm@ulm.example.org")
NOTICE = QueuedMail(1, "turn:g:3:p", "turn", "2026-11-21T09:30:00Z", "2026-11-21T09:00:00Z")
TEXT = "Grüße ─┼─ 漢字\n.dot\nFrom here\ntrailing blanks  \n\ttab\n=3D not an escape\n" + "a long line " * 200 + "\n"
HTML = f"<html><body><p>{'ü' * 500}</p><pre>{TEXT}</pre><img src='cid:board@ulm'></body></html>\n"
PICTURE = bytes(range(256)) * 50


def made(subject: str = "Münster: your turn", name: str = "Ännchen, the 3rd") -> EmailMessage:
    message = EmailMessage()
    message["From"] = Address("Ulm by mail", addr_spec="ulm@ulm.example.org")
    message["To"] = Address(name, addr_spec="ann@example.org")
    message["Subject"] = subject
    message["List-Unsubscribe"] = "<https://ulm.example.org/u/" + "x" * 300 + ">"
    message.set_content(TEXT, cte="quoted-printable")
    message.add_alternative(HTML, subtype="html", cte="quoted-printable")
    _plain, body = message.iter_parts()
    body.add_related(PICTURE, "image", "png", cid="<board@ulm>", filename="board.png", disposition="inline")
    return message


def parsed(data: bytes) -> EmailMessage:
    message = message_from_bytes(data, policy=default)
    assert isinstance(message, EmailMessage)
    assert [part.defects for part in message.walk() if part.defects] == []
    return message


@pytest.mark.parametrize("subject", ["plain", "Münster: your turn", "ä" * 200, "word " * 60, "=?utf-8?q?n?=", "x" * 99])
@pytest.mark.parametrize("name", ["Ann", "Ännchen, the 3rd", 'a "quoted" one', "漢" * 40, "x" * 60])
def test_everything_is_read_out_again(subject: str, name: str) -> None:
    data = finish(SETTINGS, NOTICE, made(subject, name)).data
    assert data.isascii()
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert max(map(len, data.split(b"\r\n"))) <= 998
    message = parsed(data)
    # The library reads a blank between two encoded words of a name, which RFC 2047 says is none.
    assert message["To"].addresses[0].display_name.replace(" ", "") == name.replace(" ", "")
    assert message["To"].addresses[0].addr_spec == "ann@example.org"
    assert message["Message-ID"] == message_id(SETTINGS, NOTICE.key)
    assert message["Date"].datetime == NOTICE.due
    if not subject.startswith("=?"):  # the library itself reads it as an encoded word
        assert message["Subject"].strip() == subject.strip()
    for kind, expected in (("plain", TEXT), ("html", HTML)):
        body = message.get_body((kind,))
        assert body.get_content().replace("\r\n", "\n") == expected
    [picture] = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert picture.get_content() == PICTURE
    assert picture["Content-ID"] == "<board@ulm>"


def test_the_bytes_depend_on_the_notice_and_nothing_else() -> None:
    first, second = (finish(SETTINGS, NOTICE, made()) for _ in range(2))
    assert first == second
    other = QueuedMail(2, "turn:g:9:p", "turn", NOTICE.due_at, NOTICE.created_at)
    assert finish(SETTINGS, other, made()).message_id != first.message_id


@pytest.mark.parametrize("value", ["a\nBcc: evil@example.org", "a\r\nBcc: evil@example.org", "a\n\nbody"])
def test_no_header_is_smuggled_in(value: str) -> None:
    with pytest.raises(ValueError, match=r"linefeed|carriage"):
        made(subject=value)
    message = made()
    message.set_raw("X-Raw", value)  # past the library's own check
    with pytest.raises(ValueError, match="would begin another"):
        finish(SETTINGS, NOTICE, message)


def test_a_mail_to_several_or_none_is_refused() -> None:
    message = made()
    message.replace_header("To", "a@example.org, b@example.org")
    with pytest.raises(ValueError, match="one address"):
        finish(SETTINGS, NOTICE, message)


def test_the_domain_is_written_in_ascii() -> None:
    assert domain(Settings(mail_from="a@münster.example")) == "xn--mnster-3ya.example"
    assert domain(Settings(mail_from="ulm@localhost")) == "localhost"
