"""What only a real server shows: odd bytes on the wire, HEAD, chunks, and a long poll beside other requests."""

from __future__ import annotations

import http.client
import json
import socket
from contextlib import suppress
from email.message import Message
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.live import LiveServer
from tests.routes.caller import BASE


@pytest.fixture
def wire(live_server: LiveServer) -> Wire:
    return Wire(live_server.url)


class Wire:
    """A connection to the server for each request."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)

    def call(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Message, bytes]:
        """Send a request; status, headers and body of the answer."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=150)
        sent = dict(headers or {})
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            sent["Content-Type"] = "application/json"
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        found = answer.status, answer.headers, answer.read()
        connection.close()
        return found

    def raw(self, data: bytes) -> bytes:
        """Send bytes as they are; what comes back."""
        with socket.create_connection((self.host, self.port), timeout=10) as connection:
            parts = []
            # A server that has read enough of nonsense may hang up.
            with suppress(OSError):
                connection.sendall(data)
                while part := connection.recv(65536):
                    parts.append(part)
        return b"".join(parts)

    def player(self, name: str) -> dict[str, str]:
        """The headers of a new player."""
        token = json.loads(self.call("POST", f"{BASE}/players", {"name": name})[2])["token"]
        return {"Authorization": f"Bearer {token}"}


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def test_odd_requests_on_the_wire(wire: Wire) -> None:
    me = wire.player("Ann")["Authorization"].encode()
    own = b"GET /api/v1/players/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    assert status(wire.raw(own + b"Authorization: " + me + b"\r\n\r\n")) == 200
    twice = b"Authorization: " + me + b"\r\nAuthorization: " + me + b"\r\n\r\n"
    assert status(wire.raw(own + twice)) in (400, 401)
    post = b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
    body = b'{"name": "Ben"}'
    length = b"Content-Length: %d\r\n" % len(body)
    assert status(wire.raw(post + length + b"\r\n" + body)) == 201
    chunked = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    assert status(wire.raw(post + chunked)) == 201
    for bad in (
        post + length + b"Content-Length: 5\r\n\r\n" + body,
        post + b"Content-Length: -1\r\n\r\n" + body,
        post + b"Content-Length: x\r\n\r\n" + body,
        post + length + b"Content-Type: text/plain\r\n\r\n" + body,
        post + b"Transfer-Encoding: gzip\r\n\r\n" + body,
        post + b"Content-Length: 99999999999\r\n\r\n",
        own + b"Authorization: Bearer \xff\xfe\r\n\r\n",
        own + b"Authorization: Bearer " + b"a" * 20_000 + b"\r\n\r\n",
        own + b"X: " + b"a" * 100_000 + b"\r\n\r\n",
        b"GET /api/v1/games?%00=%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET /api/v1/games?page=\xff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"nonsense\r\n\r\n",
    ):
        answer = wire.raw(bad)
        assert answer == b"" or 400 <= status(answer) < 500 or status(answer) == 501, (bad[:120], answer[:300])
        assert b"Traceback" not in answer
    assert wire.call("GET", "/healthz")[0] == 200


def test_head_and_options(wire: Wire) -> None:
    code, headers, body = wire.call("HEAD", f"{BASE}/games")
    assert (code, body) == (200, b"")
    assert headers["ETag"]
    code, headers, _ = wire.call("OPTIONS", f"{BASE}/games")
    assert code == 200
    assert "POST" in headers["Allow"]
