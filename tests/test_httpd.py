"""The end of a server: what runs is answered, what is idle is closed, nothing new is taken on."""

from __future__ import annotations

import ctypes
import http.client
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from urllib.parse import urlsplit

import pytest

from server import httpd
from server.connections import turn_away
from server.httpd import HttpServer
from tests.live import ROOT, LiveServer
from tests.running_server import Running, SlowApp


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


def test_uvloop_runs_it_where_it_is_installed(monkeypatch):
    uvloop = pytest.importorskip("uvloop")
    with closing(httpd.event_loop()) as made:
        assert isinstance(made, uvloop.Loop)
    monkeypatch.setitem(sys.modules, "uvloop", None)  # importing it is an error from here on
    with closing(httpd.event_loop()) as made:
        assert not isinstance(made, uvloop.Loop)


def test_a_port_in_use_is_an_os_error(running):
    with pytest.raises(OSError, match="in use"):
        HttpServer("127.0.0.1", running.port, threads=1, max_body=1000)


def test_no_header_tells_what_the_server_is_made_of(running):
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=30)
    connection.request("GET", "/")
    response = connection.getresponse()
    response.read()
    connection.close()
    assert "granian" not in str(response.headers).lower()


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


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + b"a" * 100_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X-Many: a\r\n" * 200 + b"\r\n", 431),
        (b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nbad header\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX-Folded: a\r\n b\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: rot13\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
        (b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na", 400),
    ],
)
def test_what_is_no_http_is_refused_without_a_word(running, request_, code):
    """granian answers it, before there is a request: an empty body, and the connection is closed."""
    with socket.create_connection(("127.0.0.1", running.port), timeout=20) as connection:
        with suppress(OSError):  # it does not listen to the end
            connection.sendall(request_)
        response = http.client.HTTPResponse(connection)
        response.begin()
        assert response.read() == b""
    assert response.status == code
    assert "granian" not in str(response.headers).lower()


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
def live(tmp_path_factory) -> Iterator[LiveServer]:
    server = LiveServer(tmp_path_factory.mktemp("httpd"), {"ULM_HEADER_SECONDS": "1", "ULM_BODY_SECONDS": "2"})
    yield server
    assert server.stop() == 0


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
        (PLAYERS + b"Host: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", 400),
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
    assert "granian" not in f"{headers}{error}".lower()


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
    assert closed  # after ULM_HEADER_SECONDS: nothing is asked
    ((status, *_),), closed = asked(live.url, b"GET /healthz HTTP/1.0\r\n\r\n")
    assert (status, closed) == (200, True)


HALF = {
    "nothing": b"",
    "half a header": b"GET /healthz HTTP/1.1\r\nHost:",
    "half a body": PLAYERS + b"Host: a\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{",
}


