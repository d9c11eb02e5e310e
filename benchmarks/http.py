"""A POST of one move against the least that can store one (`bare_app`), one client and eight.

Both servers are processes of their own on the loopback device, with as many threads and an SQLite file each; the load
comes from a third process. What is posted was played out beforehand: the server under test tells a seed to nobody, so
it is read from the database file, which is ours. Nothing but POSTs of moves is sent while the clock runs.
"""

from __future__ import annotations

import json
import os
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from benchmarks.timing import duration, percentile, progress, progress_done, table
from server.engine import seeds
from server.engine.ulm2 import RULES

ROOT = Path(__file__).parent.parent
THREADS = 8
CLIENTS = 8
SEATS, OPTIONS = 4, {"tower": True, "rotate_start": False}
ROUNDS = 3  # each has a game of its own for each client; the rounds of both servers alternate
SECONDS = 20  # for a round, at most
WARM_UP = 40  # POSTs

Plan = list[list[dict[str, Any]]]  # for each client: its POSTs


class Server(NamedTuple):
    """A running server, by the process that was started."""

    url: str
    pid: int

    def cpu_seconds(self) -> float:
        """The processor time that it and the processes it began have used, threads and the kernel's work for them
        included; nan off Linux."""
        try:
            return sum(_cpu_seconds(pid) for pid in _family(self.pid))
        except OSError:
            return float("nan")


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _family(pid: int) -> list[int]:
    children = [
        int(child) for listed in Path(f"/proc/{pid}/task").glob("*/children") for child in listed.read_text().split()
    ]
    return [pid, *(member for child in children for member in _family(child))]


