"""`GET /games/ID/events`: what changes is told to those who may see it, at once, and nothing else is."""

import gzip
import http.client
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask

from server.routes.http.counters import StreamSlots
from tests.live import COUNTERS, LiveServer
from tests.routes.caller import BASE, Caller, new_game, players
from tests.routes.conftest import SQLITE
from tests.together import until


class Stream:
    """A stream of events as a client meets it, read line by line."""

    def __init__(self, url: str, game: str, token: str = "", last: str = "", path: str = "") -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=15)
        self._connection.request("GET", path or f"{BASE}/games/{game}/events",
                                 headers=headers | ({"Last-Event-ID": last} if last else {}))  # fmt: skip
        self.answer = self._connection.getresponse()
        self.events: list[dict[str, Any]] = []
        self.ids: list[str] = []

    def heard(self, number: int) -> dict[str, Any]:
        """The event of that number (from 1), when it has come."""
        while len(self.events) < number:
            assert self.read(), "the stream has ended"
        return self.events[number - 1]

    def read(self) -> bytes:
        """The next line, nothing at the end. Raises where the answer was cut."""
        line = self.answer.readline()
        if line.startswith(b"data: "):
            self.events.append(json.loads(line[6:]))
        if line.startswith(b"id: "):
            self.ids.append(line[4:].decode().strip())
        return line

    def close(self) -> None:
        self._connection.close()
        self.answer.close()


@dataclass
class Live:
    """A real server with a game of Ann and Ben."""

    server: LiveServer

    def api(self, path: str, data: Any = None, token: str = "") -> Any:
        return self.server.call(path, data, token)

    def people(self, *names: str) -> list[str]:
        return [self.api("/players", {"name": name})["token"] for name in names]

    def game(self, *tokens: str) -> str:
        game = self.api("/games", {"seats": len(tokens)}, tokens[0])["id"]
        for token in tokens[1:]:
            self.api(f"/games/{game}/players", {}, token)
        return str(game)

    def waiting(self) -> int:
        return int(float(self.server.counters().split("\nulm_waiting_requests ")[1].split()[0]))

    def until_wait(self, many: int) -> None:
        """Return when so many wait."""
        until(lambda: self.waiting() == many, f"there are not {many} that wait")


@pytest.fixture
def live(start_server: Callable[..., LiveServer]) -> Live:
    return Live(start_server(**COUNTERS))


@contextmanager
def streams(*opened: Stream) -> Iterator[None]:
    try:
        yield
    finally:
        for one in opened:
            one.close()


def test_events_arrive_at_once_and_streams_resume(live: Live) -> None:
    ann, ben = live.people("Ann", "Ben")
    game = live.game(ann, ben)
    page = live.api(f"/games/{game}", token=ann)
    mover, other = (ann, ben) if page["to_move"] == 0 else (ben, ann)
    waits, spectator = Stream(live.server.url, game, other), Stream(live.server.url, game)
    with streams(waits, spectator):
        assert waits.read() == b"retry: 2000\n"
        first = waits.heard(1)
        assert waits.answer.status == 200
        assert first["status"] == "running"
        assert first["to_move"] == page["to_move"]
        assert first["messages"] is None
        assert spectator.heard(1)["seat"] is None
        live.api(f"/games/{game}/messages", {"text": "Well pushed!"}, mover)
        told = waits.heard(2)
        assert told["messages"] is not None
        assert {**told, "messages": None, "tag": ""} == {**first, "tag": ""}
        legal = live.api(f"/games/{game}/legal-moves", token=mover)
        move = next(text for text in legal["moves"] if text.startswith("push"))  # the server has drawn for them
        live.api(f"/games/{game}/moves", {"ply": legal["ply"], "moves": [move]}, mover)
        assert waits.heard(3)["ply"] == legal["ply"] + 1
        # A message is for members; the move is for all.
        assert spectator.heard(2)["ply"] == legal["ply"] + 1
        assert [event["messages"] for event in spectator.events] == [None, None]
        last = waits.ids[-1]
    resumed = Stream(live.server.url, game, other, last=last)
    with streams(resumed):
        assert resumed.answer.status == 200
        live.api(f"/games/{game}/messages", {"text": "And now?"}, mover)
        assert resumed.heard(1)["messages"] == told["messages"] + 1  # and nothing that was told before


