"""Games of master builders that come with the release, so that a new server has puzzles for its first week."""

from __future__ import annotations

import json
from datetime import datetime
from importlib.resources import files
from typing import TypedDict

from replays.analysis.puzzles import PuzzleForm
from server.engine import record as records
from server.engine.ulm1.shapes import Options
from server.service.archive import puzzles
from server.service.common.errors import Conflict
from server.service.common.naming import PACKED, Title, server_name
from server.service.games.model import Entry, Place, Table
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
    text = files("server.service.archive").joinpath(FILE).read_text("utf-8")
    found: list[PackedGame] = json.loads(text)
    return found


def ensure_puzzles(store: Store, now: datetime) -> int:
    """Store these games and their puzzles beside the example game when there is no puzzle at all; how many there are
    now by that. A server that began without the example gets none."""
    if not _wanted(store):
        return 0
    stored = 0
    try:
        with changing(store):
            if not _wanted(store):
                return 0
            for number, game in enumerate(packed(), 1):
                table = _table(game, number, now)
                insert(store, table)
                save(store, table)
                puzzles.keep(store, table.id, game["puzzles"], now)
                stored += len(game["puzzles"])
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


def _table(game: PackedGame, number: int, now: datetime) -> Table:
    """A finished game as it is to be stored. That it was played by the rules, a test has checked."""
    seed = bytes.fromhex(game["server_seed"])
    table = Table.new(Title(kind=PACKED), game["options"], game["seats"], "example", now, server_seed=seed)
    table.id = f"masters{number}"
    master = server_name(MASTER)
    table.places = [
        Place(seat, None, MASTER, master if not seat else master.numbered(seat + 1), "") for seat in range(table.seats)
    ]
    made = records.make(
        game_id=table.id,
        name=table.name,
        options=table.options,
        players=table.names,
        server_seed=seed,
        client_seeds=[place.client_seed for place in table.places],
        moves=[records.MoveEntry(text, seat) for text, seat in game["moves"]],
        rules=table.rules,
    )
    state = made.first_state()
    for step in records.replay(made):
        state = step.state
    table.status, table.started_at, table.finished_at = "finished", table.created_at, table.created_at
    table.result, table.state, table.to_move = records.result_of(state), state, state.active
    table.entries = [
        Entry(ply, seat, table.rules.parse_move(text), None) for ply, (text, seat) in enumerate(game["moves"], 1)
    ]
    return table
