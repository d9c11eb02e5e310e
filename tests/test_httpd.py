"""The end of a server: what runs is answered, what is idle is closed, nothing new is taken on."""

import http.client
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

from server import httpd
from server.app import create_app
from server.settings import Settings
from tests.live import GENEROUS, LiveServer
from tests.running_server import Running, SlowApp
from tests.together import until


@pytest.fixture
def running(loop: None) -> Iterator[Running]:
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
    idle = http.client.HTTPConnection("127.0.0.1", running.port, timeout=30)
    idle.request("GET", "/")
    assert idle.getresponse().read() == b"xx"
    silent = socket.create_connection(("127.0.0.1", running.port), timeout=30)
    running.server.stop()
    running.thread.join(30)
    assert not running.thread.is_alive()  # not the 60 seconds that a running request would have
    assert silent.recv(1) == b""
    idle.close()
    silent.close()


def test_the_body_of_an_answer_does_not_wait_for_its_header(running):
    """Nagle's algorithm and acknowledgements that wait make 40 ms of each answer on a connection that stays open."""
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=20)
    connection.request("GET", "/")
    connection.getresponse().read()
    (ours,) = running.server.server_state.connections
    assert ours.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    connection.close()


def test_patience_has_an_end(loop):
    running = Running(SlowApp(), grace=0.2)

    def ask() -> None:
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            running.get("/slow")

    client = threading.Thread(target=ask)
    client.start()
    assert running.app.began.wait(10)
    running.server.stop()
    running.thread.join(30)
    assert not running.thread.is_alive()  # the view goes on for 120
    running.close()
    client.join(10)


CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + b"a" * 100_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX-Endless: " + b"a" * 500_000,
        b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X-Many: a\r\n" * 6000 + b"\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nbad header\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX-Folded: a\r\n b\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: rot13\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na",
        CHUNKED + b"0\r\n" + b"X-Trailer: a\r\n" * 100_000,
        CHUNKED + b"0\r\nX-Trailer: " + b"a" * 1_000_000,
        CHUNKED + b"1;x=" + b"a" * 1_000_000,
    ],
)
def test_what_is_no_http_is_refused_before_there_is_a_request(running, request_):
    """uvicorn answers it, and the connection is closed."""
    with socket.create_connection(("127.0.0.1", running.port), timeout=20) as connection:
        with suppress(OSError):  # it does not listen to the end
            connection.sendall(request_)
        response = http.client.HTTPResponse(connection)
        response.begin()
        assert response.read() in (b"Invalid HTTP request received.", b"The headers are too long.")
    assert response.status == 400
    assert "uvicorn" not in str(response.headers).lower()


def test_a_trailer_is_no_header(loop):
    """Of this request, or of the next."""

    def app(environ, start_response):
        body = environ["wsgi.input"].read() + b" " + environ.get("HTTP_AUTHORIZATION", "nobody").encode()
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    running = Running(app, seconds=1)
    sent = CHUNKED + b"1\r\na\r\n0\r\nAuthorization: Bearer evil\r\n\r\n"
    try:
        answers, _ = asked(running.url, sent + sent)
        assert [body for _, _, body in answers] == [b"a nobody"] * 2
    finally:
        running.close()


def asked(url: str, *pieces: bytes) -> tuple[list[tuple[int, http.client.HTTPMessage, bytes]], bool]:
    """The answers to what is sent, until nothing more comes; and whether the connection was closed then."""
    answers = []
    parts = urlsplit(url)
    with socket.create_connection((str(parts.hostname), int(parts.port or 80)), timeout=30) as connection:
        for piece in pieces:
            with suppress(OSError):
                connection.sendall(piece)
        file = connection.makefile("rb")
        try:
            while status := file.readline():
                headers = http.client.parse_headers(file)
                answers.append((int(status.split()[1]), headers, file.read(int(headers["Content-Length"]))))
        except TimeoutError:
            return answers, False
    return answers, True


@pytest.fixture(scope="module")
def live(tmp_path_factory) -> Iterator[Running]:
    """With two seconds for headers and bodies."""
    app = create_app(Settings(data_dir=tmp_path_factory.mktemp("httpd"), example=False, **GENEROUS))
    running = Running(app, seconds=2)
    yield running
    running.close()
    app.extensions["ulm.store"].close()