@contextmanager
def serving(command: list[str], variables: dict[str, str]) -> Iterator[Server]:
    """Run a server process and stop it at the end. Raises `RuntimeError` when it does not start."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ULM_")} | variables
    with subprocess.Popen(  # noqa: S603 - our own modules
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Server(_address(process), process.pid)
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"listens on (http://\S+)", line):
            return found[1]
    raise RuntimeError(f"{process.args!r} did not start")


def load(server: Server, plan: Plan) -> dict[str, Any]:
    """Send the POSTs from a process of their own and return its figures. Raises `RuntimeError` when one is refused."""
    parts, cpu = urlsplit(server.url), server.cpu_seconds()
    job = {"host": parts.hostname, "port": parts.port, "seconds": SECONDS, "clients": plan}
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load"],
        cwd=ROOT,
        input=json.dumps(job),
        text=True,
        stdout=subprocess.PIPE,
        check=True,
        timeout=SECONDS + 60,
    )
    figures: dict[str, Any] = json.loads(done.stdout)
    if figures["refused"]:
        raise RuntimeError(f"refused: {figures['refused'][0]}")
    figures["cpu"] = server.cpu_seconds() - cpu
    return figures


class Tables:
    """Games on a running server whose every move is known beforehand."""

    def __init__(self, url: str, database: Path | str) -> None:
        """`database` is a file of SQLite, or the address of a PostgreSQL server's."""
        parts = urlsplit(url)
        self._connection = HTTPConnection(parts.hostname or "", parts.port, timeout=30)
        self._database = database
        self.tokens = [self._call("POST", "/players", None, {"name": f"Seat {seat}"})["token"] for seat in range(SEATS)]
        for token in self.tokens:  # a draw that the server makes would be missing from the plan
            self._call("PATCH", "/players/me", token, {"preferences": {"auto_draw": False}})

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def plan(self, games: int, seed: int) -> Plan:
        """Open games and return the POSTs that play each of them to its end at random."""
        self._connection.close()  # the server has, if nothing was asked for long; the next call opens it again
        return [self._play_out(random.Random(f"{seed}/{number}")) for number in range(games)]

    def open_game(self) -> str:
        """Open a game at which all sit, and return its id."""
        first, *others = self.tokens
        game: str = self._call("POST", "/games", first, {"seats": SEATS, "options": OPTIONS})["id"]
        for token in others:
            self._call("POST", f"/games/{game}/players", token, {})
        return game

    def _secret(self, game: str) -> str:
        if isinstance(self._database, Path):
            with closing(sqlite3.connect(self._database)) as file:
                return str(file.execute("SELECT server_seed FROM game WHERE id = ?", (game,)).fetchone()[0])
        import psycopg

        with psycopg.connect(self._database) as server:
            return str(server.execute("SELECT server_seed FROM game WHERE id = %s", (game,)).fetchall()[0][0])

    def _play_out(self, rng: random.Random) -> list[dict[str, Any]]:
        game = self.open_game()
        state = RULES.new_game(seeds.game_seed(bytes.fromhex(self._secret(game)), [""] * SEATS), SEATS, OPTIONS)
        posts = []
        while state.active is not None:
            move = rng.choice(state.rules.legal_moves(state))
            body = {"ply": state.ply, "moves": [" ".join(move)]}
            posts.append({"path": f"/api/v1/games/{game}/moves", "token": self.tokens[state.active], "body": body})
            state.rules.advance(state, move, [])
        return posts

    def _call(self, method: str, path: str, token: str | None, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self._connection.request(method, "/api/v1" + path, json.dumps(body), headers)
        response = self._connection.getresponse()
        data: dict[str, Any] = json.loads(response.read())
        if response.status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {response.status} {data}")
        return data


def bare_plan(plan: Plan) -> Plan:
    """Return the same bodies for the bare app."""
    return [[{**post, "path": post["path"].removeprefix("/api/v1"), "token": None} for post in posts] for posts in plan]


def settings(folder: str) -> dict[str, str]:
    """The variables of a server under test, which keeps all it has in `folder`."""
    return {
        "ULM_PORT": "0",
        "ULM_DATA_DIR": folder,
        "ULM_EXAMPLE": "off",
        "ULM_ANALYSES": "off",  # of the games that are over, by a process of its own: not what a move costs
        "ULM_THREADS": str(THREADS),
        "ULM_LOG_LEVEL": "WARNING",
        "ULM_ACCOUNTS_PER_HOUR": "10000",
        "ULM_LIMITS_PERCENT": "1000000",
    }


def run() -> None:
    """Measure and print the table."""
    results: dict[tuple[str, int], list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory(prefix="ulm-bench-") as folder, ExitStack() as stack:
        ours = stack.enter_context(serving(["server.cli", "serve"], settings(folder)))
        bare = stack.enter_context(
            serving(["benchmarks.bare_app", f"sqlite:///{folder}/bare.sqlite3", str(THREADS)], {})
        )
        tables = stack.enter_context(closing(Tables(ours.url, Path(folder) / "ulm.sqlite3")))
        warm = [tables.plan(1, 0)[0][:WARM_UP]]
        load(ours, warm)
        load(bare, bare_plan(warm))
        for number in range(1, ROUNDS + 1):
            for clients in (1, CLIENTS):
                progress(f"HTTP, round {number} of {ROUNDS}, {clients} clients")
                plan = tables.plan(clients, number)
                results.setdefault(("bare insert", clients), []).append(load(bare, bare_plan(plan)))
                results.setdefault(("POST of a move", clients), []).append(load(ours, plan))
    progress_done()
    _report(results)


def _report(results: dict[tuple[str, int], list[dict[str, Any]]]) -> None:
    rows = [("", "clients", "POSTs", "rate", "mean", "p50", "p95", "worst", "server CPU", "")]
    for clients in (1, CLIENTS):
        costs: list[tuple[float, float, float]] = []
        for name in ("bare insert", "POST of a move"):
            rounds = results[name, clients]
            latencies = sorted(latency for each in rounds for latency in each["latencies"])
            count = len(latencies)
            seconds, cpu = (sum(each[key] for each in rounds) / count for key in ("seconds", "cpu"))
            p50, p95 = percentile(latencies, 50), percentile(latencies, 95)
            costs.append((seconds, p50, cpu))
            note = ""
            if len(costs) == 2:
                ratios = [ours / theirs for theirs, ours in zip(*costs, strict=True)]
                # With eight clients the bare app's median says little: SQLite lets one client run and others starve.
                note = f"times the bare insert: {ratios[0]:.2f} by rate, {ratios[2]:.2f} by CPU"
                note += f", {ratios[1]:.2f} by p50" if clients == 1 else ""
            rows.append(
                (
                    name,
                    str(clients),
                    str(count),
                    f"{1 / seconds:,.0f}/s".replace(",", " "),
                    duration(statistics.fmean(latencies)),
                    duration(p50),
                    duration(p95),
                    duration(latencies[-1]),
                    duration(cpu),
                    note,
                )
            )
    table(
        f"HTTP, uvicorn with {THREADS} threads, SQLite in WAL mode with full synchronisation, "
        f"a game of {SEATS} seats for each client",
        rows,
    )
