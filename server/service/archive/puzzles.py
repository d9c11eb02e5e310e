"""Puzzles out of finished games that anybody may see, and which of them is that of a day.

A day is one in UTC. Its puzzle is the one that was shown least often and longest ago; the job `puzzles` writes down
that of today and of tomorrow, so that a day keeps it whatever is found later. A puzzle goes with its game. Games of
masters come with the release, so that a new server has puzzles for its first week.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from importlib.resources import files
from typing import Annotated, TypedDict

from replays.analysis.puzzles import PuzzleForm
from server.engine import record as records
from server.engine.ulm1.shapes import JsonSchema, Options
from server.language import gettext as _
from server.service.archive import kept_records
from server.service.common.errors import Conflict, NotFound
from server.service.common.naming import PACKED, Title, server_name
from server.service.games.model import SANDBOX, Game, Seat
from server.service.games.saving import changing, insert, save
from server.service.lists.list_pages import PUBLIC, PUBLIC_VALUES
from server.service.seating.example_game import EXAMPLE_ID
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

TODAY = "today"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle that is kept: `day` is the one that it was asked for by, None for its id."""

    id: str
    game_id: str
    form: PuzzleForm
    day: str | None


class PuzzleDay(TypedDict):
    """A day and its puzzle."""

    day: Annotated[str, "In UTC."]
    id: str
    game: Annotated[str, "The finished game that it comes from."]
    ply: int
    round: int
    seat: int
    level: Annotated[str, "How hard it is.", JsonSchema(enum=["easy", "medium", "hard"])]


class PuzzleOfGame(TypedDict):
    """A puzzle that comes from a game."""

    id: str
    ply: int
    round: int
    level: str


def may_have(game: Game) -> bool:
    """Whether positions of a finished game may become puzzles: it was played here, from a set-up to which the server
    had committed itself, and anybody may see it."""
    return game.origin not in (SANDBOX, "imported") and not game.private and game.result is not None


_KEEP = """
    INSERT INTO puzzle (id, game_id, ply, data, found_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (game_id, ply) DO NOTHING"""


def keep(store: Store, game_id: str, found: Sequence[PuzzleForm], now: datetime) -> None:
    """Keep what was found in a game, in the running transaction; what is there already stays as it was shown."""
    for form in found:
        name = sha256(f"{game_id} {form['ply']}".encode()).hexdigest()[:12]
        sql.execute(store, _KEEP, name, game_id, form["ply"], json.dumps(form, separators=(",", ":")), utc(now))


def day_of(now: datetime) -> str:
    """The day that it is."""
    return now.astimezone(UTC).date().isoformat()


_SHOWN = f"g.status = 'finished' AND {PUBLIC}"
_BY_ID = f"SELECT p.id, p.game_id, p.data FROM puzzle p JOIN game g ON g.id = p.game_id WHERE p.id = ? AND {_SHOWN}"  # noqa: S608
_BY_DAY = f"""
    SELECT p.id, p.game_id, p.data FROM puzzle_day d JOIN puzzle p ON p.id = d.puzzle_id JOIN game g ON g.id = p.game_id
    WHERE d.day = ? AND {_SHOWN}"""  # noqa: S608
_NEXT = f"""
    SELECT p.id FROM puzzle p JOIN game g ON g.id = p.game_id LEFT JOIN puzzle_day d ON d.puzzle_id = p.id
    WHERE {_SHOWN} GROUP BY p.id ORDER BY COUNT(d.day), MAX(d.day), p.id LIMIT 1"""  # noqa: S608


def find(store: Store, which: str, now: datetime) -> Puzzle:
    """A puzzle by its id, by a day up to today, or that of `TODAY`, inside a transaction. Raises `NotFound`."""
    today = day_of(now)
    day = today if which == TODAY else which if "-" in which else None
    if day is None:
        found = sql.row(store, _BY_ID, which, *PUBLIC_VALUES)
    else:
        found = sql.row(store, _BY_DAY, day, *PUBLIC_VALUES) if _is_day(day) and day <= today else None
        if found is None and day == today:  # before the job has written it down
            name = _next(store)
            found = None if name is None else sql.row(store, _BY_ID, name, *PUBLIC_VALUES)
    if found is None:
        if day == today:
            raise NotFound(_("there are no puzzles yet: they come from games that are over"))
        raise NotFound(_("there is no such puzzle"))
    name, game_id, data = found
    return Puzzle(name, game_id, json.loads(data), day)


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _next(store: Store) -> str | None:
    return sql.value(store, _NEXT, *PUBLIC_VALUES)


