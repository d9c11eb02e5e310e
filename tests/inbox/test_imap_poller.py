"""The door for those who have a mailbox: against a real Dovecot, where there is one."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from server.inbox import imap_poller
from server.inbox.imap_poller import Mailbox, MailboxError, Remembered, poll
from server.inbox.receiving import Outcome
from tests.inbox.mail_servers import Dovecot, NoServerError

DOMAIN = "ulm.example.org"
TOKEN = "abcdefghijklmnopqrstuvwx23"
USERS = itertools.count()


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    try:
        running = Dovecot()
    except NoServerError as error:
        pytest.skip(f"no IMAP server here: {error}")
    yield running
    running.stop()


class Receiver:
    """Remembers what came, and answers by the subject: `Subject: again`."""

    def __init__(self) -> None:
        self.came: list[bytes] = []

    def __call__(self, data: bytes, recipients: Sequence[str], sender: str | None) -> Outcome:
        assert (list(recipients), sender) == ([], None)
        self.came.append(data)
        words = data.partition(b"Subject: ")[2].split(b"\r\n")[0].decode().split(" ", 1)
        return Outcome(words[0], words[1] if len(words) > 1 else "")  # type: ignore[arg-type]


def mail(subject: str, to: str = f"play+{TOKEN}@{DOMAIN}") -> bytes:
    return f"From: ann@example.net\r\nTo: {to}\r\nSubject: {subject}\r\n\r\nn1\r\n\xe4".encode("latin-1")


class Box:
    """A mailbox of its own in the server, looked into by `poll` and by hand."""

    def __init__(self, dovecot: Dovecot, more: str = "") -> None:
        self.mailbox = Mailbox.parse(dovecot.url(f"user{next(USERS)}", more))
        self.receiver, self.remembered = Receiver(), Remembered()

    def put(self, *mails: bytes) -> None:
        with imap_poller.opened(self.mailbox) as client:
            for one in mails:
                client.append("INBOX", one)

    def poll(self, keep: Any = lambda: True) -> dict[str, int]:
        return poll(self.mailbox, DOMAIN, self.receiver, keep, self.remembered)

    def subjects(self, folder: str = "INBOX") -> list[str]:
        with imap_poller.opened(self.mailbox) as client:
            client.select_folder(folder, readonly=True)
            found = client.fetch(client.search("ALL"), ["ENVELOPE"]) if client.search("ALL") else {}
            return [found[uid][b"ENVELOPE"].subject.decode() for uid in sorted(found)]


def test_what_was_worked_on_is_deleted_and_the_rest_stays(dovecot):
    box = Box(dovecot)
    box.put(
        mail("done"),
        mail("again"),
        mail("dropped null sender"),
        mail("dropped gave up"),
        mail("mine", "ann@example.net"),
    )
    assert box.poll() == {"done": 1, "again": 1, "dropped": 3}
    assert box.subjects() == ["again", "dropped gave up", "mine"]
    assert box.poll() == {"again": 1}
    assert len(box.receiver.came) == 5
    assert box.receiver.came[0] == mail("done")
    # Another process knows what stays by its mark, and looks at no mail of others twice.
    box.remembered = Remembered()
    assert box.poll() == {"again": 1}
    assert len(box.receiver.came) == 6


def test_what_was_worked_on_goes_to_a_folder_where_one_is_named(dovecot):
    box = Box(dovecot, "?done=Worked%20on")
    box.put(mail("done"), mail("dropped Precedence"), mail("again"))
    assert box.poll() == {"done": 1, "dropped": 1, "again": 1}
    assert box.subjects() == ["again"]
    assert box.subjects("Worked on") == ["done", "dropped Precedence"]


def test_it_stops_between_two_mails(dovecot):
    box = Box(dovecot)
    box.put(*[mail("done")] * 5)
    answers = iter([True, True, False])
    assert box.poll(lambda: next(answers)) == {"done": 2}
    assert box.subjects() == ["done"] * 3


def test_a_large_mail_is_not_even_fetched(dovecot, monkeypatch):
    monkeypatch.setattr(imap_poller, "SIZE", 100)
    box = Box(dovecot)
    box.put(mail("done") + b"x" * 200)
    assert box.poll() == {"dropped": 1}
    assert box.receiver.came == []
    assert box.subjects() == []


def test_a_header_that_is_none_holds_up_nobody(dovecot):
    box = Box(dovecot)
    box.put(b"\r\n\r\nnothing", b"x" * 3000, mail("done"))
    assert box.poll()["done"] == 1


def test_what_is_in_the_way_is_said_without_the_password(dovecot):
    box = Box(dovecot)
    wrong = Mailbox(box.mailbox.host, box.mailbox.port, False, "ann", "secret", "Nowhere")
    with pytest.raises(MailboxError, match="refused user and password") as caught, imap_poller.opened(wrong):
        pass
    assert "secret" not in f"{caught.value!r} {wrong!r} {caught.value.__cause__!r}"
    right = Mailbox(box.mailbox.host, box.mailbox.port, False, "ann", dovecot.password, "Nowhere")
    with pytest.raises(MailboxError, match="Nowhere"):
        poll(right, DOMAIN, box.receiver, lambda: True, Remembered())
    nobody = Mailbox("127.0.0.1", 1, False, "ann", "secret")
    with (
        pytest.raises(MailboxError, match=r"mailbox at 127\.0\.0\.1 port 1 cannot be reached: connection refused"),
        imap_poller.opened(nobody),
    ):
        pass
    tls = Mailbox("127.0.0.1", box.mailbox.port, True, "ann", "secret")
    with pytest.raises(MailboxError, match="cannot be reached"), imap_poller.opened(tls):
        pass


def test_the_address_of_a_mailbox():
    assert Mailbox.parse("imaps://a%40b.example:p%3Aw@imap.example.org") == Mailbox(
        "imap.example.org", 993, True, "a@b.example", "p:w"
    )
    assert Mailbox.parse("imap://a:b@localhost:1143/Ulm/in?done=Ulm/out") == Mailbox(
        "localhost", 1143, False, "a", "b", "Ulm/in", "Ulm/out"
    )
