"""The client against a server that is hardly ever there: a real one of these tests' own, by a clock that they move."""

from __future__ import annotations

import asyncio
import email.utils
import itertools
import json
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from ulm_client import AsyncClient, Client, NoAnswerError, RefusedError
from ulm_client.steps import warn_of_end

WEEK = 7 * 86400
DOWN = 7 * 3600
"""Seconds for which the server is gone after each answer."""
PLIES = 27
MOVES = ["another" if ply % 3 == 2 else f"move {ply}" for ply in range(PLIES)]


class Table:
    """A game of `PLIES` moves, every third of them by another seat, on a server that answers every seven hours.

    What it does in between is in turn what servers, proxies and networks do. Some moves are made without an answer.
    """

    def __init__(self) -> None:
        self.now = self.back = 0.0
        self.slept: list[float] = []
        self.moves: list[str] = []
        self.answers: dict[str, bytes] = {}
        self.known: list[str | None] = []
        self.faults = itertools.cycle([self.gateway, self.hang_up, self.page, self.too_often, self.lose, self.full])

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        if self.now < self.back:
            next(self.faults)(request, body)
        else:
            self.back = self.now + DOWN
            request_kind, content = self.answer(request, body)
            send(request, 200, content, Deprecation="@1764236100", **{"Content-Type": request_kind})

    # What happens instead of an answer

    def gateway(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        send(request, 502, b"<html>Bad gateway</html>", **{"Content-Type": "text/html"})

    def hang_up(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        pass

    def page(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        send(request, 200, b"<html>Soon back</html>", **{"Content-Type": "text/html"})

    def too_often(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        send(request, 429, b"{}", **{"Content-Type": "application/problem+json", "Retry-After": "3600"})

    def lose(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        """It is done, and nobody hears of it."""
        if request.command == "POST":
            self.answer(request, body)

    def full(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        then = email.utils.formatdate(time.time() + 1800, usegmt=True)
        send(request, 503, b"", **{"Retry-After": then})

    # The game

    def answer(self, request: BaseHTTPRequestHandler, body: bytes) -> tuple[str, bytes]:
        path = request.path.removeprefix("/api/v1/games/g").partition("?")[0]
        if path == "/events":
            return "text/event-stream", self.stream(request.headers["Last-Event-ID"])
        assert path == "/moves"
        key = request.headers["Idempotency-Key"]
        if key not in self.answers:
            self.moves += json.loads(body)["moves"]
            self.answers[key] = json.dumps(self.glance()).encode()
        return "application/json", self.answers[key]

    def stream(self, known: str | None) -> bytes:
        """The other seat moves; the event of it is followed by half of another, and the connection ends."""
        self.known.append(known)
        if len(self.moves) % 3 == 2:
            self.moves.append("another")
        tag = str(len(self.moves))
        event = f"event: game\nid: {tag}\ndata: {json.dumps(self.glance())}\n\n".encode()
        return b": hello\n\n" + (event if known != tag else b"") + event[:30]

    def glance(self) -> dict[str, Any]:
        ply = len(self.moves)
        status = "running" if ply < PLIES else "finished"
        legal = [f"move {ply}"] if status == "running" and ply % 3 != 2 else []
        return {"ply": ply, "status": status, "view": {}, "legal_moves": legal}


def send(request: BaseHTTPRequestHandler, status: int, content: bytes, **headers: str) -> None:
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(content)


@contextmanager
def serving(handle: Callable[[BaseHTTPRequestHandler, bytes], None]) -> Iterator[str]:
    """A server on this machine; connections end with each answer, so one without a length is cut where it ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            handle(self, self.rfile.read(int(self.headers["Content-Length"] or 0)))

        do_POST = do_GET  # noqa: N815 - its name

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def play_blocking(url: str, table: Table) -> None:
    with Client(url, "token", patience=math.inf, sleep=table.sleep) as client:
        for turn in client.turns("g"):
            turn.play(*turn.legal)


def play_awaiting(url: str, table: Table) -> None:
    async def play() -> None:
        async with AsyncClient(url, "token", patience=math.inf, sleep=table.sleep_async) as client:
            async for turn in client.turns("g"):
                await turn.play(*turn.legal)

    asyncio.run(play())


@pytest.mark.parametrize("play", [play_blocking, play_awaiting])
def test_weeks_of_outages_cost_no_move_and_double_none(
    play: Callable[[str, Table], None], caplog: pytest.LogCaptureFixture
) -> None:
    """What is deprecated is warned of once."""
    warn_of_end.cache_clear()
    table = Table()
    with serving(table.handle) as url:
        play(url, table)
    assert table.moves == MOVES
    assert table.now > WEEK
    assert max(table.slept) == 3600
    assert max(pause for pause in table.slept if pause < 1000) <= 30
    assert table.known[0] is None
    assert table.known[-1] is not None
    assert caplog.text.count("events is deprecated") == caplog.text.count("moves is deprecated") == 1


class CutRows:
    """Answers break off in the midst of their third line; what is longer than an answer is led on to by `Link`."""

    asked_for = ({"seat": 1}, *({"seat": 1, "from": ply} for ply in (2, 4, 6, 8)), {"from": 100})

    def __init__(self) -> None:
        self.asked: list[dict[str, int]] = []

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        query = {name: int(values[0]) for name, values in parse_qs(urlsplit(request.path).query).items()}
        self.asked.append(query)
        lines = [b'{"ply": %d, "state": "\xe2\x80\xa8"}\n' % ply for ply in range(query.get("from", 0), 9)]
        content = b"".join(lines[:2]) + lines[2][:15] if len(lines) > 2 else b"".join(lines)
        further = (
            {} if query.get("from", 0) == 100 else {"Link": f'<{request.path.partition("?")[0]}?from=100>; rel="next"'}
        )
        send(request, 200, content, **{"Content-Type": "application/x-ndjson", **further})


def test_rows_go_on_where_they_were_cut() -> None:
    rows = CutRows()
    with serving(rows.handle) as url, Client(url, sleep=lambda _: None) as client:
        assert [row["ply"] for row in client.states("g", seat=1)] == list(range(9))
    assert rows.asked == [*rows.asked_for]


def test_lists_are_read_to_their_end() -> None:
    asked = []

    def handle(request: BaseHTTPRequestHandler, body: bytes) -> None:
        query = dict(parse_qs(urlsplit(request.path).query))
        asked.append(query)
        further = {} if "after" in query else {"Link": '<https://elsewhere/api/v1/games?after=x%2By>; rel="next"'}
        rows = [{"id": str(len(asked))}]
        send(request, 200, json.dumps(rows).encode(), **{"Content-Type": "application/json", **further})

    with serving(handle) as url, Client(url) as client:
        assert [game["id"] for game in client.games(status="open")] == ["1", "2"]
    assert asked == [{"page_size": ["100"], "status": ["open"]}, {"after": ["x+y"]}]


def test_a_server_that_has_moved_is_not_waited_for() -> None:
    """Nor is the token sent to where it leads."""

    def moved(request: BaseHTTPRequestHandler, body: bytes) -> None:
        send(request, 301, b"<html>", **{"Content-Type": "text/html", "Location": "https://ulm.example.org/"})

    with serving(moved) as url, Client(url, "token") as client:
        with pytest.raises(RefusedError, match=r"is https://ulm\.example\.org/"):
            client.me()
        with pytest.raises(RefusedError, match=r"is https://ulm\.example\.org/"):
            next(client.events())


def test_patience_has_an_end() -> None:
    slept: list[float] = []

    def busy(request: BaseHTTPRequestHandler, body: bytes) -> None:
        content = b'{"message": "come back later", "type": "/api/v1/problems/busy", "errors": {}}'
        send(request, 503, content, **{"Content-Type": "application/problem+json", "Retry-After": "20"})

    with serving(busy) as url, Client(url, sleep=slept.append) as client:
        with pytest.raises(RefusedError, match="come back later") as refused:
            client.me()
        assert (refused.value.status, refused.value.kind) == (503, "busy")
        assert slept == [20, 20, 20]
    with Client(url, sleep=slept.append) as client, pytest.raises(NoAnswerError):
        client.me()
    assert 30 <= sum(slept) - 60 <= 60
    with pytest.raises(ValueError, match="looks like https://"):
        Client("ulm.example.org")