_DAYS = f"""
    SELECT d.day, p.id, p.game_id, p.data FROM puzzle_day d JOIN puzzle p ON p.id = d.puzzle_id
    JOIN game g ON g.id = p.game_id WHERE d.day <= ? AND d.day < ? AND {_SHOWN} ORDER BY d.day DESC LIMIT ?"""  # noqa: S608


def days(store: Store, before: str | None, most: int, now: datetime) -> list[PuzzleDay]:
    """The days up to today that had a puzzle, newest first; with `before` those before that day."""
    rows = sql.rows(store, _DAYS, day_of(now), before or "9999-99-99", *PUBLIC_VALUES, most)
    found: list[PuzzleDay] = []
    for day, name, game_id, data in rows:
        form: PuzzleForm = json.loads(data)
        found.append({"day": day, "id": name, "game": game_id, "ply": form["ply"], "round": form["round"],
                      "seat": form["seat"], "level": form["level"]})  # fmt: skip
    return found


_OF_GAME = "SELECT id, data FROM puzzle WHERE game_id = ? ORDER BY ply"


def of_game(store: Store, game_id: str) -> list[PuzzleOfGame]:
    """The puzzles that come from a game, in its order."""
    rows = sql.rows(store, _OF_GAME, game_id)
    found: list[PuzzleOfGame] = []
    for name, data in rows:
        form: PuzzleForm = json.loads(data)
        found.append({"id": name, "ply": form["ply"], "round": form["round"], "level": form["level"]})
    return found


_WRITE = """
    INSERT INTO puzzle_day (day, puzzle_id) VALUES (?, ?)
    ON CONFLICT (day) DO UPDATE SET puzzle_id = excluded.puzzle_id"""


def choose_days(store: Store, now: datetime) -> int:
    """Write down the puzzles of today and tomorrow where they are not; how many were written. Else it only reads."""
    wanted = [day_of(now), day_of(now + timedelta(days=1))]
    with store.read():
        missing = [day for day in wanted if sql.row(store, _BY_DAY, day, *PUBLIC_VALUES) is None]
        if not missing or _next(store) is None:
            return 0
    written = 0
    with store.write():
        for day in missing:
            name = _next(store)
            if name is not None:
                sql.execute(store, _WRITE, day, name)
                written += 1
    return written


FILE = "packed_games.json"
"""Their moves, and what `ulm-replay puzzles --json` says of them."""
MASTER = "master"


class PackedGame(TypedDict):
    """A game as it is packed: `moves` are pairs of a move and its seat."""

    server_seed: str
    seats: int
    options: Options
    moves: list[tuple[str, int]]
    puzzles: list[PuzzleForm]


def packed() -> list[PackedGame]:
    """The games that come with the release."""
    found: list[PackedGame] = json.loads(files("server.service.archive").joinpath(FILE).read_text("utf-8"))
    return found


def ensure_puzzles(store: Store, now: datetime) -> int:
    """Store these games and their puzzles beside the example game when there is no puzzle at all; how many there
    are now by that. A server that began without the example gets none."""
    if not _wanted(store):
        return 0
    stored = 0
    try:
        with changing(store):
            if not _wanted(store):
                return 0
            for number, packed_game in enumerate(packed(), 1):
                game = _game(packed_game, number, now)
                insert(store, game)
                save(store, game)
                keep(store, game.id, packed_game["puzzles"], now)
                stored += len(packed_game["puzzles"])
    except Conflict:
        return 0  # another process of the same start was faster
    choose_days(store, now)
    return stored


_WANTED = """
    SELECT 1 FROM game WHERE id = ? AND NOT EXISTS (SELECT 1 FROM puzzle)
    AND NOT EXISTS (SELECT 1 FROM game WHERE title = ?)"""


def _wanted(store: Store) -> bool:
    return sql.row(store, _WANTED, EXAMPLE_ID, PACKED) is not None


def _game(packed_game: PackedGame, number: int, now: datetime) -> Game:
    """A finished game as it is to be stored. That it was played by the rules, a test has checked."""
    seed = bytes.fromhex(packed_game["server_seed"])
    game = Game.new(Title(kind=PACKED), packed_game["options"], packed_game["seats"], "example", now, server_seed=seed)
    game.id = f"masters{number}"
    master = server_name(MASTER)
    game.seats = [
        Seat(seat, None, MASTER, master if not seat else master.numbered(seat + 1), "")
        for seat in range(game.seat_count)
    ]
    made = records.make(
        game_id=game.id,
        name=game.name,
        options=game.options,
        players=game.names,
        server_seed=seed,
        client_seeds=[seat.client_seed for seat in game.seats],
        moves=[records.MoveEntry(text, seat) for text, seat in packed_game["moves"]],
        rules=game.rules,
    )
    kept_records.take_log(game, made)
    game.started_at = game.created_at
    return game
