"""`python -m benchmarks rates`: moves a second, of everybody who stores moves, in one run.

The server on SQLite and on PostgreSQL, beside the bare insert (`bare_app`) behind the
same server. Eight clients with a game each. The lines take turns; rounds are added up. Where PostgreSQL's programs are
not there it is left out, and said.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from benchmarks.http import CLIENTS, THREADS, WARM_UP, Server, Tables, load, serving, settings
from benchmarks.timing import duration, percentile, progress, progress_done, table
from tests.postgres import Cluster, NoPostgresError, recreate_database, url

ROUNDS = 3
BARE_POSTS = 600
"""For each client in a round: as many as the moves of a long game."""
STATE_BYTES = 2600
"""As large as a state of four players is as JSON, in the middle of a game."""
SAFE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "autovacuum": "on"}
"""What the tests' PostgreSQL does without, and players cannot."""

Figures = dict[str, Any]
Line = tuple[str, Callable[[int], Figures]]
"""A line of the table: its name, and what measures a round of that number."""


def run() -> None:
    """Measure and print the table."""
    missing: list[str] = []
    with tempfile.TemporaryDirectory(prefix="ulm-bench-") as folder, ExitStack() as stack:
        lines = _on_sqlite(Path(folder), stack)
        try:
            lines += _on_postgresql(Path(folder), stack)
        except NoPostgresError as error:
            missing.append(f"PostgreSQL: {error}")
        found: dict[str, list[Figures]] = {name: [] for name, _ in lines}
        for number in range(1, ROUNDS + 1):
            for name, measure in lines:
                progress(f"rates, round {number} of {ROUNDS}: {name}")
                found[name].append(measure(number))
    progress_done()
    _report(found)
    for line in missing:
        print(f"  left out: {line}")


def _on_sqlite(folder: Path, stack: ExitStack) -> list[Line]:
    lines = [("bare insert, SQLite", _bare(stack, f"sqlite:///{folder}/bare.sqlite3"))]
    own = folder / "sqlite"
    own.mkdir()
    return [*lines, _ours(stack, "SQLite", settings(str(own)), own / "ulm.sqlite3")]


def _on_postgresql(folder: Path, stack: ExitStack) -> list[Line]:
    home = folder / "postgresql"
    folder.chmod(0o755)  # PostgreSQL may run as somebody else
    home.mkdir()
    cluster = Cluster(home, home / "data", **SAFE)
    cluster.initialise()
    cluster.start()
    stack.callback(cluster.stop)
    for name in ("bare", "ours"):
        recreate_database(home, name)
    own = folder / "postgresql-data"
    own.mkdir()
    variables = settings(str(own)) | {"ULM_DATABASE_URL": url(home, "ours")}
    return [
        ("bare insert, PostgreSQL", _bare(stack, url(home, "bare"))),
        _ours(stack, "PostgreSQL", variables, url(home, "ours")),
    ]


def _ours(stack: ExitStack, database: str, variables: dict[str, str], stored: Path | str) -> Line:
    server = stack.enter_context(serving(["server.cli", "serve"], variables))
    tables = stack.enter_context(closing(Tables(server.url, stored)))
    load(server, [tables.plan(1, 0)[0][:WARM_UP]])
    return (
        f"POST of a move, {database}",
        lambda number: load(server, tables.plan(CLIENTS, number)),
    )


def _bare(stack: ExitStack, database: str) -> Callable[[int], Figures]:
    server: Server = stack.enter_context(serving(["benchmarks.bare_app", database, str(THREADS)], {}))

    def posts(game: str, number: int) -> list[dict[str, Any]]:
        path = f"/games/{game}/moves"
        return [{"path": path, "token": None, "body": {"ply": ply, "moves": ["push N1"]}} for ply in range(number)]

    load(server, [posts("warm", WARM_UP)])
    return lambda number: load(server, [posts(f"{number}-{client}", BARE_POSTS) for client in range(CLIENTS)])


def _report(found: dict[str, list[Figures]]) -> None:
    rows = [("", "POSTs", "rate", "p50", "p95", "worst", "server CPU", "of the bare insert's rate", "times its CPU")]
    bare = (1.0, 1.0)
    for name, rounds in found.items():
        latencies = sorted(latency for each in rounds for latency in each["latencies"])
        count = len(latencies)
        seconds, cpu = (sum(each[key] for each in rounds) / count for key in ("seconds", "cpu"))
        if name.startswith("bare"):
            bare = seconds, cpu
        compared = (f"{bare[0] / seconds:.2f}", f"{cpu / bare[1]:.2f}") if "POST" in name else ("", "")
        figures = (duration(percentile(latencies, 50)), duration(percentile(latencies, 95)), duration(latencies[-1]))
        rows.append((name, str(count), f"{1 / seconds:,.0f}/s".replace(",", " "), *figures, duration(cpu), *compared))
    table(f"Moves from {CLIENTS} clients with a game each, everything on one machine", rows)
