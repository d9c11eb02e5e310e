"""The door for mail servers, over real sockets: what it says, when it says it, and what it does not let in."""

import logging
import smtplib
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from server.inbox.limits import CONNECTIONS, RECIPIENTS
from server.inbox.lmtp_listener import Listen, ListenError, LmtpListener
from server.inbox.receiving import Outcome

DOMAIN = "ulm.example.org"
TOKENS = ["abcdefghijklmnopqrstuvwx2" + last for last in "234567abcdefgh"]
PLAY = [f"play+{token}@{DOMAIN}" for token in TOKENS]
MAIL = b"From: ann@example.net\r\nSubject: Re\r\n\r\nn1\r\n..dot\r\n"


class Receiver:
    """Remembers what came; answers as `results` says of a recipient, and done otherwise."""

    def __init__(self) -> None:
        self.came: list[tuple[bytes, list[str], str | None]] = []
        self.results: dict[str, str] = {}
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Event()

    def __call__(self, data: bytes, recipients: Sequence[str], sender: str | None) -> Outcome:
        self.entered.set()
        self.gate.wait(30)
        self.came.append((data, list(recipients), sender))
        return Outcome(self.results.get(recipients[0], "done"), "")  # type: ignore[arg-type]


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()


@pytest.fixture
def listen(receiver) -> Iterator[Callable[..., LmtpListener]]:
    made: list[LmtpListener] = []

    def start(text: str = "127.0.0.1:0", size: int = 100_000) -> LmtpListener:
        made.append(LmtpListener(Listen.parse(text), receiver, DOMAIN, size=size))
        made[-1].start()
        return made[-1]

    yield start
    receiver.gate.set()
    for one in made:
        one.stop()


def lmtp(listener: LmtpListener) -> smtplib.LMTP:
    client = smtplib.LMTP("127.0.0.1", listener.port)
    client.ehlo("mx.example.org")
    return client


def offer(client: smtplib.SMTP, *recipients: str, sender: str = "ann@example.net") -> None:
    """Say whom a mail is from and for."""
    client.mail(sender)
    for one in recipients:
        assert client.rcpt(one)[0] == 250


def data_replies(client: smtplib.SMTP, number: int) -> list[bytes]:
    """The answers after the text of a mail, one of each recipient."""
    client.putcmd("data")
    assert client.getreply()[0] == 354
    client.send(MAIL.replace(b"\r\n..dot", b"\r\n...dot") + b".\r\n")
    return [b"%d %s" % client.getreply() for _ in range(number)]


def test_lmtp_answers_for_each_recipient_and_each_is_worked_on_alone(listen, receiver):
    receiver.results = {PLAY[1]: "again", PLAY[2]: "dropped"}
    with lmtp(listen()) as client:
        offer(client, *PLAY[:3])
        done, again, dropped = data_replies(client, 3)
    assert (done, again[:3]) == (b"250 2.0.0 taken", b"451")
    assert done == dropped, "or whoever tries tokens would hear which of them are good"
    assert receiver.came == [(MAIL, [one], "ann@example.net") for one in PLAY[:3]]


def test_smtp_answers_once_and_tries_all_again_if_one_is_to_be(listen, receiver):
    receiver.results = {PLAY[1]: "again", PLAY[2]: "dropped"}
    with smtplib.SMTP("127.0.0.1", listen().port) as client:
        client.ehlo("mx.example.org")
        offer(client, *PLAY[:2], sender="")
        assert data_replies(client, 1)[0][:3] == b"451"
        offer(client, PLAY[0], sender="<>")
        assert data_replies(client, 1) == [b"250 2.0.0 taken"]
        offer(client, PLAY[2], sender="<>")
        assert data_replies(client, 1) == [b"250 2.0.0 taken"]
    assert [sender for _, _, sender in receiver.came] == [""] * 4


def test_nobody_learns_which_tokens_there_are(listen):
    """What looks like an address of ours is taken, whatever its token; everything else is unknown."""
    with lmtp(listen()) as client:
        client.mail("ann@example.net")
        replies = {client.rcpt(one) for one in PLAY[:RECIPIENTS]}
        assert replies == {(250, b"2.1.5 ok")}
        assert client.rcpt(PLAY[RECIPIENTS])[0] == 452
        for wrong in ("ann@" + DOMAIN, "play@" + DOMAIN, f"play+short@{DOMAIN}", f"play+{TOKENS[0]}@example.net"):
            assert client.rcpt(wrong) == (550, b"5.1.1 there is no such address")
        assert client.verify(PLAY[0])[0] == 502
        assert client.expn(PLAY[0])[0] == 502


