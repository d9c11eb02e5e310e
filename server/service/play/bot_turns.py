"""Turns of bots that need time, as the job plays them: claimed by one process, thought about outside every transaction,
and submitted by ply like the moves of a player.

Another process takes over when a lease has run out. Moves and the row that said that they were due change in one
transaction, so a turn is neither lost nor played twice; moves for a position that is no longer there are refused.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from enum import Enum
from typing import NamedTuple

from bots.turn import Question
from server.engine.ulm1.notation import format_move
from server.service.common.errors import Conflict, NotFound, ServiceError
from server.service.games import finish_move, loading, move_log
from server.service.games.bots import STAND_IN
from server.service.games.model import Game
from server.service.games.saving import changing
from server.service.play import turns
from server.storage import leases, sql
from server.storage.database import Store
from server.storage.times import utc

log = logging.getLogger("ulm.bots")


class DueTurn(NamedTuple):
    """A turn that was claimed."""

    game_id: str
    seat: int
    failures: int
    request: str | None = None  # the id of the request that made it due


class AskedTurn(NamedTuple):
    """What a bot is to be asked, at which ply, and who it is."""

    question: Question
    ply: int


class Submitted(Enum):
    """What became of moves."""

    GOES_ON = "the turn goes on"
    OVER = "the turn is over"
    STALE = "the game has moved on meanwhile"
    REFUSED = "a move is illegal"
    LOST = "the turn is not this process's any more"


_ASKER = "(SELECT COALESCE(g.creator_id, g.id) FROM game g WHERE g.id = bot_turn.game_id)"  # whoever made the game
_FREE = "(lease_until IS NULL OR lease_until <= ? OR lease_until > ?)"
_ANY = f"SELECT 1 FROM bot_turn WHERE {_FREE} LIMIT 1"  # noqa: S608
_CLAIM = f"""
    WITH found AS MATERIALIZED (
        SELECT game_id FROM bot_turn WHERE {_FREE}
        ORDER BY alone, {leases.turn_of("bots", _ASKER)}, due_at, game_id LIMIT 1{{skip}})
    UPDATE bot_turn SET lease_owner = ?, lease_until = ? WHERE game_id IN (SELECT game_id FROM found)
    RETURNING game_id, seat, failures, request, {_ASKER}"""  # noqa: S608


def claim(store: Store, owner: str, now: datetime, until: datetime) -> DueTurn | None:
    """A turn for `owner` to play before `until`, awaited ones first, and by turns one of each who made the games; None
    for none. No turn is given twice."""
    found = leases.claim_row(store, _ANY, _CLAIM, now, until, owner=owner, queue="bots")
    return None if found is None else DueTurn(*found)


_RENEW = "UPDATE bot_turn SET lease_until = ? WHERE game_id = ? AND lease_owner = ? RETURNING game_id"
_RELEASE = "UPDATE bot_turn SET lease_owner = NULL, lease_until = NULL WHERE game_id = ? AND lease_owner = ?"


def renew(store: Store, owner: str, due: DueTurn, until: datetime) -> bool:
    """Hold a turn until a later time; whether it is still the owner's."""
    with store.write(power_cut_safe=False):
        return sql.row(store, _RENEW, utc(until), due.game_id, owner) is not None


def release(store: Store, owner: str, due: DueTurn) -> None:
    """Leave a turn to whoever comes next."""
    with store.write(power_cut_safe=False):
        sql.execute(store, _RELEASE, due.game_id, owner)


_FAILED = """
    UPDATE bot_turn SET failures = failures + 1 WHERE game_id = ? AND lease_owner = ? RETURNING failures"""


def failed(store: Store, owner: str, due: DueTurn) -> int:
    """Note that a bot came to no move; how often in a row that is."""
    with store.write(power_cut_safe=False):
        return sql.value(store, _FAILED, due.game_id, owner) or 0


_OWN = "SELECT secret FROM bot_turn WHERE game_id = ? AND lease_owner = ?"
_DROP = "DELETE FROM bot_turn WHERE game_id = ? AND lease_owner = ?"


def question(store: Store, owner: str, due: DueTurn, seconds: float = 0.0) -> AskedTurn | None:
    """What the bot of a claimed turn may know; None when there is nothing to be asked (any more)."""
    try:
        with store.read():
            game = loading.for_bot(store, due.game_id)
            found, seat = sql.row(store, _OWN, due.game_id, owner), game.to_move
            if found is None:
                return None
            if seat is not None and game.thinking:
                bot = game.seats[seat].bot or STAND_IN
                return AskedTurn(asked_of(store, game, seat, bot, found[0], seconds), game.seen_ply(seat))
    except NotFound:
        return None
    with store.write(power_cut_safe=False):
        sql.execute(store, _DROP, due.game_id, owner)
    return None


def asked_of(store: Store, game: Game, seat: int, bot: str, secret: str, seconds: float) -> Question:
    """What a bot is asked for `seat`, inside a transaction: the view of this seat, and the log as it may read it."""
    entries = move_log.told_log(store, game, seat)
    texts = tuple((entry.seat, format_move(entry.move)) for entry in entries)
    return Question(bot, game.rules.view(game.position, seat), texts, bytes.fromhex(secret), seconds)


def submit(store: Store, owner: str, due: DueTurn, ply: int, moves: list[str], now: datetime) -> Submitted:
    """Play the moves of the bot whose turn was claimed, on the ply that it was asked about."""

    def play(game: Game, seat: int) -> None:
        automatic = game.seats[seat].bot is None
        checked = turns.check_request(game, seat, ply, moves, automatic)
        turns.carry_out(store, game, seat, checked, now, None, automatic=automatic)

    try:
        return _played(store, owner, due, play)
    except Conflict:
        return Submitted.STALE
    except ServiceError as error:
        log.warning("a bot is refused", extra={"fields": {"game": due.game_id, "why": error.message}})
        return Submitted.REFUSED


def play_plainly(store: Store, owner: str, due: DueTurn, now: datetime) -> Submitted:
    """Let the apprentice play the rest of a turn to which its bot came to no move."""

    def play(game: Game, seat: int) -> None:
        finish_move.finish_turn(game, utc(now), None)
        finish_move.after_moves(store, game, seat, now, None)

    return _played(store, owner, due, play)


def _played(store: Store, owner: str, due: DueTurn, play: Callable[[Game, int], None]) -> Submitted:
    """Let `play` move for the seat of a claimed turn; where that led. Games are locked first, as by everybody."""
    try:
        with changing(store):
            game = loading.for_change(store, due.game_id)
            game.by_job = True
            if sql.row(store, _OWN, due.game_id, owner) is None:
                return Submitted.LOST
            seat = game.to_move
            if seat is None or not game.thinking:
                return Submitted.STALE
            play(game, seat)
            return Submitted.GOES_ON if game.thinking and game.to_move == seat else Submitted.OVER
    except NotFound:
        return Submitted.STALE
