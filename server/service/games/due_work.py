"""Work that jobs do after a move, as rows: bots' turns and analyses. Written with what made it due."""

from __future__ import annotations

import json
import secrets
from datetime import datetime
from hashlib import sha256

from replays.analysis import results
from replays.analysis.results import Analysis
from server import request_ids
from server.service.common import change_signal
from server.service.games.model import SANDBOX, Game
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

SIGNAL = "bots' turns"  # What is signalled when a turn is due, or will be soon; no game has such an id

# The secret stays what it was: what a bot decided before a crash it decides again. A turn of the same seat stays whose
# it is: that process plays it to its end.
_PUT = """
    INSERT INTO bot_turn (game_id, seat, secret, alone, due_at, failures, late_ply, request)
    VALUES (?, ?, ?, ?, ?, 0, ?, ?)
    ON CONFLICT (game_id) DO UPDATE SET seat = excluded.seat, alone = excluded.alone,
        due_at = excluded.due_at, failures = 0,
        late_ply = excluded.late_ply, request = excluded.request,
        lease_owner = CASE WHEN bot_turn.seat = excluded.seat THEN bot_turn.lease_owner END,
        lease_until = CASE WHEN bot_turn.seat = excluded.seat THEN bot_turn.lease_until END"""
_DELETE = "DELETE FROM bot_turn WHERE game_id = ?"


def wake(store: Store) -> None:
    """Wake whoever asks bots."""
    change_signal.changes(store).signal(SIGNAL)


def note(store: Store, game: Game, now: datetime) -> None:
    """Note in the running transaction whether a bot's turn is due, and wake who plays it."""
    if not any(game.thinks(seat.number) for seat in game.seats) and not game.by_job and not game.noted_due:
        return
    if game.thinking and game.to_move is not None:
        gone = [one.resigned for one in game.position.players]
        alone = int(all(seat.bot is not None or seat.autopilot or gone[seat.number] for seat in game.seats))
        late = game.seats[game.to_move].late_ply
        secret, request = _secret(game), request_ids.present()
        sql.execute(store, _PUT, game.id, game.to_move, secret, alone, utc(now), late, request)
    else:
        sql.execute(store, _DELETE, game.id)
    store.after_commit(lambda: wake(store))


def _secret(game: Game) -> str:
    """What the bots' chance follows from: of a game of a deal the same at each of its tables, so that there a bot
    answers the same position alike."""
    if game.deal is None:
        return secrets.token_hex(32)
    return sha256(b"bots\0" + bytes.fromhex(game.server_seed)).hexdigest()


# What was found before stays to be read until there is something newer.
_WANT = """
    INSERT INTO analysis (game_id, wanted_at, done, failures, request, asker) VALUES (?, ?, 0, 0, ?, ?)
    ON CONFLICT (game_id) DO UPDATE SET wanted_at = excluded.wanted_at, done = 0, failures = 0,
        request = excluded.request, asker = excluded.asker
    WHERE analysis.wanted_at IS NULL"""


def want_analysis(store: Store, game_id: str, asker: str | None, now: datetime) -> None:
    """Note in the running transaction that `asker` wants the analysis of a finished game."""
    sql.execute(store, _WANT, game_id, utc(now), request_ids.present(), asker)


_BRING = """
    UPDATE analysis SET version = ?, data = ?, wanted_at = CASE WHEN ? THEN wanted_at END, asker = NULL
    WHERE game_id = ?"""


def bring_analysis(store: Store, game_id: str, text: str) -> None:
    """Keep an analysis made elsewhere, where one is wanted; an older one is read until there is a newer."""
    found: Analysis = json.loads(text)
    old = found["version"] != results.version(len(found["seats"]))
    sql.execute(store, _BRING, found["version"], text, old, game_id)


def note_analysis(store: Store, game: Game, now: datetime) -> None:
    """Want it of a game that has just ended, if people played it or it is the example."""
    if game.result is None or game.origin == SANDBOX or game.sealed:
        return
    if game.origin == "example" or any(seat.player is not None for seat in game.seats):
        want_analysis(store, game.id, game.creator, now)
