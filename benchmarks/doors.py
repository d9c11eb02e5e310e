"""`python -m benchmarks doors`: an honest player's moves while a stranger stands at a door.

Each attack comes from one network, for `SECONDS`, against a server with its usual limits behind a proxy's header; the
player comes from another one and sends some moves a second. The mark is a median of 250 ms.
"""

from __future__ import annotations

import json
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks import streams
from benchmarks.http import Tables, serving, settings
from benchmarks.timing import duration, percentile, progress, progress_done, table

SECONDS = float(os.environ.get("SECONDS", "20"))
NETWORK = "203.0.113.7"
API = "/api/v1"
JSON = {"Content-Type": "application/json", "X-Forwarded-For": NETWORK}
INTS = b"[" + b"1," * 32_700 + b"1]"
VACATION = json.dumps({"ends_at": f"{datetime.now(UTC) + timedelta(days=20):%FT%TZ}"}).encode()
GAME = json.dumps({"seats": 2, "bots": ["apprentice"], "clock": {"turn_hours": 24}}).encode()
GAMES = 24
"""That stand still in a vacation."""


class Stranger:
    """What one connection of an attack does, again and again."""

    def __init__(self, url: str, token: str, replay: str) -> None:
        parts = urlsplit(url)
        self._at = str(parts.hostname), int(parts.port or 80)
        self._headers = JSON | {"Authorization": f"Bearer {token}"}
        self._replay = replay
        self._connection = HTTPConnection(*self._at, timeout=60)

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> bytes:
        self._connection.request(method, API + path, body, JSON | headers)
        return self._connection.getresponse().read()

    def integers(self) -> None:
        self.ask("POST", "/players", INTS)

    def small_integers(self) -> None:
        self.ask("POST", "/players", INTS[:8001] + b"]")

    def exports(self) -> None:
        self.ask("GET", self._export())

    def analyses(self) -> None:
        record = json.loads(self.ask("GET", f"/replays/{self._replay}/record"))
        record["players"][0]["name"] = f"Stranger {time.monotonic_ns()}"
        known = json.loads(self.ask("POST", "/replays", json.dumps(record).encode(), **self._headers))
        self.ask("POST", f"/replays/{known.get('id')}/analysis", b"{}", **self._headers)

    def vacations(self) -> None:
        made = json.loads(self.ask("POST", "/players/me/vacations", VACATION, **self._headers))
        self.ask("DELETE", f"/players/me/vacations/{made.get('id', 1)}", **self._headers)

    def half_headers(self) -> None:
        self._hold(b"GET / HTTP/1.1\r\nHost:")

    def half_bodies(self) -> None:
        head = (
            f"POST {API}/replays HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {NETWORK}\r\nContent-Length: 1800000\r\n\r\n"
        )
        self._hold(head.encode() + b" " * 1_790_000)

    def slow_readers(self) -> None:
        self._hold(_head("GET", self._export()))

    def _export(self) -> str:
        return f"/replays/{self._replay}/export.gif?width={300 + time.monotonic_ns() % 600}"

    def _hold(self, data: bytes) -> None:
        """Send that, then take a byte a second until the server has had enough."""
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.settimeout(60)
            one.connect(self._at)
            one.sendall(data)
            while one.recv(1):
                time.sleep(1)


def _head(method: str, path: str, more: str = "") -> bytes:
    return f"{method} {API}{path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {NETWORK}\r\n{more}\r\n".encode()


DOORS: dict[str, tuple[int, Callable[[Stranger], None]]] = {
    "nobody": (0, Stranger.integers),
    "64 KB of integers": (95, Stranger.integers), "8 KB of integers": (95, Stranger.small_integers),
    "half-sent headers": (500, Stranger.half_headers), "half-sent bodies": (98, Stranger.half_bodies),
    "exports": (20, Stranger.exports), "slow readers": (20, Stranger.slow_readers),
    "vacations": (20, Stranger.vacations), "analyses": (20, Stranger.analyses),
}  # fmt: skip
"""Each attack's connections, and what they do."""


def attack(door: str, url: str, token: str, replay: str) -> None:
    """Do it until this process is ended."""
    number, does = DOORS[door]

    def work() -> None:
        while True:
            with suppress(OSError, HTTPException, ValueError):
                stranger = Stranger(url, token, replay)
                while True:
                    does(stranger)
            time.sleep(0.05)

    for _ in range(number):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(3600)


def run() -> None:
    """Measure and print the table."""
    rows: list[tuple[str, ...]] = [("", "moves", "p50", "p95", "worst", "server's memory", "load")]
    wanted = [name for name in os.environ.get("DOORS", "").split(",") if name] or list(DOORS)
    for door in wanted:
        progress(f"at the door: {door}")
        moves, memory = measure(door)
        figures = [duration(value) for value in (percentile(moves, 50), percentile(moves, 95), moves[-1])]
        rows.append((door, str(len(moves)), *figures, f"{memory / 1e6:.0f} MB", f"{os.getloadavg()[0]:.1f}"))
    progress_done()
    table("An honest player's moves beside a stranger", rows)


def measure(door: str) -> tuple[list[float], int]:
    """How long each move took, shortest first, and the memory that the server holds in the end."""
    with tempfile.TemporaryDirectory(prefix="ulm-bench-") as folder, ExitStack() as stack:
        variables = settings(folder) | {"ULM_LIMITS_PERCENT": "100", "ULM_PROXY_HOPS": "1", "ULM_EXAMPLE": "on"}
        variables |= {"ULM_ANALYSES": "on", "ULM_THREADS": "16"}
        server = stack.enter_context(serving(["server.cli", "serve"], variables))
        tables = stack.enter_context(closing(Tables(server.url, Path(folder) / "ulm.sqlite3")))
        plan = tables.plan(8, 1)
        stranger = Stranger(server.url, "", "")
        token = json.loads(stranger.ask("POST", "/players", b'{"name":"Stranger"}'))["token"]
        replay = json.loads(stranger.ask("GET", "/replays"))[0]["id"]
        for _ in range(GAMES if door == "vacations" else 0):
            stranger.ask("POST", "/games", GAME, Authorization=f"Bearer {token}")
        attacker = get_context("spawn").Process(target=attack, args=(door, server.url, token, replay), daemon=True)
        attacker.start()
        time.sleep(3)
        result: list[float] = []
        end = time.monotonic() + SECONDS
        parts = urlsplit(server.url)
        with closing(HTTPConnection(str(parts.hostname), parts.port, timeout=60)) as connection:
            for post in [post for posts in plan for post in posts]:
                if time.monotonic() > end:
                    break
                began = time.perf_counter()
                headers = {"Content-Type": "application/json", "Authorization": f"Bearer {post['token']}"}
                connection.request("POST", post["path"], json.dumps(post["body"]), headers)
                answer = connection.getresponse()
                said = answer.read()
                if answer.status != 201:
                    raise RuntimeError(f"refused: {answer.status} {said[:300]!r}")
                result.append(time.perf_counter() - began)
                time.sleep(max(0, 0.2 - result[-1]))
        memory = streams.resident(server)
        attacker.terminate()
        attacker.join()
        return sorted(result), memory
