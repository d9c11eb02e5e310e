"""The end of a server: what runs is answered, what is idle is closed, nothing new is taken on."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from server.httpd import HttpServer


class SlowApp:
    """A WSGI application that answers when it is told to, with `size` bytes."""

    def __init__(self, size: int = 2) -> None:
        self.size = size
        self.began = threading.Event()
        self.go_on = threading.Event()

    def __call__(self, environ, start_response):
        if environ["PATH_INFO"] == "/slow":
            self.began.set()
            self.go_on.wait(20)
        start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(self.size))])
        return [b"x" * self.size]


class Running:
    def __init__(self, app: SlowApp, grace: float = 10) -> None:
        self.app = app
        self.stopping = threading.Event()
        self.server = HttpServer("127.0.0.1", 0, threads=2, max_body=1000)
        self.port = self.server.port
        self.thread = threading.Thread(target=self.server.run, args=(app, grace, self.stopping.set))
        self.thread.start()

    def get(self, path: str) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", path)
        body = connection.getresponse().read()
        connection.close()
        return body

    def close(self) -> None:
        self.app.go_on.set()
        self.server.stop()
        self.thread.join(20)
        assert not self.thread.is_alive()


@pytest.fixture
def running() -> Iterator[Running]:
    running = Running(SlowApp())
    yield running
    running.close()


def test_a_running_request_is_answered_before_the_end(running):
    running.app.size = 3_000_000  # more than a socket takes at once: the loop has to go on after the view is done
    answer: list[bytes] = []
    client = threading.Thread(target=lambda: answer.append(running.get("/slow")))
    client.start()
    assert running.app.began.wait(10)
    running.server.stop()
    assert running.stopping.wait(10)
    time.sleep(0.2)
    assert running.thread.is_alive()  # it waits for the answer
    with pytest.raises(ConnectionError):
        running.get("/")  # the door is closed
    running.app.go_on.set()
    client.join(20)
    assert [len(body) for body in answer] == [3_000_000]
    running.thread.join(10)
    assert not running.thread.is_alive()


def test_an_idle_connection_does_not_hold_the_end_up(running):
    idle = http.client.HTTPConnection("127.0.0.1", running.port, timeout=5)
    idle.request("GET", "/")
    assert idle.getresponse().read() == b"xx"
    silent = socket.create_connection(("127.0.0.1", running.port), timeout=5)
    began = time.monotonic()
    running.server.stop()
    running.thread.join(10)
    assert time.monotonic() - began < 8  # not the 10 seconds that a running request would have
    assert silent.recv(1) == b""
    idle.close()
    silent.close()


def test_patience_has_an_end():
    running = Running(SlowApp(), grace=0.2)

    def ask() -> None:
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            running.get("/slow")

    client = threading.Thread(target=ask)
    client.start()
    assert running.app.began.wait(10)
    began = time.monotonic()
    running.server.stop()
    running.thread.join(10)
    assert not running.thread.is_alive()
    assert time.monotonic() - began < 9  # the view goes on for 20
    running.close()
    client.join(10)


def test_a_port_in_use_is_an_os_error(running):
    with pytest.raises(OSError, match="in use"):
        HttpServer("127.0.0.1", running.port, threads=1, max_body=1000)


def test_no_header_tells_what_the_server_is_made_of(running):
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=5)
    connection.request("GET", "/")
    response = connection.getresponse()
    response.read()
    connection.close()
    assert "waitress" not in str(response.headers).lower()


def test_many_idle_connections_keep_nobody_out(running: Running) -> None:
    """Whoever opens connections and says half a sentence on each: the others are still served."""
    idle = [socket.create_connection(("127.0.0.1", running.port)) for _ in range(300)]
    try:
        for connection in idle:
            connection.sendall(b"GET / HTTP/1.1\r\n")
        assert running.get("/") == b"xx"
    finally:
        for connection in idle:
            connection.close()


@pytest.mark.parametrize(("request_", "code"), [
    (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n", 413),
    (b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + b"a" * 40_000 + b"\r\n\r\n", 431),
    (b"GET / HTTP/1.1\r\nbad header\r\n\r\n", 400),
    (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: rot13\r\n\r\n", 501),
])
def test_what_never_reaches_the_application_is_refused_in_the_shape_of_all_errors(running, request_, code):
    """A body over the wall, endless headers, what is no HTTP: JSON as everywhere, and a word on what to do."""
    with socket.create_connection(("127.0.0.1", running.port), timeout=20) as connection:
        connection.sendall(request_)
        response = http.client.HTTPResponse(connection)
        response.begin()
        body = json.loads(response.read())
    assert response.status == body["code"] == code
    assert response.headers["Content-Type"] == "application/json"
    assert set(body) == {"code", "status", "message", "errors"}
    assert body["message"].startswith("Send ")
    assert body["errors"] == {}
    assert "waitress" not in str(body)


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
def test_who_goes_away_is_noticed_and_no_address_is_logged(path, caplog):
    app = Talker()
    running = Running(app)
    try:
        with caplog.at_level("DEBUG"):
            client = socket.create_connection(("127.0.0.1", running.port), timeout=10)
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            heard = b""
            while b"word" not in heard:  # at once, while the answer goes on
                heard += client.recv(1000)
            assert path == "/broken/TOKEN" or not app.closed.is_set()
            client.close()
            assert app.closed.wait(10)
            assert app.noticed.wait(5) == (path == "/t/TOKEN")
            running.server.stop()
            running.thread.join(10)
    finally:
        running.close()
    assert "TOKEN" not in caplog.text
    assert ("a request" in caplog.text) == (path != "/t/TOKEN")


def test_who_only_listens_is_not_gone():
    app = Talker()
    running = Running(app)
    client = socket.create_connection(("127.0.0.1", running.port), timeout=10)
    client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n")  # and has begun to ask for more
    assert client.recv(1000)
    assert not app.noticed.wait(0.3)
    client.close()
    assert app.noticed.wait(10)
    running.close()
