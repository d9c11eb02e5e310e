"""`python -m benchmarks growth`: what lists and moves cost as the store grows.

For each of `SIZES` (or `--sizes`) a database is made (`grown_store.py`), and the same requests are asked of one WSGI
application, without sockets: as a stranger, as a newcomer with one game, and as the player with the most games, whose
lists fill their first page in a store of any size. Of each the median is shown, and how many times that of the smallest
store it is: by the clock, and in time of this process on the processor, which on SQLite is all the work and on
PostgreSQL but ours.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from flask.testing import FlaskClient

from benchmarks import grown_store
from benchmarks.timing import duration, progress, progress_done, table
from server.app import create_app
from server.service.accounts import players, sessions, tokens
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store, open_database
from server.storage.migrate import migrate

SIZES = (100, 10_000, 1_000_000)
ROUNDS = 15
OLDEST = hashlib.sha256(b"0").hexdigest()[:12]
"""The first game of every such store: over and archived."""

REQUESTS = (
    ("first page, stranger", "", "/"),
    ("first page, one game", "newcomer", "/"),
    ("first page, most games", "heavy", "/"),
    ("what is over, most games", "heavy", "/?list=over"),
    ("GET /games, stranger", "", "/api/v1/games"),
    ("GET /games, one game", "newcomer", "/api/v1/games"),
    ("GET /games?status=running", "", "/api/v1/games?status=running"),
    ("GET /games?player=me, one game", "newcomer", "/api/v1/games?player=me"),
    ("GET /games?player=me, most games", "heavy", "/api/v1/games?player=me"),
    ("GET /games?page=50&page_size=2", "", "/api/v1/games?page=50&page_size=2"),
    ("GET /replays", "", "/api/v1/replays"),
    ("GET /replays?winner=me, one game", "newcomer", "/api/v1/replays?winner=me"),
    ("GET /replays?winner=me, most games", "heavy", "/api/v1/replays?winner=me"),
    ("GET /replays?tower=true&seats=4", "", "/api/v1/replays?tower=true&seats=4"),
    ("GET /replays?score_min=200", "", "/api/v1/replays?score_min=200"),
    ("GET /replays?from=2021-03-01&to=2021-03-02", "", "/api/v1/replays?from=2021-03-01&to=2021-03-02"),
    ("GET /replays?from=2022-03-01&to=2024-03-01", "", "/api/v1/replays?from=2022-03-01&to=2024-03-01"),
    ("statistics", "", "/api/v1/replays/statistics"),
    ("statistics of advanced games", "", "/api/v1/replays/statistics?tower=true"),
    ("statistics of some years and days", "", "/api/v1/replays/statistics?from=2021-02-03&to=2025-06-07"),
    ("statistics of much scored", "", "/api/v1/replays/statistics?score_min=40"),
    ("statistics of one game's player", "newcomer", "/api/v1/replays/statistics?player=me"),
    ("log of an archived game", "", f"/api/v1/games/{OLDEST}/moves"),
    ("record of an archived game", "", f"/api/v1/replays/{OLDEST}/record"),
)
"""Name, who asks, address."""


class Took(NamedTuple):
    """Medians of one request, in seconds."""

    clock: float
    processor: float


def run(sizes: Sequence[int] = SIZES, address: str | None = None) -> None:
    """Print the table. `address` has `{games}` in it; without one stores are made in a temporary directory."""
    with tempfile.TemporaryDirectory() as folder:
        place = address or f"sqlite:///{folder}/{{games}}.sqlite3"
        columns = [times(place.replace("{games}", str(size)), size) for size in sizes]
    progress_done()
    show(sizes, columns)


def show(sizes: Sequence[int], columns: list[list[Took]]) -> None:
    """Print the seconds of `REQUESTS` for each of the sizes."""
    for title, kind in (("by the clock", 0), ("on the processor", 1)):
        rows = [("", *(f"{size:,} games".replace(",", " ") for size in sizes), "last by first")]
        for number, (name, _, _) in enumerate(REQUESTS):
            found = [column[number][kind] for column in columns]
            rows.append((name, *map(duration, found), f"{found[-1] / found[0]:.1f}"))
        table(f"Lists in a store that grows, {title}", rows)


def times(address: str, games: int) -> list[Took]:
    """What each of `REQUESTS` takes in a store of so many games, made at the address where it is not there yet."""
    progress(f"a store of {games} games")
    store = open_database(address, 2)
    migrate(store)
    if not _is_grown(store):
        grown_store.grow(store, games)
    people = {"newcomer": _sign_in(store, "DESC"), "heavy": _sign_in(store, "ASC")}
    limits = {"limits_percent": 10**6}
    with tempfile.TemporaryDirectory() as folder:
        client = create_app(replace(Settings(), data_dir=Path(folder), base_url="http://localhost", **limits), store)
        found = [_median(client.test_client(), path, people.get(who)) for _, who, path in REQUESTS]
    store.close()
    return found


def _is_grown(store: Store) -> bool:
    with store.read():
        return sql.row(store, "SELECT 1 FROM game LIMIT 1") is not None


def _sign_in(store: Store, order: str) -> tuple[str, str]:
    """A token and a session of the last player (who has one game) or the first (who has the most)."""
    with store.read():
        found = sql.row(store, f"SELECT id FROM player ORDER BY id {order} LIMIT 1")  # noqa: S608 - of ours
        assert found is not None
        player = players.player_by_id(store, found[0])
    moment = datetime.now(UTC)
    assert player is not None
    token = tokens.create(store, player, "", moment)["token"]
    return token, sessions.new_session(store, player.id, moment, fresh=True)


def _median(client: FlaskClient, path: str, person: tuple[str, str] | None) -> Took:
    headers = {}
    if person is not None:
        headers = {"Authorization": f"Bearer {person[0]}"}
        client.set_cookie("ulm_session", person[1])
    took = []
    for _ in range(ROUNDS):
        began, worked = time.perf_counter(), time.process_time()
        answer = client.get(path, headers=headers)
        took.append((time.perf_counter() - began, time.process_time() - worked))
        if answer.status_code != 200:
            raise RuntimeError(f"{path} answers {answer.status_code}: {answer.text[:200]}")
    clock, processor = zip(*took, strict=True)
    return Took(statistics.median(clock), statistics.median(processor))


def main() -> None:
    """Print the table for other sizes, or another place."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N")
    parser.add_argument("--database", metavar="ADDRESS", help="with {games} in it: stores that are there, or are made")
    args = parser.parse_args()
    run(args.sizes, args.database)


if __name__ == "__main__":
    main()
