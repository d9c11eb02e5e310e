"""Hints: what the journeyman would play, for who is to move and asks for it.

Always against bots alone and in sandboxes, among people where whoever made the game said so. The job asks the bot, with
what the seat may see. That a hint was taken everybody at the table sees; what it was nobody else: it would tell of the
hand.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

import orjson

from bots.turn import Question
from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common.errors import Conflict, Forbidden, NotFound, ServiceError
from server.service.common.ids import random_id
from server.service.games import due_work, loading
from server.service.games.model import Game
from server.service.games.saving import change_row, changing
from server.service.play import bot_turns
from server.storage import leases, sql
from server.storage.database import Store
from server.storage.times import utc

log = logging.getLogger("ulm.bots")

ADVISER = "journeyman"  # The bot that is asked: the strongest of those that answer in a moment


class Advice(NamedTuple):
    """A hint for the seat to move in a game; no moves while the adviser thinks."""

    game: Game
    seat: int
    moves: list[str]


class DueHint(NamedTuple):
    """A hint that was asked for and claimed."""

    id: str
    game_id: str
    seat: int
    about: str
    secret: str


_FIND = "SELECT moves FROM hint WHERE game_id = ? AND seat = ? AND about = ?"
_ASK = """
    INSERT INTO hint (id, game_id, seat, about, secret, asked_at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (game_id, seat, about) DO NOTHING"""


def ask(store: Store, player: Player, game_id: str, now: datetime) -> Advice:
    """Ask for a hint about the present position, once: asked again it is the same one. Raises `NotFound`, `Forbidden`
    (no seat, not the caller's turn, a bot, or no hints here), `Conflict` (not running, or the server plays the
    turn)."""
    with changing(store):
        game = loading.for_change(store, game_id)
        game.require_visible(player)
        seat = _require_turn(game, player)
        about = _about(game, seat)
        sql.execute(
            store, _ASK, random_id(secrets.token_bytes, 16), game.id, seat, about, secrets.token_hex(32), utc(now)
        )
        found = sql.row(store, _FIND, game.id, seat, about)
        store.after_commit(lambda: due_work.wake(store))
        return Advice(game, seat, _moves(None if found is None else found[0]))


def read(store: Store, player: Player, game_id: str) -> Advice:
    """The hint about the present position. Raises as `ask` does, and `NotFound` where none was asked for."""
    with store.read():
        game = loading.for_reader(store, game_id, player)
        game.require_visible(player)
        seat = _require_turn(game, player)
        found = sql.row(store, _FIND, game.id, seat, _about(game, seat))
    if found is None:
        raise NotFound(_("no hint was asked for about this position: POST to this address asks for one"))
    return Advice(game, seat, _moves(found[0]))


def plan(store: Store, table_id: str, seat: int, view: object) -> list[str] | None:
    """The moves of a hint about what the seat sees now; [] while it is thought about, None where none was asked for."""
    found = sql.row(store, _FIND, table_id, seat, _hash(view))
    return None if found is None else _moves(found[0])


def _require_turn(game: Game, player: Player) -> int:
    """The seat of `player`, who is to move and may be given a hint."""
    seat = game.require_seat(player)
    game.require_running()
    if not game.allows_hints:
        raise Forbidden(_("this game has no hints: among people, whoever makes the game decides whether there are any"))
    if any(one.player == player.id and one.handle is not None for one in game.seats):
        raise Forbidden(_("hints are for people"))
    if game.to_move != seat:
        raise Forbidden(_("it is not your turn: hints are for whoever is to move"), kind="not-your-turn")
    if game.thinking:
        raise Conflict(_("the server plays this turn for you"))
    return seat


def _about(game: Game, seat: int) -> str:
    """A name of the position as the seat sees it: after moves were taken back, the same ply may be another one."""
    seen = game.seen_by(seat) if not game.unread else game.position
    return _hash(game.rules.view(seen, seat))


def _hash(view: object) -> str:
    return sha256(orjson.dumps(view, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _moves(stored: str | None) -> list[str]:
    return stored.split(",") if stored else []


# The job.


_ASKER = """
    (SELECT COALESCE(s.player_id, s.game_id) FROM seat s WHERE s.game_id = hint.game_id AND s.seat = hint.seat)"""
_WAITS = "moves IS NULL AND (lease_until IS NULL OR lease_until <= ? OR lease_until > ?)"
_ANY = f"SELECT 1 FROM hint WHERE {_WAITS} LIMIT 1"  # noqa: S608
_CLAIM = f"""
    WITH found AS MATERIALIZED (
        SELECT id FROM hint WHERE {_WAITS}
        ORDER BY {leases.turn_of("hints", _ASKER)}, asked_at, id LIMIT 1{{skip}})
    UPDATE hint SET lease_until = ? WHERE id IN (SELECT id FROM found)
    RETURNING id, game_id, seat, about, secret, {_ASKER}"""  # noqa: S608


def claim(store: Store, now: datetime, until: datetime) -> DueHint | None:
    """A hint to be found before `until`; None when nobody asked for one. No two processes are given the same."""
    found = leases.claim_row(store, _ANY, _CLAIM, now, until, queue="hints")
    return None if found is None else DueHint(*found)


def question(store: Store, due: DueHint, seconds: float) -> Question | None:
    """What the adviser is asked; None where the game, and with it the hint, has moved on."""
    try:
        with store.read():
            game = loading.for_bot(store, due.game_id)
            if game.status == "running" and game.to_move == due.seat and _about(game, due.seat) == due.about:
                return bot_turns.asked_of(store, game, due.seat, ADVISER, due.secret, seconds)
    except NotFound:
        return None
    forget(store, due)
    return None


def answer(store: Store, due: DueHint, moves: Sequence[str]) -> None:
    """Keep what the adviser would play, and let everybody see that a hint was taken."""
    try:
        with changing(store):
            game = loading.for_change(store, due.game_id)
            sql.execute(store, "UPDATE hint SET moves = ? WHERE id = ?", ",".join(moves), due.id)
            change_row(store, game.id)
    except ServiceError as error:
        log.warning("a hint cannot be given", extra={"fields": {"game": due.game_id, "why": error.message}})


def forget(store: Store, due: DueHint) -> None:
    """There is no answer: whoever asked may ask again."""
    with store.write(power_cut_safe=False):
        sql.execute(store, "DELETE FROM hint WHERE id = ? AND moves IS NULL", due.id)
