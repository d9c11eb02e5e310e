"""Giving a seat of a running game to another player, or to a bot of the house. What who sat there wrote and wished
stays theirs; links to their turn end."""

from __future__ import annotations

import random
from datetime import datetime

from server.service.accounts import links
from server.service.accounts.players import Player
from server.service.games import bots, due_work, finish_move, rated
from server.service.games import clock as clocks
from server.service.games.model import Game
from server.service.games.saving import change_row, save_seat, turn_columns
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import News, game_key
from server.service.seating import seats
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

_LINKS = "DELETE FROM short_link WHERE game_id = ? AND player_id = ?"
_MAILS = """
    UPDATE mail SET state = 'skipped', done_at = ?, lease_until = NULL, error = 'the seat was handed over'
    WHERE game_id = ? AND player_id = ? AND state IN ('pending', 'dead')"""


def give_seat(
    store: Store, game: Game, number: int, to: Player | str, now: datetime, rng: random.Random | None = None
) -> None:
    """Let a player, or the bot of that name, play on for a seat, in the running transaction in which `game` was loaded
    for a change. A turn under way begins anew for a player, who is told; a bot goes on with it. The share in the
    shuffle stays: the game hangs on it. Raises `Forbidden` for the owner of a bot that sits there."""
    seat = game.seats[number]
    before, late = seat.player, seat.late_ply is not None
    taken = [other.name for other in game.seats if other is not seat and other.name is not None]
    if isinstance(to, Player):
        seat.player, seat.bot, seat.name = to.id, None, seats.free_name(to.name, taken)
    else:
        seat.player, seat.bot, seat.name = None, to, seats.free_name(bots.seat_name(to), taken)
        seat.late_ply = None
    seat.handle, seat.timeouts, seat.autopilot, seat.wants_pause = None, 0, False, False
    if isinstance(to, Player):
        seats.require_own_hands(store, game)
        seats.note_preferences(seat, seats.present_preferences(store, to))
    seats.seat_down(store, seat)
    rated.hand_over(store, game)
    save_seat(store, seat)
    if before is not None:
        sql.execute(store, _LINKS, game.id, before)
        sql.lock_in_order(store, "mail", "game_id = ? AND player_id = ?", game.id, before)
        sql.execute(store, _MAILS, utc(now), game.id, before)
    if game.to_move == number and isinstance(to, Player) and not late:
        _begin_turn(store, game, to, now)
    elif game.to_move == number and not game.thinks(number):
        finish_move.after_moves(store, game, number, now, rng, turn_began=False)
        return
    elif game.to_move == number:
        clocks.begin_turn(game, seat, None, now)
        game.deadline = None
    change_row(store, game.id, **turn_columns(game))
    due_work.note(store, game, now)


def _begin_turn(store: Store, game: Game, player: Player, now: datetime) -> None:
    """Let the turn under way begin anew for its new player, and tell them."""
    seat = game.to_move or 0
    one = News("turn", player.id, game_key("turn", game.id, game.ply, player.id), game.id, game.ply)
    tell(store, [one], now)
    links.prepare_turn(store, now=now, player_id=player.id, game_id=game.id, ply=game.ply, seat=seat)
    clocks.begin_turn(game, game.seats[seat], one.key if game.clock is not None else None, now)
    if game.clock is not None:
        if game.paused_at is not None:
            game.paused_at = utc(now)
        stops = clocks.suspensions(store, [player.id], now)
        clocks.set_deadline(game, clocks.read(game.clock), stops)
