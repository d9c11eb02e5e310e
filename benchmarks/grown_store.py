"""`python -m benchmarks.grown_store --games N`: a database as a server has it after years, to see what becomes slow.

A few games of the apprentice are played to their ends, on the real engine; then they are stored again and again under
other ids, among players of whom most have a dozen games and some have one, over five years. One in sixty is still under
way, one in a hundred waits for players, one in ten is private. What is over for 90 days is archived and all is counted,
as the jobs would have done. Every game replays to its stored position: `ulm verify` finds nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import orjson
from tqdm import tqdm

from bots.rules_of_thumb import play_steady
from replays import stats
from server.engine import record, rulesets, seeds
from server.engine.canonical import canonical_json
from server.engine.ulm1.notation import format_move
from server.service.archive import statistics
from server.service.games import listing_keys, packed_log
from server.service.games.model import LoggedMove
from server.storage import sql
from server.storage.database import Store, open_database
from server.storage.migrate import migrate
from server.storage.times import utc

ARCHIVED_AFTER = timedelta(days=90)
MOVES_MAX = 1000
"""More than a game has: so many numbers of rows each has for itself."""
YEARS = timedelta(days=5 * 365)
END = datetime(2026, 1, 1, tzinfo=UTC)
TEMPLATES = 24
BATCH = 500
MOST_RUNNING_PLY = 60
HEAVY_SHARE = 50
"""One game in so many has the one player with the most games at the table, where that makes `HEAVY_LEAST` of them."""
HEAVY_LEAST = 100
"""In a small store they play more often, so that their lists are full pages in a store of any size, to be compared."""

_RULES = rulesets.NEWEST
_GAME = (
    "tower", "rotate_start", "winner_total",
    "id", "name", "title", "status", "ruleset", "options", "seats", "private", "server_seed", "commitment", "ply",
    "public_ply", "to_move", "version", "result", "origin", "created_at", "started_at", "finished_at", "unplayed",
    "archived", "hints",
)  # fmt: skip
_SEAT = (
    "game_id", "seat", "player_id", "name", "client_seed", "timeouts", "autopilot", "wants_pause", "won",
    "listed", "created_at", "finished_at",
)  # fmt: skip
_MOVE = ("id", "game_id", "ply", "seat", "move", "played_at", "automatic")
_SNAPSHOT = ("game_id", "ply", "state")
_LOG = ("game_id", "version", "moves", "log")
_TALLY = ("game_id", "version", "rows")
_PLAYER = ("id", "name", "preferences", "created_at", "link_epoch", "stored_bytes", "found_as")


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
    counted: str
    """What statistics count, as JSON, with `_NO_ID` for the game's."""


class Sizes(NamedTuple):
    """What was made."""

    games: int
    moves: int
    players: int


def began_at(number: int, games: int) -> datetime:
    """When game `number` of so many began: evenly spread. Days times a number of games are soon too many for a time."""
    return END - YEARS + YEARS * (number / games)


