"""The transports: a real mail server in another process, and files."""

import os
import smtplib
import socket
import ssl
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest

from server.notify import spool
from server.notify.mime_message import OutgoingMail, finish
from server.notify.smtp_verdicts import DeliveryError
from server.notify.transport import SmtpTransport, sender_warnings, transport_for
from server.service.outbox.deliveries import QueuedMail
from server.settings import Settings
from tests.notify.sink import Sink

Start = Callable[..., Sink]
SETTINGS = Settings(mail_from="ulm@ulm.example.org")


def envelope(number: int = 0, to: str = "ann@example.org", text: str = "Grüße ─┼─\n.dot\nFrom here\n") -> OutgoingMail:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Ulm <ulm@ulm.example.org>", to, "Münster " * 30
    message.set_content(text)
    message.add_alternative("<p>hä</p>", subtype="html")
    queued = QueuedMail(number, f"turn:{number}", "turn", "2026-11-21T09:30:00Z", "2026-11-21T09:30:00Z")
    return finish(SETTINGS, queued, message)


def smtp(url: str, timeout: float = 5) -> SmtpTransport:
    return SmtpTransport(url, timeout, "ulm.example.org")


def test_mails_arrive_whole_over_one_connection(sink: Sink) -> None:
    transport = smtp(sink.url)
    sent = [envelope(number) for number in range(5)]
    for mail in sent:
        transport.send(mail)
    transport.close()
    got = sink.wait_for(5)
    assert [mail.data for mail in got] == [mail.data for mail in sent]
    assert {mail.session for mail in got} == {0}
    assert got[0].sender == "ulm@ulm.example.org"
    body = got[0].message.get_body(("plain",))
    assert body.get_content().replace("\r\n", "\n") == "Grüße ─┼─\n.dot\nFrom here\n"
    assert got[0].message["Subject"].strip() == ("Münster " * 30).strip()


def test_a_connection_that_was_dropped_is_opened_again(start_sink: Start) -> None:
    sink = start_sink("hang-up:1")
    transport = smtp(sink.url)
    transport.send(envelope(0))
    sink.wait_for(1)
    threading.Event().wait(0.2)  # it hangs up after a moment
    transport.send(envelope(1))
    transport.close()
    assert [mail.session for mail in sink.wait_for(2)] == [0, 1]


def test_a_server_that_wants_one_mail_for_each_connection_gets_that(start_sink: Start) -> None:
    sink = start_sink("one-each")
    transport = smtp(sink.url)
    for number in range(3):
        transport.send(envelope(number))
    transport.close()
    assert [mail.session for mail in sink.wait_for(3)] == [0, 1, 2]


def test_addresses_beyond_ascii_go_to_servers_that_take_them(start_sink: Start) -> None:
    ascii_alone = smtp(start_sink().url)
    with pytest.raises(DeliveryError, match="SMTPUTF8"):
        ascii_alone.send(envelope(to="jürgen@example.org"))
    ascii_alone.close()
    sink = start_sink("utf8")
    transport = smtp(sink.url)
    transport.send(envelope(0, to="jürgen@example.org"))
    transport.send(envelope(1))
    transport.close()
    assert [mail.to for mail in sink.wait_for(2)] == [["jürgen@example.org"], ["ann@example.org"]]


def test_a_silent_server_is_given_up_after_the_timeout() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(DeliveryError, match="no answer in time"):
        smtp(f"smtp://127.0.0.1:{silent.getsockname()[1]}", timeout=0.2).send(envelope())


def test_starttls_can_be_required(sink: Sink) -> None:
    with pytest.raises(DeliveryError, match="offers no STARTTLS"):
        smtp(f"{sink.url}?starttls=require").send(envelope())
    assert sink.received() == []


