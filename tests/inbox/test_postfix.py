"""The recipe of docs/receiving-mail.md with a real Postfix, where there is one: what we do not take now comes again."""

import smtplib
import time
from collections.abc import Iterator, Sequence

import pytest

from server.inbox.lmtp_listener import Listen, LmtpListener
from server.inbox.receiving import Outcome
from tests.inbox.mail_servers import NoServerError, Postfix

TOKEN = "abcdefghijklmnopqrstuvwx23"
PLAY = f"play+{TOKEN}@{Postfix.domain}"
WAIT = 60


class Receiver:
    """Takes each mail at the second try."""

    def __init__(self) -> None:
        self.tried: list[tuple[bytes, str, str | None]] = []
        self.done: list[bytes] = []

    def __call__(self, data: bytes, recipients: Sequence[str], sender: str | None) -> Outcome:
        identity = data.partition(b"Message-ID: ")[2].split(b"\r\n")[0]
        first = identity not in [seen for seen, _, _ in self.tried]
        self.tried.append((identity, recipients[0], sender))
        if first:
            return Outcome("again", "database")
        self.done.append(identity)
        return Outcome("done", "play")


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()


@pytest.fixture
def listener(receiver: Receiver) -> Iterator[LmtpListener]:
    made = LmtpListener(Listen.parse("127.0.0.1:0"), receiver, Postfix.domain)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def postfix(listener: LmtpListener) -> Iterator[Postfix]:
    try:
        running = Postfix(f"lmtp:inet:127.0.0.1:{listener.port}")
    except NoServerError as error:
        pytest.skip(f"no mail server here: {error}")
    yield running
    running.stop()


def wait_for(done: list[bytes], number: int, postfix: Postfix) -> None:
    deadline = time.monotonic() + WAIT
    while len(done) < number:
        assert time.monotonic() < deadline, postfix.log()
        postfix.flush()
        time.sleep(0.2)


def test_what_is_not_taken_now_comes_again(postfix, listener, receiver):
    with smtplib.SMTP("127.0.0.1", postfix.port) as client:
        for wrong in (f"ann@{postfix.domain}", f"play+{TOKEN}x@{postfix.domain}", f"play@{postfix.domain}"):
            with pytest.raises(smtplib.SMTPRecipientsRefused):
                client.sendmail("ann@example.net", [wrong], "Subject: x\r\n\r\nx")
        for number in range(3):
            text = f"From: ann@example.net\r\nMessage-ID: <{number}@x>\r\n\r\nn1\r\n"
            client.sendmail("ann@example.net" if number else "", [PLAY], text)
    wait_for(receiver.done, 3, postfix)
    assert sorted(receiver.done) == [b"<0@x>", b"<1@x>", b"<2@x>"]
    assert {recipient for _, recipient, _ in receiver.tried} == {PLAY}
    assert {sender for identity, _, sender in receiver.tried if identity == b"<0@x>"} == {""}
    listener.stop()
    with smtplib.SMTP("127.0.0.1", postfix.port) as client:
        client.sendmail("ann@example.net", [PLAY], "From: ann@example.net\r\nMessage-ID: <9@x>\r\n\r\nn1\r\n")
    again = LmtpListener(Listen.parse(f"127.0.0.1:{listener.port}"), receiver, Postfix.domain)
    again.start()
    try:
        wait_for(receiver.done, 4, postfix)
    finally:
        again.stop()