PLAYERS = b"POST /api/v1/players HTTP/1.1\r\n"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (PLAYERS + b"Host: a\r\nContent-Length: 1000000000\r\n\r\n", 413),
        (
            PLAYERS + b"Host: a\r\nTransfer-Encoding: chunked\r\n\r\n200000\r\n" + b"a" * 0x200000 + b"\r\n0\r\n\r\n",
            413,
        ),
        (PLAYERS + b'Host: a\r\nContent-Length: 15\r\n\r\n{"name"', 408),
        (PLAYERS + b'Host: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"n\r\n', 408),
        (b"POST /api/v1/players HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"GET /api/v1/games HTTP/1.1\r\n\r\n", 400),
        (b"GET /api/v1/games HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ],
)
def test_what_reaches_us_is_refused_in_the_shape_of_all_errors(live, request_, code):
    """Too large, too slow, without a host: JSON as everywhere, and a word on what to do."""
    ((status, headers, body),), closed = asked(live.url, request_)
    assert closed
    error = json.loads(body)
    assert status == error["code"] == code
    assert headers["Content-Type"].startswith("application/")
    assert {"code", "status", "message", "errors"} <= set(error)
    assert "uvicorn" not in f"{headers}{error}".lower()


@pytest.mark.parametrize(
    "framing",
    [b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", b"Transfer-Encoding: chunked\r\nContent-Length: 6\r\n"],
)
def test_a_second_request_is_not_smuggled_in_a_body(live, framing):
    """Two lengths: the chunks count, and nothing more is read from that connection."""
    answers, closed = asked(
        live.url,
        PLAYERS
        + b"Host: a\r\nContent-Type: application/json\r\n"
        + framing
        + b"\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    )
    assert len(answers) == 1
    assert closed


def test_a_header_with_an_underscore_is_not_the_one_with_a_hyphen(tmp_path):
    server = LiveServer(tmp_path, {"ULM_PROXY_HOPS": "1"})
    try:
        answers, _ = asked(
            server.url,
            b"GET /sign-in HTTP/1.1\r\nHost: a\r\nX_Forwarded_Proto: https\r\n"
            b"X_Forwarded_Prefix: /evil\r\nConnection: close\r\n\r\n",
        )
    finally:
        assert server.stop() == 0
    assert b"/evil" not in answers[0][2]


def test_old_and_unusual_forms_of_a_request_are_answered(live):
    (first, second), closed = asked(
        live.url, b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET http://other/healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    )
    assert first[0] == second[0] == 200  # one behind the other, and with a whole address
    assert closed  # after two seconds: nothing is asked
    ((status, *_),), closed = asked(live.url, b"GET /healthz HTTP/1.0\r\n\r\n")
    assert (status, closed) == (200, True)


HALF = {
    "nothing": b"",
    "half a header": b"GET /healthz HTTP/1.1\r\nHost:",
    "half a body": PLAYERS + b"Host: a\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{",
}


@pytest.mark.parametrize("half", HALF)
def test_whoever_sends_halves_keeps_nobody_out(half, loop):
    """More connections than there are places: others are served meanwhile, and who has asked stays."""
    running = Running(SlowApp(), connections=800)
    held: list[socket.socket] = []
    try:
        slow = threading.Thread(target=lambda: held and running.get("/slow"))
        for _ in range(850):
            held.append(socket.create_connection(("127.0.0.1", running.port), 10))
            held[-1].sendall(HALF[half])
            if len(held) == 1:
                slow.start()
                assert running.app.began.wait(10)
        for _ in range(3):
            assert running.get("/") == b"xx"
        end = time.monotonic() + 30
        while (left := 850 - sum(map(is_closed, held))) > 800:
            assert time.monotonic() < end
        assert left > 700
        running.app.go_on.set()
        slow.join(20)
        assert not slow.is_alive()
    finally:
        for one in held:
            one.close()
        running.close()


@pytest.mark.parametrize("size", [10_000, 200_000, 3_000_000])
def test_who_reads_no_answer_is_let_go(size, loop, monkeypatch):
    """Whether the last of it is on its way or not."""
    monkeypatch.setattr(httpd, "SEND_SECONDS", 1)
    running = Running(SlowApp(size), seconds=1)
    running.get("/")  # its loop has all its files now
    files = len(os.listdir("/proc/self/fd"))
    held = deaf(running, 16, 1 if size > 10_000 else 400)
    try:
        assert len(os.listdir("/proc/self/fd")) > files + 16
        until(lambda: len(os.listdir("/proc/self/fd")) <= files + 16)
    finally:
        for one in held:
            one.close()
        running.close()


def test_who_is_being_closed_and_reads_nothing_makes_room(loop):
    """As above, while they still have time for it."""
    running = Running(SlowApp(200_000), connections=16, seconds=1)
    held = deaf(running, 16)
    try:
        time.sleep(2)
        running.app.size = 2
        assert [running.get("/") for _ in range(5)] == [b"xx"] * 5
    finally:
        for one in held:
            one.close()
        running.close()


def deaf(running: Running, number: int, requests: int = 1) -> list[socket.socket]:
    """Connections that have asked and read nothing."""
    held = []
    for _ in range(number):
        held.append(one := socket.socket())
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(("127.0.0.1", running.port))
        one.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * requests)
    time.sleep(0.3)
    return held


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_behind_a_proxy_a_server_goes_only_when_its_connections_have_been_told(tmp_path):
    server = LiveServer(tmp_path, {"ULM_PROXY_HOPS": "1"})
    parts = urlsplit(server.url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
    connection.request("GET", "/healthz")
    assert connection.getresponse().read()
    kept = connection.sock
    server.process.terminate()
    with pytest.raises((ConnectionRefusedError, ConnectionResetError)):
        while True:
            socket.create_connection((parts.hostname, parts.port), timeout=10).close()
    connection.request("GET", "/healthz")
    answer = connection.getresponse()
    assert connection.sock in (kept, None)
    assert (answer.status, answer.headers["Connection"]) == (200, "close")
    connection.close()
    assert server.stop() == 0
