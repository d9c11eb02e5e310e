"""Requests and their answers between the loop and the application: clients that go away, and what is waited for."""

import asyncio
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from werkzeug.wsgi import ClosingIterator

from server import httpd, wsgi_bridge
from tests.running_server import Running
from tests.together import until


class Talker:
    """A WSGI application with an answer that goes on with what a test has it say."""

    def __init__(self) -> None:
        self.begun, self.closed, self.go_on = threading.Event(), threading.Event(), threading.Event()
        self.write: Callable[[bytes], None] = lambda data: None
        self.end: Callable[[], None] = lambda: None

    def __call__(self, environ, start_response):
        start_response("200 OK", [("Content-Type", "text/plain")])
        if environ["PATH_INFO"].startswith("/broken"):
            return self.broken()
        environ["ulm.hold"](self)
        return [b"word\n"]

    def broken(self):
        yield b"word\n"
        raise ValueError("broken off")

    def begin(self, write: Callable[[bytes], None], end: Callable[[], None]) -> None:
        self.write, self.end = write, end
        self.begun.set()

    def close(self) -> None:
        self.closed.set()


def listener(running: Running, path: str) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", running.port), timeout=10)
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += client.recv(1000) or pytest.fail("not a word was said")
    return client


@pytest.mark.parametrize("how", ["leaves", "asks for more and leaves", "asks twice and leaves", "takes nothing"])
def test_who_follows_no_more_is_noticed_and_no_address_is_logged(loop, how, caplog, monkeypatch):
    monkeypatch.setattr(httpd, "SEND_SECONDS", 1)
    app = Talker()
    running = Running(app)
    with caplog.at_level("DEBUG"):
        client = listener(running, "/t/TOKEN")
        if how.startswith("asks"):
            client.sendall(b"GET / HTTP/1.1\r\n" + (b"Host: x\r\n\r\n" if "twice" in how else b""))
        assert not app.closed.wait(0.3)
        if how.endswith("leaves"):
            client.close()
        end = time.monotonic() + 20
        while not app.closed.wait(0.01):
            app.write(b"x" * 100_000 if how == "takes nothing" else b"word\n")
            assert time.monotonic() < end
        client.close()
    running.close()
    assert "TOKEN" not in caplog.text


@pytest.mark.parametrize(
    ("method", "status", "given", "told"),
    [("GET", "200 OK", None, "10"), ("HEAD", "200 OK", None, None), ("HEAD", "200 OK", "10", "10")]
    + [("GET", status, None, None) for status in ("204 NO CONTENT", "304 NOT MODIFIED")],
)
def test_the_length_of_a_body_is_told_where_it_is_known(loop, method, status, given, told):
    def app(environ, start_response):
        start_response(status, [("Content-Length", given)] if given else [])
        return [b"a" * 10] if (method, status) == ("GET", "200 OK") else []

    running = Running(app)
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=20)
    try:
        for _ in range(2):  # on one connection: nobody waits for more of the first
            connection.request(method, "/")
            with connection.getresponse() as answer:
                assert (answer.headers["Content-Length"], answer.headers["Transfer-Encoding"]) == (told, None)
                assert answer.read() == (b"a" * 10 if method == "GET" and told else b"")
    finally:
        connection.close()
        running.close()


def test_an_error_of_the_application_is_logged_without_an_address(loop, caplog):
    running = Running(Talker())
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=20)
    connection.request("GET", "/broken/TOKEN")
    assert connection.getresponse().status == 500
    running.close()
    assert "an error while serving a request" in caplog.text
    assert "TOKEN" not in caplog.text


class Long:
    """A WSGI application with an answer of 100 parts of 100 KB, made as it is taken."""

    def __init__(self) -> None:
        self.made, self.closed = 0, threading.Event()

    def __call__(self, environ, start_response):
        start_response("200 OK", [("Content-Type", "text/plain")])
        return ClosingIterator(self.parts(environ["PATH_INFO"]), self.closed.set)

    def parts(self, path: str) -> Iterator[bytes]:
        for self.made in range({"/short": 1, "/slow": 0}.get(path, 100)):
            if path == "/broken" and self.made == 50:
                raise ValueError("broken off")
            yield b"%04d" % self.made * 25_000
        while path == "/slow" and not self.closed.is_set():  # a picture after the other is drawn, nothing to send
            time.sleep(0.05)
            yield b""


def test_what_nobody_waits_for_any_more_is_not_made_to_its_end(loop):
    """Exports that were dropped kept their places until they were made."""
    app = Long()
    running = Running(app)
    client = listener(running, "/slow")
    client.close()
    assert app.closed.wait(10)
    running.close()


def test_a_long_answer_is_made_as_it_is_taken_and_holds_no_thread(loop):
    app = Long()
    running = Running(app)
    waiting = [listener(running, "/") for _ in range(5)]  # more than there are threads
    time.sleep(0.5)
    assert 0 < app.made < 50
    assert not app.closed.is_set()
    assert len(running.get("/short")) == 100_000
    assert app.closed.is_set()
    assert running.get("/") == b"".join(b"%04d" % number * 25_000 for number in range(100))
    app.closed.clear()
    for client in waiting:
        client.close()
    assert app.closed.wait(10)
    running.close()


