"""Giving the seat of a running game to another account. Its old player has seen the hand: that is for the operator to
weigh."""

from __future__ import annotations

from datetime import datetime

from server.service.accounts import bot_accounts
from server.service.accounts.players import Player, player_by_id
from server.service.admin.lookup import no_account
from server.service.common import audit_log
from server.service.common.errors import Conflict
from server.service.games import loading
from server.service.games.model import SANDBOX, Game, Seat
from server.service.games.saving import changing
from server.service.seating import taking_over
from server.storage.database import Store


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
        before = seat.player
        taking_over.give_seat(store, game, number, player, now)
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
    if game.sealed:
        raise Conflict("others play the same deal, and somebody new could know it from another table")
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
