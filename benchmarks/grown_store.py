"""`python -m benchmarks.grown_store --games N`: a database as a server has it after years, to see what becomes slow.

A few games of the apprentice are played to their ends, on the real engine; then they are stored again and again under
other ids, among players of whom most have a dozen games and some have one, over five years. One in sixty is still under
way, one in a hundred waits for players, one in ten is private. Every game replays to its stored position: `ulm verify`
finds nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from tqdm import tqdm

from bots.rules_of_thumb import play_steady
from server.engine import record, rulesets, seeds
from server.engine.canonical import canonical_json
from server.engine.ulm1.notation import format_move
from server.storage.database import Store, open_database
from server.storage.migrate import migrate
from server.storage.models import utc

YEARS = timedelta(days=5 * 365)
END = datetime(2026, 1, 1, tzinfo=UTC)
TEMPLATES = 24
BATCH = 500
MOST_RUNNING_PLY = 60
HEAVY_SHARE = 50
"""One game in so many has the one player with the most games at the table."""

_RULES = rulesets.NEWEST
_GAME = (
    "tower", "rotate_start", "winner_total",
    "id", "name", "title", "status", "ruleset", "options", "seats", "private", "server_seed", "commitment", "ply",
    "public_ply", "to_move", "version", "result", "origin", "created_at", "started_at", "finished_at", "unplayed",
)  # fmt: skip
_SEAT = ("game_id", "seat", "player_id", "name", "client_seed", "timeouts", "autopilot", "wants_pause", "won")
_MOVE = ("game_id", "ply", "seat", "move", "played_at", "automatic")
_SNAPSHOT = ("game_id", "ply", "state")
_PLAYER = ("id", "name", "preferences", "created_at", "link_epoch", "stored_bytes")


class Template(NamedTuple):
    """A game that was played: its moves, its position after `MOST_RUNNING_PLY` of them and at its end."""

    seats: int
    options: dict[str, bool]
    moves: list[tuple[int, str]]
    running: str
    running_seat: int
    finished: str
    result: str
    winners: list[int]
    total: int


class Sizes(NamedTuple):
    """What was made."""

    games: int
    moves: int
    players: int


def grow(store: Store, games: int, logs: bool = True) -> Sizes:
    """Fill a migrated, empty database with so many games, with or without their logs. The same number makes the same
    rows."""
    rng = random.Random(games)
    templates = [_play(number) for number in range(TEMPLATES)]
    people = [f"p{number:09d}" for number in range(max(4, games // 4))]
    born = utc(END - YEARS)
    _put(store, "player", _PLAYER, [(one, f"Player {one[1:]}", "{}", born, 0, 0) for one in people])
    stored = 0
    with tqdm(total=games, unit=" games", disable=None) as bar:
        for first in range(0, games, BATCH):
            rows = [
                _rows(number, games, templates[number % TEMPLATES], people, rng)
                for number in range(first, min(first + BATCH, games))
            ]
            _put(store, "game", _GAME, [one.game for one in rows])
            _put(store, "seat", _SEAT, [seat for one in rows for seat in one.seats])
            if logs:
                _put(store, "move", _MOVE, [move for one in rows for move in one.moves])
            _put(
                store,
                "snapshot",
                ("game_id", "ply", "state"),
                [one.snapshot for one in rows if one.snapshot is not None],
            )
            stored += sum(len(one.moves) for one in rows) if logs else 0
            bar.update(len(rows))
    with store.connection() as database:
        database.execute_sql("ANALYZE")
    return Sizes(games, stored, len(people))


class _Rows(NamedTuple):
    game: tuple[object, ...]
    seats: list[tuple[object, ...]]
    moves: list[tuple[object, ...]]
    snapshot: tuple[object, ...] | None


def _rows(number: int, games: int, template: Template, people: Sequence[str], rng: random.Random) -> _Rows:
    game = hashlib.sha256(b"%d" % number).hexdigest()[:12]
    began = END - YEARS + YEARS * number / games
    status = "open" if number % 100 == 99 else "running" if number % 60 == 59 else "finished"
    moves = {"open": [], "running": template.moves[:MOST_RUNNING_PLY], "finished": template.moves}[status]
    ended = began + timedelta(hours=rng.randrange(2, 400))
    chosen = _people(people, template.seats, number, rng)
    ply = len(moves)
    running = status == "running"
    at = utc(began)
    over = status == "finished"
    row = (
        template.options["tower"], template.options["rotate_start"], template.total if over else None, game, "", "game",
        status, _RULES.name, canonical_json(template.options), template.seats, number % 10 == 9, _SERVER_SEED.hex(),
        seeds.commitment(_SERVER_SEED), ply, ply, template.running_seat if running else None, ply,
        template.result if over else None, "played", at, None if status == "open" else at,
        utc(ended) if over else None, False,
    )  # fmt: skip
    free = template.seats - 1 if status == "open" else template.seats
    names = [f"Player {one[1:]}" for one in chosen]
    seats: list[tuple[object, ...]] = [
        (
            game,
            seat,
            player,
            names[seat],
            _CLIENT_SEED,
            0,
            False,
            False,
            over and seat in template.winners,
        )
        if seat < free
        else (game, seat, None, None, "", 0, False, False, False)
        for seat, player in enumerate(chosen)
    ]
    snapshot = None if status == "open" else (game, ply, template.running if running else template.finished)
    return _Rows(
        row, seats, [(game, ply, seat, move, at, False) for ply, (seat, move) in enumerate(moves, 1)], snapshot
    )


def _people(people: Sequence[str], seats: int, number: int, rng: random.Random) -> list[str]:
    """Who plays: now and then the first of all, else some of those who play about this time; the last one but once."""
    chosen = [people[0]] if number % HEAVY_SHARE == 0 else []
    if number == 1:
        chosen = [people[-1]]
    while len(chosen) < seats:
        one = people[rng.randrange(1, len(people) - 1)]
        if one not in chosen:
            chosen.append(one)
    return chosen


_SERVER_SEED = bytes(range(32))
_CLIENT_SEED = "grown"


def _play(number: int) -> Template:
    seats = 2 + number % 3
    options = {"rotate_start": number % 4 == 3, "tower": number % 2 == 1}
    rng = random.Random(number)
    state = _RULES.new_game(seeds.game_seed(_SERVER_SEED, [_CLIENT_SEED] * seats), seats, options)
    moves: list[tuple[int, str]] = []
    running, running_seat = "", 0
    while (seat := state.active) is not None:
        if state.ply == MOST_RUNNING_PLY:
            running, running_seat = state.canonical_json(), seat
        move = play_steady(_RULES.view(state, seat), _RULES.legal_moves(state), rng)
        moves.append((seat, format_move(move)))
        state = _RULES.apply(state, seat, move).state
    result = record.result_of(state)
    assert result is not None
    winners = result["winners"]
    total = result["scores"][winners[0]]["total"]
    return Template(
        seats, options, moves, running, running_seat, state.canonical_json(), canonical_json(result), winners, total
    )


def _put(store: Store, table: str, columns: Sequence[str], rows: Sequence[tuple[object, ...]]) -> None:
    mark = "?" if store.is_sqlite else "%s"
    names = ", ".join(f'"{name}"' for name in columns)
    statement = f"INSERT INTO {table} ({names}) VALUES ({', '.join([mark] * len(columns))})"  # noqa: S608 - of ours
    with store.write(power_cut_safe=False):
        store.database.cursor().executemany(statement, rows)


def main() -> None:
    """Make such a database at an address: `sqlite:///grown.sqlite3` or one of PostgreSQL, empty."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grown_store", description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--database", default="sqlite:///grown.sqlite3", metavar="ADDRESS")
    args = parser.parse_args()
    store = open_database(args.database, 1)
    migrate(store)
    sizes = grow(store, args.games)
    store.close()
    print(f"{sizes.games} games, {sizes.moves} moves, {sizes.players} players")


if __name__ == "__main__":
    main()
