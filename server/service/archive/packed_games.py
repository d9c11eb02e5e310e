"""Games of master builders that come with the release, so that a new server has puzzles for its first week."""

from __future__ import annotations

import json
from datetime import datetime
from importlib.resources import files
from typing import TypedDict

from replays.analysis.puzzles import PuzzleForm
from server.engine import record as records
from server.engine.ulm1.shapes import Options
from server.service.archive import kept_records, puzzles
from server.service.common.errors import Conflict
from server.service.common.naming import PACKED, Title, server_name
from server.service.games.model import Game, Seat
from server.service.games.saving import changing, insert, save
from server.service.seating.example_game import EXAMPLE_ID
from server.storage import sql
from server.storage.database import Store

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
                puzzles.keep(store, game.id, packed_game["puzzles"], now)
                stored += len(packed_game["puzzles"])
    except Conflict:
        return 0  # another process of the same start was faster
    puzzles.choose_days(store, now)
    return stored


_WANTED = """
    SELECT 1 FROM game WHERE id = ? AND NOT EXISTS (SELECT 1 FROM puzzle)
    AND NOT EXISTS (SELECT 1 FROM game WHERE title = ?)"""


def _wanted(store: Store) -> bool:
    with store.read():
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
