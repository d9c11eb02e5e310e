"""The log of a game: read as it stands, and as one seat may read it; and played again, trusted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from server.engine.events import Event
from server.engine.ulm1 import game
from server.engine.ulm1.notation import parse_move
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import MAX_PLAYERS
from server.engine.ulm1.turn import DRAW, RESIGN
from server.engine.ulm1.view import hidden_behind, told_order
from server.service.table.model import Entry, Table
from server.storage import sql
from server.storage.database import Store


def follow(state: State, entries: Iterable[Entry]) -> tuple[State, State | None]:
    """The state after stored moves, and what all but the active seat see of it (`hidden_behind`). `state` is used up.

    The moves may come in the log's order or in that of a reader (`told_log`).
    """
    hidden: State | None = None
    for entry in entries:
        before = state.copy() if entry.move == DRAW else state
        state = step(state, entry)
        hidden = hidden_behind(hidden, before, entry.seat, entry.move, state)
    return state, hidden


def step(state: State, entry: Entry, events: list[Event] | None = None) -> State:
    """Play a stored move, trusted; `state` may be changed on the way. What follows from it is added to `events`."""
    events = [] if events is None else events
    if entry.move == RESIGN:  # also out of turn
        applied = game.apply(state, entry.seat, entry.move)
        events += applied.events
        return applied.state
    game.advance(state, entry.move, events)
    return state


_LOG = """
    SELECT ply, seat, move, played_at, automatic FROM move
    WHERE game_id = ? AND undone_at IS NULL AND ply > ? AND ply <= ? ORDER BY ply"""
_NO_LIMIT = 2**31 - 1
# Of what lies beyond the reader's ply only resignations are theirs to know: they stand behind a hidden draw.
_TOLD = """
    SELECT ply, seat, move, played_at, automatic FROM move
    WHERE game_id = ? AND undone_at IS NULL AND ply > ? AND (ply <= ? OR (ply <= ? AND move = 'resign'))
    ORDER BY ply"""
_MOVED_BY = MAX_PLAYERS - 2  # so many can resign behind a draw before the game is over


def log(store: Store, game_id: str, since: int = 0, last: int | None = None) -> list[Entry]:
    """The moves that stand, from the one after ply `since` to ply `last`, in order."""
    found = sql.rows(store, _LOG, game_id, since, _NO_LIMIT if last is None else last)
    return [Entry(ply, seat, parse_move(move), at, bool(automatic)) for ply, seat, move, at, automatic in found]


def told_log(store: Store, table: Table, seat: int | None, since: int = 0) -> list[Entry]:
    """The moves after ply `since` as `seat` (None: a spectator) reads them, up to the ply that it may see.

    While the game is not over that is the order of `told_order`, and each entry bears the ply that it has there. The
    log of a finished game is that of its record.
    """
    seen = table.seen_ply(seat)
    first = max(0, since - _MOVED_BY)
    found = sql.rows(store, _TOLD, table.id, first, seen, table.ply)
    entries = [Entry(ply, mover, parse_move(move), at, bool(automatic)) for ply, mover, move, at, automatic in found]
    if table.status != "finished":
        order = told_order([(entry.seat, entry.move) for entry in entries], seat)
        entries = [replace(entries[index], ply=ply) for ply, index in enumerate(order, first + 1)]
    return [entry for entry in entries if since < entry.ply <= seen]
