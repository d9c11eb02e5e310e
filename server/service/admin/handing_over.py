"""Giving the seat of a running game to another account. Its old player has seen the hand: that is for the operator to
weigh. What they wrote and wished stays theirs; links to their turn end."""

from __future__ import annotations

from datetime import datetime

from server.service.accounts import bot_accounts, links
from server.service.accounts.players import Player, player_by_id
from server.service.admin.lookup import no_account
from server.service.common import audit_log
from server.service.common.errors import Conflict
from server.service.explain import history
from server.service.games import clock as clocks
from server.service.games import due_work, loading
from server.service.games.model import SANDBOX, Game, Seat
from server.service.games.saving import change_row, changing, save_seat, turn_columns
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import News, game_key
from server.service.seating import seats
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

_TAKE = "UPDATE seat SET mail = NULL, note = NULL, named_after_id = NULL WHERE id = ?"
_LINKS = "DELETE FROM short_link WHERE game_id = ? AND player_id = ?"
_MAILS = """
    UPDATE mail SET state = 'skipped', done_at = ?, lease_until = NULL, error = 'the seat was handed over'
    WHERE game_id = ? AND player_id = ? AND state IN ('pending', 'dead')"""


def hand_over(store: Store, game_id: str, number: int, player_id: str, now: datetime) -> str:
    """Give a seat to another account; the name that it has from now on. A turn under way begins anew. Raises
    `NotFound`, `Conflict` (a game, seat or account that cannot be), `Forbidden` (a bot, or the owner of one that sits
    there)."""
    player = player_by_id(store, player_id)
    if player is None:
        raise no_account(player_id)
    with changing(store):
        game = loading.for_change(store, game_id)
        seat = _seat(store, game, number, player)
        before, late = seat.player, seat.late_ply is not None
        others = [other.name for other in game.seats if other is not seat and other.name is not None]
        seat.player, seat.name, seat.handle = player.id, seats.free_name(player.name, others), None
        seat.timeouts, seat.autopilot, seat.wants_pause = 0, False, False
        seats.require_own_hands(store, game)
        seats.note_preferences(seat, seats.present_preferences(store, player))
        seats.seat_down(store, seat)
        save_seat(store, seat)
        sql.execute(store, _TAKE, seat.row)
        if before is not None:
            sql.execute(store, _LINKS, game.id, before)
            sql.lock_in_order(store, "mail", "game_id = ? AND player_id = ?", game.id, before)
            sql.execute(store, _MAILS, utc(now), game.id, before)
        if game.to_move == number and not late:
            _begin_turn(store, game, player, now)
        change_row(store, game.id, **turn_columns(game))
        due_work.note(store, game, now)
        audit_log.note(store, "operator_gave_seat", now, before, game=game.id, seat=number)
        audit_log.note(store, "operator_gave_seat", now, player.id, game=game.id, seat=number)
    return str(seat.name)


def _seat(store: Store, game: Game, number: int, player: Player) -> Seat:
    """The seat, if it may be given to that player. Raises as `hand_over`."""
    state = game.require_running()
    if game.origin == SANDBOX:
        raise Conflict("a sandbox is played by one player alone: there is nothing to hand over")
    if not 0 <= number < game.seat_count:
        raise Conflict(f"game {game.id} has the seats 0 to {game.seat_count - 1}")
    seat = game.seats[number]
    if seat.bot is not None:
        raise Conflict("a bot of the house has that seat: only seats of people, or of bots with accounts, change hands")
    if state.players[number].resigned:
        raise Conflict("that seat has resigned: there is nothing left to play")
    if game.seat_of(player) is not None:
        raise Conflict(f"{player.name} has a seat in this game already")
    if bot_accounts.is_closed(store, player.id):
        raise Conflict(f"{player.name} is banned: `ulm admin unban` first, or take somebody else")
    bot_accounts.require_person(store, player)
    return seat


def _begin_turn(store: Store, game: Game, player: Player, now: datetime) -> None:
    """Let the turn under way begin anew for its new player, and tell them."""
    seat = game.to_move or 0
    began = history.tell(store, loading.for_reader(store, game.id, player), seat).turn_began
    one = News("turn", player.id, game_key("turn", game.id, began, player.id), game.id, began)
    tell(store, [one], now)
    links.prepare_turn(store, now=now, player_id=player.id, game_id=game.id, ply=began, seat=seat)
    if game.clock is not None:
        clocks.begin_turn(game, game.seats[seat], one.key, now)
        if game.paused_at is not None:
            game.paused_at = utc(now)
        stops = clocks.suspensions(store, [player.id], now)
        clocks.set_deadline(game, clocks.read(game.clock), stops)