@pytest.mark.parametrize(
    ("half", "limit", "source"),
    [
        ("nothing", 100, "127.0.0.2"),
        ("half a header", 100, "127.0.0.2"),
        ("half a header", 0, "127.0.0.2"),
        ("half a body", 100, "127.0.0.1"),  # the honest one has the same address
        ("half a body", 0, "127.0.0.2"),
    ],
)
def test_whoever_sends_halves_keeps_nobody_out(tmp_path, half, limit, source):
    """More connections than there are places, from one address and as if from many: others are served meanwhile."""
    variables = {"HEADER_SECONDS": "60", "BODY_SECONDS": "60", "CONNECTIONS": "800", "CONNECTIONS_PER_ADDRESS": limit}
    server = LiveServer(tmp_path, {f"ULM_{name}": str(value) for name, value in variables.items()})
    parts = urlsplit(server.url)
    address = (str(parts.hostname), int(parts.port or 80))
    held: list[socket.socket] = []
    try:
        for _ in range(850):
            held.append(socket.create_connection(address, 10, source_address=(source, 0)))
            held[-1].sendall(HALF[half])
        for _ in range(3):
            with urllib.request.urlopen(f"{server.url}/healthz", timeout=30) as answer:
                assert answer.status == 200
        began, left = time.monotonic(), 850
        while left > (limit or 700) and time.monotonic() - began < 30:
            left = 850 - sum(map(is_closed, held))
        assert left <= (limit or 700)
    finally:
        for one in held:
            one.close()
        assert server.stop() == 0


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_a_client_that_works_is_not_closed_for_those_that_do_not(tmp_path):
    """At the limit of its own address, who has asked for something stays: those go who ask for nothing."""
    server = LiveServer(tmp_path, {"ULM_CONNECTIONS_PER_ADDRESS": "5"})
    parts = urlsplit(server.url)
    address = (str(parts.hostname), int(parts.port or 80))
    held: list[socket.socket] = []
    try:
        with urllib.request.urlopen(
            urllib.request.Request(
                f"{server.url}/api/v1/players", b'{"name": "Ann"}', {"Content-Type": "application/json"}
            )
        ) as answer:
            token = json.load(answer)["token"]
        with urllib.request.urlopen(
            urllib.request.Request(
                f"{server.url}/api/v1/games",
                b'{"seats": 2}',
                {"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
            )
        ) as answer:
            game = json.load(answer)["id"]
        stream = socket.create_connection(address, 10)
        held.append(stream)
        stream.sendall(f"GET /api/v1/games/{game}/events HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        assert stream.recv(100)
        held += [socket.create_connection(address, 10) for _ in range(20)]
        closed, end = 0, time.monotonic() + 30
        while closed < 16 and time.monotonic() < end:
            time.sleep(0.1)
            closed = sum(map(is_closed, held[1:]))
        assert closed == 16
        assert not is_closed(stream)
    finally:
        for one in held:
            one.close()
        assert server.stop() == 0


_HEAPS = """
import ctypes, sys, threading
from server.httpd import one_heap
libc = ctypes.CDLL(None)
if sys.argv[1] == "one":
    one_heap()
kept, together = [], threading.Barrier(8)
def work():
    together.wait()
    kept.append([bytes(2000) for _ in range(2000)])
    together.wait()
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
libc.fopen.restype = ctypes.c_void_p
file = libc.fopen(sys.argv[2].encode(), b"w")
libc.malloc_info(0, ctypes.c_void_p(file))
libc.fclose(ctypes.c_void_p(file))
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="another C library than glibc")
@pytest.mark.parametrize(("heaps", "several"), [("one", False), ("as usual", True)])
def test_threads_share_one_heap(tmp_path, heaps, several):
    """Each thread that had made an export kept 14 MB in a heap of its own."""
    told = tmp_path / "heaps.xml"
    subprocess.run([sys.executable, "-c", _HEAPS, heaps, str(told)], check=True, cwd=ROOT)
    assert (told.read_text("ascii").count("<heap nr=") > 1) == several


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's filter is Linux'")
@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_nobody_who_was_let_in_is_lost_when_a_socket_is_closed(host):
    listener = httpd.listen(host, 0)
    address = listener.getsockname()[:2]
    before = socket.create_connection(address, timeout=10)
    turn_away(listener)
    with pytest.raises(TimeoutError):  # it is neither let in, to be dropped then, nor refused
        socket.create_connection(address, timeout=0.2)
    let_in, _ = listener.accept()
    listener.setblocking(False)
    with pytest.raises(BlockingIOError):
        listener.accept()
    listener.close()
    let_in.sendall(b"still here")
    assert before.recv(10) == b"still here"
    before.sendall(b"so am I")
    assert let_in.recv(10) == b"so am I"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, timeout=10)
    before.close()
    let_in.close()


def test_behind_a_proxy_a_server_goes_only_when_its_connections_have_been_told(tmp_path):
    server = LiveServer(tmp_path, {"ULM_PROXY_HOPS": "1"})
    parts = urlsplit(server.url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
    connection.request("GET", "/healthz")
    assert connection.getresponse().read()
    kept = connection.sock
    server.process.terminate()
    with pytest.raises(ConnectionRefusedError):
        while True:
            with suppress(TimeoutError):  # first nothing is said
                socket.create_connection((parts.hostname, parts.port), timeout=0.05).close()
    connection.request("GET", "/healthz")
    answer = connection.getresponse()
    assert connection.sock in (kept, None)
    assert (answer.status, answer.headers["Connection"]) == (200, "close")
    connection.close()
    assert server.stop() == 0