def test_a_client_that_goes_away_frees_its_place(start_server: Callable[..., LiveServer]) -> None:
    live = Live(start_server(ULM_STREAMS="4", **COUNTERS))
    ann, ben = live.people("Ann", "Ben")
    game = live.game(ann, ben)
    opened = [Stream(live.server.url, game, token) for token in (ann, ann, ben)]
    for one in opened:
        one.heard(1)
    program = "import sys, urllib.request as u; a = u.urlopen(sys.argv[1]); print(a.readline(), flush=True); input()"
    address = f"{live.server.url}{BASE}/games/{game}/events"
    other = subprocess.Popen([sys.executable, "-c", program, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert b"retry" in other.stdout.readline()
    assert live.waiting() == 4
    full = Stream(live.server.url, game)
    page = Stream(live.server.url, game, path=f"/games/{game}/stream")
    with streams(full, page):
        assert (full.answer.status, page.answer.status) == (503, 204)
        assert full.answer.headers["Retry-After"]
    other.kill()
    other.communicate()
    opened.pop().close()
    live.until_wait(2)
    again = Stream(live.server.url, game)
    with streams(again, *opened):
        assert again.heard(1)["seat"] is None


def test_hundreds_of_streams_hold_no_thread(start_server: Callable[..., LiveServer]) -> None:
    """A stream held a thread: two threads had one place."""
    live = Live(start_server(ULM_THREADS="2", **COUNTERS))
    ann, ben = live.people("Ann", "Ben")
    game = live.game(ann, ben)
    parts = urlsplit(live.server.url)
    opened = []
    for number in range(300):
        opened.append(socket.create_connection((str(parts.hostname), int(parts.port or 80)), timeout=30))
        token = ("", f"Authorization: Bearer {ann}\r\n", f"Authorization: Bearer {ben}\r\n")[number % 3]
        opened[-1].sendall(f"GET {BASE}/games/{game}/events HTTP/1.1\r\nHost: a\r\n{token}\r\n".encode())
    read = [one.makefile("rb") for one in opened]

    def heard(third: int) -> dict[str, Any]:
        """The next event of each of these streams, which is the same for all."""
        found = [json.loads(next(line for line in file if line.startswith(b"data: "))[6:]) for file in read[third::3]]
        assert all(one == found[0] for one in found)
        return found[0]

    assert [heard(third)["seat"] for third in range(3)] == [None, 0, 1]
    assert live.waiting() == 300
    written = live.api(f"/games/{game}/messages", {"text": "Can you all hear me?"}, ann)["id"]
    assert [heard(third)["messages"] for third in (1, 2)] == [written, written]
    seen = live.api(f"/games/{game}/legal-moves", token=ann)["ply"]
    live.api(f"/games/{game}/moves", {"ply": seen, "moves": ["resign"]}, ann)
    assert [(one["status"], one["messages"]) for one in map(heard, range(3))] == [
        ("finished", None), ("finished", written), ("finished", written),
    ]  # fmt: skip
    for file in read:
        file.close()
    for one in opened:
        one.close()


def test_hundreds_of_long_polls_hold_no_thread(start_server: Callable[..., LiveServer]) -> None:
    """One held a thread: two threads had one place."""
    live = Live(start_server(ULM_THREADS="2", **COUNTERS))
    ann, ben = live.people("Ann", "Ben")
    game = live.game(ann, ben)
    parts = urlsplit(live.server.url)

    def polls(number: int, seconds: int) -> list[http.client.HTTPConnection]:
        found = []
        for one in range(number):
            token = ("", ann, ben)[one % 3]
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            found.append(http.client.HTTPConnection(str(parts.hostname), int(parts.port or 80), timeout=30))
            found[-1].request("GET", f"{BASE}/games/{game}", headers=headers | {"Accept-Encoding": "gzip"})
            with found[-1].getresponse() as answer:
                answer.read()
                headers |= {"If-None-Match": answer.headers["ETag"], "Prefer": f"wait={seconds}"}
            found[-1].request("GET", f"{BASE}/games/{game}", headers=headers | {"Accept-Encoding": "gzip"})
        return found

    def answers(asked: list[http.client.HTTPConnection]) -> list[tuple[int, Any]]:
        found = []
        for one in asked:
            answer = one.getresponse()
            body = answer.read()
            found.append((answer.status, json.loads(gzip.decompress(body)) if body else answer.headers["ETag"][-6:]))
            one.close()
        return found

    waits, short = polls(300, 120), polls(3, 1)
    assert answers(short) == [(304, ':gzip"')] * 3  # nothing has happened; the tag is that which was sent
    live.until_wait(300)
    live.api(f"/games/{game}/messages", {"text": "This is on nobody's page."}, ann)
    assert live.waiting() == 300
    seen = live.api(f"/games/{game}/legal-moves", token=ann)["ply"]
    live.api(f"/games/{game}/moves", {"ply": seen, "moves": ["resign"]}, ann)
    pages = answers(waits)
    assert {(status, page["status"]) for status, page in pages} == {(200, "finished")}
    assert [page["seat"] for _, page in pages[:3]] == [None, 0, 1]
    assert live.waiting() == 0
    last = polls(20, 120)
    live.until_wait(20)
    assert live.server.stop() == 0  # which answers them
    assert answers(last) == [(304, ':gzip"')] * 20


def test_streams_end_by_themselves_and_with_the_server(start_server: Callable[..., LiveServer]) -> None:
    live = Live(start_server(ULM_STREAM_SECONDS="2", ULM_SHUTDOWN_SECONDS="30"))
    ann, ben = live.people("Ann", "Ben")
    game = live.game(ann, ben)
    began = time.monotonic()
    short = Stream(live.server.url, game, ann)
    while short.read():
        pass
    assert time.monotonic() - began > 1.9
    assert len(short.events) == 1
    short.close()
    assert live.server.stop() == 0
    longer = Live(start_server(data_dir=live.server.data_dir, ULM_SHUTDOWN_SECONDS="30"))
    waits = Stream(longer.server.url, game, ann)
    with streams(waits):
        waits.heard(1)
        assert longer.server.stop(timeout=20) == 0  # not the 30 seconds that a request may have
        while waits.read():
            pass


def test_nobody_waits_who_may_not_look(client: Any, stranger: Caller) -> None:
    ann, ben = players(client, 2)
    game = new_game([ann], seats=2, private=True)
    for caller in (stranger, ben):
        with caller.get(f"/games/{game}/events", 404):
            pass
    with stranger.get("/games/aaaaaaaaaaaa/events", 404), ann.call("HEAD", f"/games/{game}/events", status=200):
        pass


@SQLITE
def test_heads_and_streams_that_nobody_reads_hold_no_place(app: Flask, client: Any) -> None:
    [ann] = players(client, 1)
    game = new_game([ann], seats=2)
    room: StreamSlots = app.extensions["ulm-routes"].stream_slots
    for _ in range(2 * room.seats):
        client.head(f"{BASE}/games/{game}/events").close()
        client.get(f"{BASE}/games/{game}/events").close()
    assert room.taken == 0


def test_one_caller_has_half_of_the_places() -> None:
    room = StreamSlots(4)
    first, second = room.seat("ann"), room.seat("ann")
    assert room.seat("ann") is None
    others = [room.seat("ben"), room.seat("")]
    assert None not in others
    assert room.seat("cleo") is None
    first()
    first()
    assert room.taken == 3
    assert room.seat("ann") is not None
    assert room.seat("dan") is None
    second()
    assert room.taken == 3
    assert StreamSlots(0).seat("ann") is None
    assert StreamSlots(1).seat("ann") is not None


def test_the_accounts_of_one_network_leave_places_to_others() -> None:
    """Two accounts in one hand had all of them."""
    room = StreamSlots(8)
    held = [room.seat(who, "198.51.100.7") for who in ("ann", "ann", "ann", "ann", "eve", "eve")]
    assert None not in held
    assert room.seat("eve", "198.51.100.7") is None
    assert room.seat("new", "198.51.100.7") is None
    assert room.seat("ben", "203.0.113.1") is not None
    held[0]()
    assert room.seat("eve", "198.51.100.7") is not None
    assert room.taken == 7
    one = StreamSlots(1).seat("ann", "198.51.100.7")
    assert one is not None


@SQLITE
def test_streams_and_long_polls_share_the_places_of_a_network(app: Flask, client: Any) -> None:
    ann, ben = players(client, 2)
    game = new_game([ann, ben])
    room: StreamSlots = app.extensions["ulm-routes"].stream_slots
    here = {"environ_base": {"REMOTE_ADDR": "2001:db8:1:2::3"}}
    for number in range(room.seats * 3 // 4):
        assert room.seat(f"player {number}", "2001:db8:1::/48") is not None
    for asked in (game, "nobody"):  # nothing is read for it
        refused = client.get(f"{BASE}/games/{asked}/events", **here)
        assert refused.status_code == 503
        assert int(refused.headers["Retry-After"]) > 0
    tag = ann.get(f"/games/{game}", **here).headers["ETag"]
    began = time.monotonic()
    ann.get(f"/games/{game}", status=304, headers={"If-None-Match": tag, "Prefer": "wait=20"}, **here)
    assert time.monotonic() - began < 10, "no place is left for this network"
    other = client.get(f"{BASE}/games/{game}/events", environ_base={"REMOTE_ADDR": "203.0.113.1"})
    assert other.status_code == 200
    other.close()