def test_a_long_answer_that_breaks_off_is_no_whole_one(loop, caplog):
    app = Long()
    running = Running(app)
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=20)
    connection.request("GET", "/broken")
    with connection.getresponse() as answer, pytest.raises(http.client.IncompleteRead):
        answer.read()
    connection.close()
    assert app.closed.wait(10)
    assert "an error while serving a request" in caplog.text
    running.close()


def test_http_1_0_is_told_by_its_length_where_a_long_answer_ends(loop):
    running = Running(Long())
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as client:
        client.sendall(b"GET / HTTP/1.0\r\n\r\n")
        with client.makefile("rb") as file:
            head, _, body = file.read().partition(b"\r\n\r\n")
    assert b"content-length: 10000000" in head.lower()
    assert len(body) == 10_000_000
    running.close()


class Later:
    """A WSGI application whose requests wait for `news`, and what becomes of them."""

    def __init__(self) -> None:
        self.asked: list[bool] = []
        self.ready: list[Callable[[bool], None]] = []
        self.closed = threading.Event()
        self.at_once: bool | None = None
        self.go_on = threading.Event()

    def __call__(self, environ, start_response):
        self.asked.append("ulm.waited" in environ)
        environ["ulm.wait"](self)
        body = environ["wsgi.input"].read() + (b"new" if "ulm.waited" in environ else b"old")
        environ["HTTP_X"] += "!"
        start_response("200 OK", [("Content-Length", str(len(body))), ("X-Given", environ["HTTP_X"])])
        return [body]

    def begin(self, write: Callable[[bytes], None], end: Callable[[], None]) -> None:
        def ready(news: bool) -> None:
            if news:
                write(b"")
            else:
                end()

        if self.at_once is None:
            self.ready.append(ready)
        else:
            ready(self.at_once)

    def close(self) -> None:
        self.closed.set()


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("news", [True, False])
def test_who_waits_is_answered_when_there_is_something_new_or_not(loop, news, at_once):
    app = Later()
    app.at_once = news if at_once else None
    running = Running(app)
    asked = [http.client.HTTPConnection("127.0.0.1", running.port, timeout=20) for _ in range(20)]
    for one in asked:
        one.request("POST", "/", b"a word ", {"X": "y"})
    until(lambda: at_once or len(app.ready) == 20)
    for ready in app.ready:
        ready(news)
        ready(not news)  # what comes first counts
    for one in asked:
        with one.getresponse() as answer:
            assert (answer.read(), answer.headers["X-Given"]) == (b"a word new" if news else b"a word old", "y!")
        one.close()
    assert app.asked.count(True) == (20 if news else 0)
    assert app.closed.is_set()
    running.close()


@pytest.mark.parametrize("how", ["client", "server"])
def test_what_is_waited_for_is_let_go_with_who_waits(loop, how, caplog):
    app = Later()
    running = Running(app, grace=0.2)
    with caplog.at_level("INFO"):
        with socket.create_connection(("127.0.0.1", running.port), timeout=10) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX: y\r\n\r\n")
            until(lambda: app.ready)
            if how == "server":
                running.server.stop()
                assert app.closed.wait(10)
        assert app.closed.wait(10)
        running.server.stop()
        running.thread.join(20)
    app.ready[0](True)  # too late
    assert app.asked == [False]
    assert caplog.text == ""
    running.close()


def test_networks_have_their_turn_one_after_the_other():
    """95 connections of one stranger took an honest move from 20 ms to 6 s."""
    begun, go_on = list[str](), threading.Event()

    def work(name: str) -> None:
        begun.append(name)
        go_on.wait(60)

    async def one_thread() -> None:
        turns = wsgi_bridge.Turns(1)
        works = [turns.run(name, partial(work, name)) for name in ["stranger"] * 50 + ["player"]]
        go_on.set()
        await asyncio.gather(*works)
        turns.close()

    async def eight_threads() -> None:
        turns = wsgi_bridge.Turns(8)
        works = [turns.run(name, partial(work, name)) for name in ["player"] + ["stranger"] * 50]
        await turns.run("other", lambda: None)
        assert begun.count("stranger") <= 2  # while others are there
        go_on.set()
        await asyncio.gather(*works)
        turns.close()

    asyncio.run(one_thread())
    assert begun[:4] == ["stranger", "stranger", "player", "stranger"]
    begun.clear()
    go_on.clear()
    asyncio.run(eight_threads())


def test_half_sent_bodies_hold_no_more_than_their_part(loop, monkeypatch):
    """98 of them held 170 MB. The network is the one that the proxy in front tells."""
    monkeypatch.setattr(wsgi_bridge, "_BODIES", 100_000)

    def app(environ, start_response):
        start_response("200 OK", [])
        return [str(environ.get("ulm.refused")).encode()]

    def begin(network: str, size: int) -> socket.socket:
        client = socket.create_connection(("127.0.0.1", running.port), timeout=20)
        head = f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {size}\r\nX-Forwarded-For: {network}\r\n\r\n"
        client.sendall(head.encode() + b"x" * (size - 1))
        return client

    def end(client: socket.socket) -> bytes:
        with client, http.client.HTTPResponse(client) as answer:
            client.sendall(b"x")
            answer.begin()
            return answer.read()

    running = Running(app, hops=1)
    half = [begin("192.0.2.1", 60_000) for _ in range(3)]
    assert end(begin("192.0.2.2", 5000)) == b"None"
    assert sorted(map(end, half)) == [b"503", b"503", b"None"]
    assert end(begin("192.0.2.1", 60_000)) == b"None"
    running.close()