class Recorded(smtplib.SMTP):
    """A mail server in name only: notes what it is asked, and offers what `offers` says."""

    offers: frozenset[str] = frozenset()
    asked: list[str] = []  # noqa: RUF012 - for one test
    answers: list[int] = []  # noqa: RUF012 - likewise

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return socket.socket()  # connected to nobody

    def getreply(self) -> tuple[int, bytes]:
        return self.answers.pop(0), b"hello"

    def send(self, s: str | bytes) -> None:
        """Nobody reads it."""

    def ehlo_or_helo_if_needed(self) -> None:
        self.asked.append("ehlo")

    def has_extn(self, opt: str) -> bool:
        return opt in self.offers

    def starttls(self, keyfile: object = None, certfile: object = None, context: ssl.SSLContext | None = None) -> None:
        assert context.verify_mode == ssl.CERT_REQUIRED
        assert context.check_hostname
        self.asked.append("starttls")

    def login(self, user: str, password: str, *, initial_response_ok: bool = True) -> None:
        self.asked.append(f"login {user} {password}")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(smtplib, "SMTP", Recorded)
    monkeypatch.setattr(Recorded, "asked", [])
    monkeypatch.setattr(
        Recorded, "answers", [220, 250, 250, 354, 250, 221]
    )  # greeting, MAIL, RCPT, DATA, the mail, QUIT
    return Recorded.asked


@pytest.mark.parametrize(
    ("url", "offers", "expected"),
    [
        ("smtp://mail.example.org", {"starttls"}, ["starttls"]),
        ("smtp://mail.example.org", set(), []),
        ("smtp://mail.example.org?starttls=never", {"starttls"}, []),
        ("smtp://u:p%40ss@mail.example.org", {"starttls"}, ["starttls", "login u p@ss"]),
        ("smtp://u:p@localhost", set(), ["login u p"]),
        ("smtp://localhost", {"starttls"}, []),  # its certificate is signed by nobody, and there is nobody in between
        ("smtp://localhost?starttls=require", {"starttls"}, ["starttls"]),
        ("smtp://u:p@mail.example.org?starttls=never", set(), ["login u p"]),
    ],
)
def test_tls_and_login(url, offers, expected, asked, monkeypatch) -> None:
    monkeypatch.setattr(Recorded, "offers", offers)
    transport = smtp(url)
    transport.send(envelope())
    transport.close()
    assert [word for word in asked if word != "ehlo"] == expected


def test_a_password_is_not_sent_in_the_clear(asked) -> None:
    with pytest.raises(DeliveryError, match="password is not sent in the clear"):
        smtp("smtp://u:hunter2@mail.example.org").send(envelope())
    assert asked == ["ehlo"]


def test_a_refused_password_is_not_repeated(asked, monkeypatch) -> None:
    def refuse(self, user, password, **_):
        raise smtplib.SMTPAuthenticationError(535, b"wrong: hunter2")

    monkeypatch.setattr(Recorded, "login", refuse)
    with pytest.raises(DeliveryError) as caught:
        smtp("smtp://u:hunter2@localhost").send(envelope())
    assert "535" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_without_a_server_mails_are_files(tmp_path) -> None:
    settings = Settings(data_dir=tmp_path)
    transport = transport_for(settings)
    transport.send(envelope(1))
    transport.send(envelope(2))
    transport.send(envelope(2))  # once more: the same file
    directory = spool.directory(settings)
    names = sorted(path.name for path in directory.iterdir())
    assert names == sorted(f"{envelope(number).message_id[1:33]}.eml" for number in (1, 2))
    assert (directory / names[0]).read_bytes() in (envelope(1).data, envelope(2).data)
    assert {os.stat(directory / name).st_mode & 0o777 for name in names} == {0o600}
    assert os.stat(directory).st_mode & 0o777 == 0o700
    assert spool.clean_up(directory, datetime(2000, 1, 1, tzinfo=UTC)) == 0
    assert spool.clean_up(directory, datetime(2100, 1, 1, tzinfo=UTC)) == 2


def test_a_directory_that_cannot_be_written_is_unreachable(tmp_path) -> None:
    (tmp_path / "mail").write_text("in the way")
    with pytest.raises(DeliveryError, match="cannot write into"):
        transport_for(Settings(data_dir=tmp_path)).send(envelope())


GOOD = {"smtp_url": "smtp://mail.example.org", "mail_from": "ulm@example.org", "base_url": "https://ulm.example.org"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("mail_from", sender) for sender in ("ulm@localhost", "ulm@host.local", "ulm@box.lan")),
        *(("base_url", url) for url in ("", "http://127.0.0.1:8000", "https://ulm.local/games", "http://[::1]:8000")),
    ],
)
def test_who_sends_from_nowhere_or_links_to_nowhere_is_told(name: str, value: str) -> None:
    assert sender_warnings(Settings()) == sender_warnings(Settings(**GOOD)) == []
    [line] = sender_warnings(Settings(**GOOD | {name: value}))
    assert f"set ULM_{name.upper()}" in line
