"""What people at a table do to each other beside moves and words: rows among the messages, for those who sit there."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from server.engine.ulm1.turn import RESIGN
from server.service.common import db_rate_limits
from server.service.common.quotas import HOUR, TABLE_EVENTS_AN_HOUR
from server.service.games.model import SANDBOX, Game
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

Event = Literal[
    "joined", "left", "resigned", "timed_out", "pause_wish", "no_pause_wish", "paused", "resumed", "rematch",
    "proposed", "agreed", "disagreed",
]  # fmt: skip


def note(store: Store, game: Game, event: Event, seat: int | None, now: datetime, what: str = "") -> int | None:
    """Note in the running transaction what the player of `seat` did (None: nobody of the table), with a word for `what`
    it was about; the number of the row. None, and nothing is noted, where nobody else would read it, or too much was
    noted within the hour."""
    others = [one for one in game.seats if (one.free or one.is_person) and one.number != seat]
    if game.origin == SANDBOX or not others:
        return None
    if not db_rate_limits.take(store, "table event", game.id, TABLE_EVENTS_AN_HOUR, HOUR, now):
        return None
    player, at = None if seat is None else game.seats[seat].player, utc(now)
    row = {"game_id": game.id, "seat": seat or 0, "player_id": player, "text": what, "kind": event, "created_at": at}
    return sql.insert_numbered(store, "message", **row)


def note_resignations(store: Store, game: Game, now: datetime) -> None:
    """Note those among the moves that are to be stored."""
    for entry in game.entries:
        if entry.move == RESIGN:
            note(store, game, "resigned", entry.seat, now)
