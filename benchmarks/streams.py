"""Thousands of open streams on one server: how soon each hears of a move, and what a stream costs.

Streams are spread evenly over games of four players, five for each seat, each with the token of its player; moves come
one after the other, in some of these games. They are opened and read by one process of its own. An
event counts from when the POST of its move was begun; of a hidden draw those alone hear who made it.
`python -m benchmarks.streams 1000 10000` takes other numbers of streams, `ULM_DATABASE_URL` another database.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.http import ROOT, SEATS, Server, Tables, serving
from benchmarks.timing import duration, machine, percentile, progress, progress_done, table

STREAMS = (1000, 5000)
A_SEAT = 5
PLAYED = 20
"""Games in which moves are played."""
MOVES, MOVES_A_SECOND = 400, 20
IDLE_SECONDS = 20.0
"""For what streams cost while nothing happens: more than a heartbeat for each."""


def run(numbers: tuple[int, ...] = STREAMS) -> None:
    """Measure and print the table."""
    head = ("", "events", "p50", "p95", "p99", "worst", "POST p95", "opened in", "memory a stream")
    rows = [(*head, "CPU idle", "CPU played", "load")]
    for number in numbers:
        progress(f"{number} streams")
        found = measure(number)
        events, posts = sorted(found["events"]), sorted(found["posts"])
        rows.append(
            (
                f"{number} streams",
                str(len(events)),
                *(duration(percentile(events, percent)) for percent in (50, 95, 99)),
                duration(events[-1]),
                duration(percentile(posts, 95)),
                duration(found["opened"]),
                f"{found['memory'] / number / 1024:.1f} KiB",
                f"{found['idle']:.0%}",
                f"{found['busy']:.0%}",
                f"{os.getloadavg()[0]:.1f}",
            )
        )
    progress_done()
    table(
        f"Open streams ({os.cpu_count()} cores, {MOVES_A_SECOND} moves/s, CPU of the server in parts of a core)", rows
    )


def measure(streams: int) -> dict[str, Any]:
    """Open so many, and play: `{events, posts: [seconds], opened: seconds, memory: bytes, idle, busy: cores}`."""
    with tempfile.TemporaryDirectory(prefix="ulm-bench-") as folder, ExitStack() as stack:
        address = os.environ.get("ULM_DATABASE_URL", "")
        variables = {
            "ULM_PORT": "0", "ULM_DATA_DIR": folder, "ULM_DATABASE_URL": address, "ULM_EXAMPLE": "off",
            "ULM_LOG_LEVEL": "WARNING", "ULM_ACCOUNTS_PER_HOUR": "10000", "ULM_STREAM_SECONDS": "3600",
            "ULM_STREAMS": "15000", "ULM_LIMITS_PERCENT": "1000000",
        }  # fmt: skip
        server = stack.enter_context(serving(["server.cli", "serve"], variables))
        tables = stack.enter_context(closing(Tables(server.url, address or Path(folder) / "ulm.sqlite3")))
        games = max(1, streams // (SEATS * A_SEAT))
        plan = tables.plan(min(games, PLAYED), 1)
        played = [posts[0]["path"].split("/")[4] for posts in plan]
        quiet = [tables.open_game() for _ in range(games - len(played))]
        paths = [(f"/api/v1/games/{game}/events", token) for game in played + quiet for token in tables.tokens]
        wanted = [paths[number % len(paths)] for number in range(streams)]
        time.sleep(2)  # for what the games began
        before, begun = resident(server), time.perf_counter()
        parts = urlsplit(server.url)
        with subprocess.Popen(
            [sys.executable, "-m", "benchmarks.stream_listener"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as listener:
            assert listener.stdin is not None
            assert listener.stdout is not None
            job = {"host": parts.hostname, "port": parts.port, "streams": wanted}
            print(json.dumps(job), file=listener.stdin, flush=True)
            if listener.stdout.readline() != "ready\n":
                raise RuntimeError("the streams did not begin")
            opened = time.perf_counter() - begun
            idle = _share(server, lambda: time.sleep(IDLE_SECONDS))
            memory = resident(server) - before
            results: list[Any] = []
            busy = _share(server, lambda: results.extend(play(server.url, plan)))
            time.sleep(2)  # for the last events
            listener.stdin.close()
            heard = json.loads(listener.stdout.readline())
    sent, posts = results
    events = [when - sent[game, ply] for game, ply, when in heard if (game, ply) in sent]
    return {"events": events, "posts": posts, "opened": opened, "memory": memory, "idle": idle, "busy": busy}


def resident(server: Server) -> int:
    """The bytes of memory that the server holds, where the system has `/proc`."""
    fields = Path(f"/proc/{server.pid}/statm").read_text("ascii").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


def _share(server: Server, meanwhile: Any) -> float:
    cpu, begun = server.cpu_seconds(), time.perf_counter()
    meanwhile()
    return (server.cpu_seconds() - cpu) / (time.perf_counter() - begun)


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


if __name__ == "__main__":
    print(machine())
    run(tuple(map(int, sys.argv[1:])) or STREAMS)
