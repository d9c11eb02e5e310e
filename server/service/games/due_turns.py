"""Turns of bots that are not played in the transaction that comes to them: a row says that one is due.

It is written with what made it due, and goes with the moves that end it, so it is never lost and never done twice. Who
asks the bot is in `play/bot_turns`.
"""

from __future__ import annotations

import secrets
from datetime import datetime

from server import request_ids
from server.service.common import change_signal
from server.service.games.model import Game
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

SIGNAL = "bots' turns"
"""What is signalled when a turn is due, or will be soon; no game has such an id."""

# The secret stays what it was: what a bot decided before a crash it decides again. A turn of the same seat stays whose
# it is: that process plays it to its end.
_PUT = """
    INSERT INTO bot_turn (game_id, seat, secret, alone, due_at, failures, late_ply, request)
    VALUES (?, ?, ?, ?, ?, 0, ?, ?)
    ON CONFLICT (game_id) DO UPDATE SET seat = excluded.seat, due_at = excluded.due_at, failures = 0,
        late_ply = excluded.late_ply, request = excluded.request,
        lease_owner = CASE WHEN bot_turn.seat = excluded.seat THEN bot_turn.lease_owner END,
        lease_until = CASE WHEN bot_turn.seat = excluded.seat THEN bot_turn.lease_until END"""
_DELETE = "DELETE FROM bot_turn WHERE game_id = ?"


def wake(store: Store) -> None:
    """Wake whoever asks bots."""
    change_signal.changes(store).signal(SIGNAL)


def note(store: Store, game: Game, now: datetime) -> None:
    """Note in the running transaction whether a bot's turn is due in the game, and wake who plays it. No statement for
    a game in which no bot needs time."""
    if not any(game.thinks(seat.number) for seat in game.seats) and not game.by_job and not game.noted_due:
        return
    if game.thinking and game.to_move is not None:
        alone = int(all(seat.bot is not None or seat.autopilot for seat in game.seats))
        late = game.seats[game.to_move].late_ply
        secret, request = secrets.token_hex(32), request_ids.present()
        sql.execute(store, _PUT, game.id, game.to_move, secret, alone, utc(now), late, request)
    else:
        sql.execute(store, _DELETE, game.id)
    store.after_commit(lambda: wake(store))
