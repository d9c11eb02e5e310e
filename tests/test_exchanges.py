"""Requests and their answers between the loop and the application: clients that go away, and what is waited for."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Callable

import pytest

from tests.running_server import Running


class Talker:
    """A WSGI application that goes on talking until its client is gone, or breaks off in the middle of a word."""

    def __init__(self) -> None:
        self.noticed = threading.Event()
        self.closed = threading.Event()
        self.go_on = threading.Event()  # as SlowApp has it

    def __call__(self, environ, start_response):
        start_response("200 OK", [("Content-Type", "text/plain")])
        return self.talk(environ)

    def talk(self, environ):
        try:
            yield b"word\n"
            if environ["PATH_INFO"].startswith("/broken"):
                raise ValueError("broken off")
            deaf = environ["PATH_INFO"].startswith("/deaf")  # does not ask whether somebody listens
            for _ in range(400):
                if not deaf and environ["ulm.gone"]():
                    self.noticed.set()
                    return
                time.sleep(0.02)
                if deaf:
                    yield b"word\n"
        finally:
            self.closed.set()


@pytest.mark.parametrize("path", ["/t/TOKEN", "/deaf/TOKEN", "/broken/TOKEN"])
def test_who_goes_away_is_noticed_and_no_address_is_logged(loop, path, caplog):
    app = Talker()
    running = Running(app)
    try:
        with caplog.at_level("DEBUG"):
            client = socket.create_connection(("127.0.0.1", running.port), timeout=10)
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            heard = b""
            while b"word" not in heard:  # at once, while the answer goes on
                heard += client.recv(1000) or pytest.fail("not a word was said")
            assert path == "/broken/TOKEN" or not app.closed.is_set()
            client.close()
            assert app.closed.wait(10)
            assert app.noticed.is_set() == (path == "/t/TOKEN")  # it is over: nothing is noticed any more
            running.server.stop()
            running.thread.join(10)
    finally:
        running.close()
    assert "TOKEN" not in caplog.text
    assert ("a request" in caplog.text) == (path != "/t/TOKEN")


@pytest.mark.parametrize(("path", "ended"), [("/end", False), ("/more", False), ("/end", True), ("/more", True)])
def test_who_has_gone_when_the_server_ends_is_no_error(loop, path, ended, caplog):
    """Whether the loop still runs or has `ended`, and whether the application has something to say or not."""
    begun, go_on, over = threading.Event(), threading.Event(), threading.Event()

    def app(environ, start_response):
        start_response("200 OK", [("Content-Type", "text/plain")])
        return talk(environ["PATH_INFO"])

    def talk(path):
        try:
            yield b"word\n"
            begun.set()
            go_on.wait(20)
            if path == "/more":
                yield b"word\n"
        finally:
            over.set()

    running = Running(app)
    with caplog.at_level("DEBUG"):
        with socket.create_connection(("127.0.0.1", running.port), timeout=10) as client:
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert client.recv(1000)
            assert begun.wait(10)
        running.server.stop()
        assert running.stopping.wait(10)
        if ended:
            running.thread.join(10)
        go_on.set()
        assert over.wait(10)
        running.thread.join(20)
        for thread in threading.enumerate():
            if thread.name.startswith("request-"):
                thread.join(20)
    assert [line.getMessage() for line in caplog.records if line.levelname == "ERROR"] == []


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

    def begin(self, ready: Callable[[bool], None]) -> None:
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
    end = time.monotonic() + 10
    while not at_once and len(app.ready) < 20:
        assert time.monotonic() < end
        time.sleep(0.01)
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
            end = time.monotonic() + 10
            while not app.ready:
                assert time.monotonic() < end
                time.sleep(0.01)
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


def test_who_only_listens_is_not_gone(loop):
    app = Talker()
    running = Running(app)
    client = socket.create_connection(("127.0.0.1", running.port), timeout=10)
    client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert client.recv(1000)
    assert not app.noticed.wait(0.3)
    client.close()
    assert app.noticed.wait(10)
    running.close()


def test_who_has_begun_to_ask_for_more_is_not_gone(loop):
    """And is noticed later to be: when there is something to say."""
    app = Talker()
    running = Running(app)
    client = socket.create_connection(("127.0.0.1", running.port), timeout=10)
    client.sendall(b"GET /deaf HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n")
    assert client.recv(1000)
    assert not app.closed.wait(0.3)
    client.close()
    assert app.closed.wait(10)
    running.close()
