"""How soon an open page hears of a move: from the POST of the move to the event at those who wait.

Pages wait on the games of four players each: some by a stream of events, the others by asking every 15 s, as the pages
do for which there is no place (`streams` has thousands of them). Moves come one after the other, `MOVES_A_SECOND`, in
any of the games. An event counts from when its POST was begun, so the transaction of the move is in its time.
"""

from __future__ import annotations

import json
import os
import random
import socket
import tempfile
import threading
import time
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.http import SEATS, Tables, serving
from benchmarks.timing import duration, percentile, progress, progress_done, table

SETTINGS = ((16, 8, 32), (96, 40, 0))
"""Threads, open streams, pages that ask."""
MOVES = 400
MOVES_A_SECOND = 20
ASK_SECONDS = 15.0

Heard = list[tuple[str, int, float]]  # game, ply, when


class Watcher(threading.Thread):
    """A page with a stream: notes when it hears of which ply."""

    def __init__(self, url: str, game: str, token: str, heard: Heard) -> None:
        super().__init__(daemon=True)
        parts = urlsplit(url)
        self._socket = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=90)
        self._socket.sendall(
            f"GET /api/v1/games/{game}/events HTTP/1.1\r\nHost: {parts.netloc}\r\n"
            f"Authorization: Bearer {token}\r\n\r\n".encode()
        )
        self._game, self._heard = game, heard
        self.ready = threading.Event()

    def run(self) -> None:
        """Read until the stream ends or `close` is called."""
        try:
            with self._socket.makefile("rb") as lines:
                status = lines.readline().split()
                if status[1:2] != [b"200"]:
                    raise RuntimeError(f"no stream: {status}")
                for line in lines:
                    if line.startswith(b"data: "):
                        now = time.perf_counter()
                        self._heard.append((self._game, json.loads(line[6:])["ply"], now))
                        self.ready.set()
        except OSError:
            pass  # hung up

    def close(self) -> None:
        """Hang up."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class Asker(threading.Thread):
    """A page without a stream: asks now and then, and keeps the time of each answer."""

    def __init__(self, url: str, game: str, delay: float, stop: threading.Event, times: list[float]) -> None:
        super().__init__(daemon=True)
        parts = urlsplit(url)
        self._connection = HTTPConnection(parts.hostname or "", parts.port, timeout=30)
        self._path, self._delay, self._stop_asking, self._times = f"/games/{game}/pulse", delay, stop, times

    def run(self) -> None:
        """Ask until the end."""
        tag, delay = "", self._delay
        while not self._stop_asking.wait(delay):
            begun = time.perf_counter()
            self._connection.request("GET", self._path, headers={"If-None-Match": tag} if tag else {})
            answer = self._connection.getresponse()
            answer.read()
            self._times.append(time.perf_counter() - begun)
            tag, delay = answer.headers["ETag"], ASK_SECONDS
        self._connection.close()


def run() -> None:
    """Measure and print the table."""
    rows = [("", "moves", "POST p50", "p95", "heard", "event p50", "p95", "worst", "server CPU a move")]
    for threads, streams, askers in SETTINGS:
        progress(f"events, {threads} threads, {streams} streams")
        figures = measure(threads, streams, askers)
        posts, events = sorted(figures["posts"]), sorted(figures["events"])
        rows.append(
            (
                f"{threads} threads: {streams} streams, {askers} pages that ask",
                str(len(posts)),
                duration(percentile(posts, 50)),
                duration(percentile(posts, 95)),
                str(len(events)),
                duration(percentile(events, 50)),
                duration(percentile(events, 95)),
                duration(events[-1]),
                duration(figures["cpu"] / len(posts)),
            )
        )
    progress_done()
    table(
        f"From the POST of a move to the event at who waits ({os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, "
        f"{MOVES_A_SECOND} moves/s, {SEATS} streams a game)",
        rows,
    )


def measure(threads: int, streams: int, askers: int) -> dict[str, Any]:
    """Play `MOVES` moves while so many wait: `{posts: [seconds], events: [seconds], cpu: seconds}`."""
    heard: Heard = []
    asked: list[float] = []
    stop = threading.Event()
    with tempfile.TemporaryDirectory(prefix="ulm-bench-") as folder, ExitStack() as stack:
        variables = {
            "ULM_PORT": "0",
            "ULM_DATA_DIR": folder,
            "ULM_EXAMPLE": "off",
            "ULM_THREADS": str(threads),
            "ULM_LOG_LEVEL": "WARNING",
            "ULM_ACCOUNTS_PER_HOUR": "10000",
            "ULM_STREAM_SECONDS": "3600",
            "ULM_LIMITS_PERCENT": "1000000",
        }
        server = stack.enter_context(serving(["server.cli", "serve"], variables))
        tables = stack.enter_context(closing(Tables(server.url, Path(folder) / "ulm.sqlite3")))
        plan = tables.plan(-(-streams // SEATS), 1)
        games = [posts[0]["path"].split("/")[4] for posts in plan]
        watchers = [
            Watcher(server.url, games[number // SEATS], tables.tokens[number % SEATS], heard)
            for number in range(streams)
        ]
        pages = [
            Asker(server.url, games[number % len(games)], ASK_SECONDS * number / max(askers, 1), stop, asked)
            for number in range(askers)
        ]
        for one in (*watchers, *pages):
            one.start()
        for watcher in watchers:
            if not watcher.ready.wait(30):
                raise RuntimeError("a stream did not begin")
        heard.clear()
        cpu = server.cpu_seconds()
        sent, posts = play(server.url, plan)
        time.sleep(0.5)  # for the last events
        cpu = server.cpu_seconds() - cpu
        stop.set()
        for watcher in watchers:
            watcher.close()
    events = [when - sent[game, ply] for game, ply, when in heard if (game, ply) in sent]
    return {"posts": posts, "events": events, "cpu": cpu}


def play(url: str, plan: list[list[dict[str, Any]]]) -> tuple[dict[tuple[str, int], float], list[float]]:
    """Send moves; when the POST that led to which ply of which game was begun, and how long each took."""
    parts, rng = urlsplit(url), random.Random(1)
    queues = [iter(posts) for posts in plan]
    sent: dict[tuple[str, int], float] = {}
    took: list[float] = []
    with closing(HTTPConnection(parts.hostname or "", parts.port, timeout=30)) as connection:
        begun = time.perf_counter()
        for number in range(MOVES):
            time.sleep(max(0.0, begun + number / MOVES_A_SECOND - time.perf_counter()))
            post = next(rng.choice(queues), None)
            if post is None:
                continue  # that game is over
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {post['token']}"}
            at = time.perf_counter()
            connection.request("POST", post["path"], json.dumps(post["body"]), headers)
            answer = connection.getresponse()
            body = answer.read()
            took.append(time.perf_counter() - at)
            if answer.status != 201:
                raise RuntimeError(f"refused: {answer.status} {body[:300]!r}")
            sent[post["path"].split("/")[4], post["body"]["ply"] + 1] = at
    return sent, took