def test_the_size_is_announced_and_held(listen, receiver):
    with lmtp(listen(size=5000)) as client:
        assert client.esmtp_features["size"] == "5000"
        assert client.mail("ann@example.net", ["SIZE=5001"])[0] == 552
        offer(client, PLAY[0])
        client.putcmd("data")
        client.getreply()
        client.send(b"X: y\r\n\r\n" + b"x" * 70 + b"\r\n" + (b"x" * 70 + b"\r\n") * 100 + b".\r\n")
        assert client.getreply()[0] == 552
        offer(client, PLAY[0])
        assert data_replies(client, 1)[0][:3] == b"250"
    assert len(receiver.came) == 1


def test_a_line_without_end_is_not_kept(listen, receiver):
    listener = listen(size=5000)
    with socket.create_connection(("127.0.0.1", listener.port)) as raw:
        raw.settimeout(20)
        raw.sendall(b"LHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<%s>\r\nDATA\r\n" % PLAY[0].encode())
        with pytest.raises(OSError):  # noqa: PT011 - reset or broken pipe
            for _ in range(1000):
                raw.sendall(b"x" * 10_000)
    assert receiver.came == []


def test_not_more_connections_than_may(listen):
    listener = listen()
    clients = [socket.create_connection(("127.0.0.1", listener.port)) for _ in range(CONNECTIONS + 1)]
    try:
        greetings = []
        for one in clients:
            one.settimeout(20)
            greetings.append(one.recv(3))
        assert greetings == [b"220"] * CONNECTIONS + [b"421"]
        clients[0].close()
        deadline = time.monotonic() + 20
        while True:
            with socket.create_connection(("127.0.0.1", listener.port)) as another:
                if another.recv(3) == b"220":
                    break
            assert time.monotonic() < deadline
    finally:
        for one in clients:
            one.close()


def test_what_is_worked_on_is_answered_while_stopping_and_holds_up_nobody(listen, receiver):
    listener = listen()
    receiver.gate.clear()
    with ThreadPoolExecutor(2) as pool:
        busy, idle = lmtp(listener), lmtp(listener)
        offer(busy, PLAY[0])
        answer = pool.submit(data_replies, busy, 1)
        assert receiver.entered.wait(20)
        assert idle.noop()[0] == 250
        assert not answer.done()
        stopped = pool.submit(listener.stop)
        assert idle.getreply()[0] == 421
        assert not stopped.done()
        receiver.gate.set()
        assert answer.result(20) == [b"250 2.0.0 taken"]
        stopped.result(20)
        busy.close()
        idle.close()
    with pytest.raises(OSError):  # noqa: PT011 - refused
        socket.create_connection(("127.0.0.1", listener.port))
    assert len(receiver.came) == 1
    listener.start()  # and it may begin again
    with lmtp(listener) as client:
        assert client.noop()[0] == 250


def test_a_unix_socket_is_taken_over_from_the_dead_alone(listen, tmp_path, receiver):
    path = tmp_path / "lmtp.sock"
    first = listen(f"unix:{path}")
    with pytest.raises(ListenError, match="another process listens there"):
        listen(f"unix:{path}")
    first.stop()
    assert not path.exists()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    listen(f"unix:{path}")
    with smtplib.LMTP(str(path)) as client:
        client.ehlo("x")
        offer(client, PLAY[0])
        assert data_replies(client, 1)[0][:3] == b"250"
    assert len(receiver.came) == 1


def test_no_token_is_logged(listen, receiver, caplog):
    caplog.set_level(logging.DEBUG)
    with lmtp(listen()) as client:
        offer(client, PLAY[0])
        client.docmd("NONSENSE", PLAY[0])
        data_replies(client, 1)
    assert "abcdefghijklmnop" not in caplog.text
    assert "ann@" not in caplog.text


def test_where_to_listen():
    assert Listen.parse("127.0.0.1:8024") == Listen(host="127.0.0.1", port=8024)
    assert Listen.parse("[::1]:8024") == Listen(host="::1", port=8024)
    assert Listen.parse("unix:/run/ulm/lmtp.sock") == Listen(path="/run/ulm/lmtp.sock")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(
            ListenError, match=f"cannot listen for mail on 127.0.0.1 port {port}: address already in use"
        ):
            LmtpListener(Listen.parse(f"127.0.0.1:{port}"), Receiver(), DOMAIN).start()