def grow(store: Store, games: int, logs: bool = True) -> Sizes:
    """Fill a migrated, empty database with so many games, with or without their logs. The same number makes the same
    rows."""
    rng = random.Random(games)
    templates = [_play(number) for number in range(TEMPLATES)]
    people = [f"p{number:09d}" for number in range(max(4, games // 4))]
    born = utc(END - YEARS)
    _put(
        store, "player", _PLAYER, [(one, f"Player {one[1:]}", "{}", born, 0, 0, f"player {one[1:]}") for one in people]
    )
    stored = 0
    kinds: Counter[tuple[int, str, str]] = Counter()
    with tqdm(total=games, unit=" games", disable=None) as bar:
        for first in range(0, games, BATCH):
            rows = [
                _rows(number, games, templates[number % TEMPLATES], people, rng, logs)
                for number in range(first, min(first + BATCH, games))
            ]
            _put(store, "game", _GAME, [one.game for one in rows])
            _put(store, "seat", _SEAT, [seat for one in rows for seat in one.seats])
            _put(store, "move", _MOVE, [move for one in rows for move in one.moves])
            _put(store, "archived_log", _LOG, [one.log for one in rows if one.log is not None])
            _put(store, "tally", _TALLY, [one.tally for one in rows if one.tally is not None])
            _put(store, "snapshot", _SNAPSHOT, [one.snapshot for one in rows if one.snapshot is not None])
            for number, one in enumerate(rows, first):
                stored += one.game[_GAME.index("ply")] if logs else 0
                if one.tally is not None:
                    kinds[number % TEMPLATES, *one.ended] += 1
            bar.update(len(rows))
    _add_up(store, templates, kinds)
    with store.connection() as database:
        if not store.is_sqlite:
            database.execute_sql("SELECT setval(pg_get_serial_sequence('move', 'id'), %s)", (games * MOVES_MAX,))
        database.execute_sql("ANALYZE")
    return Sizes(games, stored, len(people))


def _add_up(store: Store, templates: list[Template], kinds: Counter[tuple[int, str, str]]) -> None:
    """Store what all that was counted comes to: so many times each template on each day."""
    more: defaultdict[statistics.Key, stats.Sums] = defaultdict(stats.Sums)
    counted = [stats.sums_of(json.loads(one.counted)) for one in templates]
    for (template, origin, ended), times in kinds.items():
        one = templates[template]
        kind = (origin, one.seats, one.options["tower"], one.options["rotate_start"], ended, one.total)
        statistics.put(more, kind, stats.Sums({name: number * times for name, number in counted[template].items()}))
    with store.write(power_cut_safe=False):
        statistics.change(store, more)


class _Rows(NamedTuple):
    game: tuple[object, ...]
    seats: list[tuple[object, ...]]
    moves: list[tuple[object, ...]]
    snapshot: tuple[object, ...] | None
    log: tuple[object, ...] | None
    tally: tuple[object, ...] | None
    ended: tuple[str, str]
    """Of what origin it is, and when it ended."""


def _rows(number: int, games: int, template: Template, people: Sequence[str], rng: random.Random, logs: bool) -> _Rows:
    game = hashlib.sha256(b"%d" % number).hexdigest()[:12]
    began = began_at(number, games)
    status = "open" if number % 100 == 99 else "running" if number % 60 == 59 else "finished"
    moves = {"open": [], "running": template.moves[:MOST_RUNNING_PLY], "finished": template.moves}[status]
    ended = began + timedelta(hours=rng.randrange(2, 400))
    chosen = _people(people, template.seats, number, games, rng)
    ply = len(moves)
    running = status == "running"
    at = utc(began)
    over = status == "finished"
    archived = logs and over and ended < END - ARCHIVED_AFTER
    numbered = enumerate(moves, 1) if logs else ()
    # All numbers of rows below those of the next game.
    log = [LoggedMove(number * MOVES_MAX + ply, ply, seat, move, at, False, None) for ply, (seat, move) in numbered]
    row = (
        template.options["tower"], template.options["rotate_start"], template.total if over else None, game, "", "game",
        status, _RULES.name, canonical_json(template.options), template.seats, number % 10 == 9, _SERVER_SEED.hex(),
        seeds.commitment(_SERVER_SEED), ply, ply, template.running_seat if running else None, ply,
        template.result if over else None, "played", at, None if status == "open" else at,
        utc(ended) if over else None, False, int(archived), False,
    )  # fmt: skip
    free = template.seats - 1 if status == "open" else template.seats
    names = [f"Player {one[1:]}" for one in chosen]
    listed = (listing_keys.listed(status, "played"), at, utc(ended) if over else None)
    seats: list[tuple[object, ...]] = [
        (
            game, seat, player, names[seat], _CLIENT_SEED, 0, False, False, over and seat in template.winners, *listed,
        )
        if seat < free
        else (game, seat, None, None, "", 0, False, False, False, *listed)
        for seat, player in enumerate(chosen)
    ]  # fmt: skip
    snapshot = None if status == "open" else (game, ply, template.running if running else template.finished)
    packed = (game, packed_log.VERSION, len(log), packed_log.pack(log)) if archived else None
    counts = logs and over and number % 10 != 9
    tally = (game, statistics.VERSION, template.counted.replace(_NO_ID, game)) if counts else None
    left = [] if archived else [(one[0], game, *one[1:-1]) for one in log]
    return _Rows(row, seats, left, snapshot, packed, tally, ("played", utc(ended)))


def _people(people: Sequence[str], seats: int, number: int, games: int, rng: random.Random) -> list[str]:
    """Who plays: now and then the first of all, else some of those who play about this time; the last one but once."""
    share = max(1, min(HEAVY_SHARE, games // HEAVY_LEAST))
    chosen = [people[0]] if number % share == 0 else []
    if number == 1:
        chosen = [people[-1]]
    while len(chosen) < seats:
        one = people[rng.randrange(1, len(people) - 1)]
        if one not in chosen:
            chosen.append(one)
    return chosen


_SERVER_SEED = bytes(range(32))
_CLIENT_SEED = "grown"
_NO_ID = "of-a-template"


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
    names = [str(seat) for seat in range(seats)]
    played = [record.MoveEntry(move, seat) for seat, move in moves]
    seed = {"server_seed": _SERVER_SEED, "client_seeds": [_CLIENT_SEED] * seats}
    made = record.make(game_id=_NO_ID, name="", options=options, players=names, moves=played, rules=_RULES, **seed)
    counted = orjson.dumps(stats.rows(made)).decode()
    return Template(
        seats, options, moves, running, running_seat, state.canonical_json(), canonical_json(result), winners, total,
        counted,
    )  # fmt: skip


def _put(store: Store, table: str, columns: Sequence[str], rows: Sequence[tuple[object, ...]]) -> None:
    names = ", ".join(f'"{name}"' for name in columns)
    with store.write(power_cut_safe=False):
        cursor = store.database.cursor()
        if store.is_sqlite:
            marks = ", ".join("?" * len(columns))
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)  # noqa: S608 - of ours
            return
        with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)


def make(address: str, games: int) -> Sizes:
    """Make such a database at an address: `sqlite:///grown.sqlite3` or one of PostgreSQL. Raises `ValueError` where
    there are games already."""
    store = open_database(address, 1)
    try:
        migrate(store)
        with store.read():
            if sql.row(store, "SELECT 1 FROM game LIMIT 1") is not None:
                raise ValueError(f"there are games in {store.name} already: name a database that is empty")
        return grow(store, games)
    finally:
        store.close()


def main() -> None:
    """Make one as the arguments say, and print what is in it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grown_store", description="Fill an empty database.")
    parser.add_argument("--games", type=int, default=10_000, metavar="N", help="how many (%(default)s)")
    parser.add_argument("--database", default="sqlite:///grown.sqlite3", metavar="ADDRESS", help="where (%(default)s)")
    args = parser.parse_args()
    try:
        sizes = make(args.database, args.games)
    except ValueError as error:
        parser.error(str(error))
    print(f"{sizes.games} games, {sizes.moves} moves, {sizes.players} players in {args.database.rpartition('@')[2]}")


if __name__ == "__main__":
    main()
