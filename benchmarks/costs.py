"""What a move costs a site on PostgreSQL: statements, time of the processor here and there, log, bytes that stay.

One WSGI application in this process, without sockets, on a PostgreSQL of its own with fsync. Random games of two are
played to their ends by the API; at every ply the JSON of the game is asked for as well, at every fourth its page by a
spectator. docs/scaling.md reckons with these figures.
"""

from __future__ import annotations

import logging
import os
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from benchmarks import signals
from benchmarks.timing import duration, progress, progress_done, table
from server.app import create_app
from server.service.archive import archived_logs
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store, open_database
from server.storage.migrate import migrate
from tests.live import GENEROUS
from tests.postgres import Cluster, NoPostgresError, recreate_database, url

GAMES = 40
PAGE_EVERY = 4
DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "autovacuum": "on"}
MOVE, VIEW, PAGE = "POST …/moves", "GET /api/v1/games/ID", "page of a game, spectator"
_TICK = os.sysconf("SC_CLK_TCK")


class Counted(logging.Handler):
    """Counts what peewee sends to the database, beginnings and ends of transactions apart."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.statements = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count one."""
        text = str(record.args or record.msg).lstrip("('\"").upper()
        self.statements += not text.startswith(("BEGIN", "COMMIT", "ROLLBACK"))


def run() -> None:
    """Measure and print the tables."""
    with tempfile.TemporaryDirectory(prefix="ulm-costs-") as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may run as somebody else
        home = folder / "postgresql"
        home.mkdir()
        try:
            cluster = Cluster(home, home / "data", **DURABLE)
            cluster.initialise()
            cluster.start()
        except NoPostgresError as error:
            print(f"\nno PostgreSQL here: {error}")
            return
        stack.callback(cluster.stop)
        recreate_database(home, "costs")
        store = open_database(url(home, "costs"), threads=2)
        stack.callback(store.close)
        migrate(store)
        settings = Settings(
            database_url="postgresql://unused/x", data_dir=folder, example=False, accounts_per_hour=1000, **GENEROUS
        )  # type: ignore[arg-type]
        client = create_app(settings, store).test_client()
        signals.measure(store, client, url(home, "costs"))
        _measure(store, client, int((home / "data" / "postmaster.pid").read_text("ascii").split()[0]))


def _measure(store: Store, client: FlaskClient, postmaster: int) -> None:
    counted = Counted()
    logger = logging.getLogger("peewee")
    logger.addHandler(counted)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    spent: dict[str, list[tuple[int, float, float]]] = defaultdict(list)

    @contextmanager
    def measured(what: str) -> Iterator[None]:
        before, began, clock = counted.statements, time.thread_time(), time.perf_counter()
        yield
        used = time.thread_time() - began
        spent[what].append((counted.statements - before, used, time.perf_counter() - clock))

    sizes, wal, behind = _sizes(store), _wal(store), _ticks(postmaster)
    moves = 0
    for number in range(GAMES):
        progress(f"game {number + 1} of {GAMES}")
        moves += _play(client, random.Random(number), measured)
    progress_done()
    written, there = _wal(store) - wal, (_ticks(postmaster) - behind) / _TICK
    logger.removeHandler(counted)
    table(
        f"{GAMES} random games of two on PostgreSQL, {moves} moves, in one process without sockets "
        f"({os.cpu_count()} cores, load {os.getloadavg()[0]:.1f})",
        [
            ("", "requests", "statements", "processor, median", "mean", "clock, median"),
            *(
                (
                    what,
                    str(len(each)),
                    f"{statistics.mean(one[0] for one in each):.1f}",
                    duration(statistics.median(one[1] for one in each)),
                    duration(statistics.mean(one[1] for one in each)),
                    duration(statistics.median(one[2] for one in each)),
                )
                for what, each in spent.items()
            ),
        ],
    )
    requests = sum(map(len, spent.values()))
    print(f"\nPostgreSQL's own processes: {duration(there / requests)} of the processor for each of these requests")
    print(f"write-ahead log: {written / moves:.0f} bytes a move")
    _tell_bytes(store, sizes, moves)


def _play(client: FlaskClient, rng: random.Random, measured: Callable[[str], Any]) -> int:
    def call(method: str, path: str, token: str, data: object = None) -> Any:
        answer = client.open(
            f"/api/v1{path}", method=method, json=data, headers={"Authorization": f"Bearer {token}"} if token else {}
        )
        assert answer.status_code < 300, answer.text
        return answer.json

    tokens = [call("POST", "/players", "", {"name": f"Seat {seat}"})["token"] for seat in range(2)]
    game = call("POST", "/games", tokens[0], {"seats": 2})["id"]
    active = call("POST", f"/games/{game}/players", tokens[1], {})["to_move"]
    moves = 0
    while active is not None:
        legal = call("GET", f"/games/{game}/legal-moves", tokens[active])
        body = {"ply": legal["ply"], "moves": [rng.choice(legal["moves"])]}
        with measured(MOVE):
            answer = call("POST", f"/games/{game}/moves", tokens[active], body)
        active, moves = answer["view"]["active"], moves + 1
        with measured(VIEW):
            call("GET", f"/games/{game}", tokens[0])
        if moves % PAGE_EVERY == 0:
            with measured(PAGE):
                page = client.get(f"/games/{game}")
            assert page.status_code == 200
    return moves


def _tell_bytes(store: Store, before: dict[str, int], moves: int) -> None:
    played = _sizes(store)
    # A year is long enough for every game; the newest stays in rows.
    archived_logs.archive(store, datetime.now(UTC) + timedelta(days=365), GAMES)
    for name in played:
        with store.connection() as database:
            database.execute_sql(f'VACUUM FULL "{name}"')
    after = _sizes(store)
    grown = {name: (played[name] - before[name], after[name] - before[name]) for name in played}
    kept = [(name, *both) for name, both in grown.items() if max(both) > moves]
    total = [sum(each[place] for each in kept) for place in (1, 2)]
    table(
        "Bytes with indexes, of all these games",
        [
            ("table", "played", "a move", "archived and packed tight", "a move"),
            *((name, str(one), f"{one / moves:.0f}", str(two), f"{two / moves:.0f}") for name, one, two in kept),
            ("all", str(total[0]), f"{total[0] / moves:.0f}", str(total[1]), f"{total[1] / moves:.0f}"),
        ],
    )


def _sizes(store: Store) -> dict[str, int]:
    with store.read():
        found = sql.rows(store, "SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables")
    return {str(name): int(size) for name, size in found}


def _wal(store: Store) -> int:
    with store.read():
        (found,) = sql.row(store, "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn") or (0,)
    return int(found)


def _ticks(postmaster: int) -> int:
    """What the server's processes that live now have used of the processor."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("ascii", "replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        if int(fields[1]) == postmaster or stat.parent.name == str(postmaster):
            total += int(fields[11]) + int(fields[12])
    return total
