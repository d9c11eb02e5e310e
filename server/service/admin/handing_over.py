"""Giving the seat of a running game to another account, because its player cannot or may not play on.

Whoever had it has seen its hand, and whoever gets it sees it from then on: that is for the operator to weigh. What the
player wrote and wished for themselves stays theirs; links to their turn lead nowhere any more.
"""

from __future__ import annotations

from datetime import datetime

from server.service.accounts import bot_accounts, links
from server.service.accounts.players import Player, player_by_id
from server.service.common import audit_log
from server.service.common.errors import Conflict, NotFound
from server.service.games import clock as clocks
from server.service.games import clock_suspensions, due_turns, loading
from server.service.games.model import SANDBOX, Place, Table
from server.service.games.saving import change_row, changing, save_place, turn_columns
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import News, game_key
from server.service.seating import challenges, seats
from server.service.views import history
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

_TAKE = "UPDATE seat SET mail = NULL, note = NULL, named_after_id = NULL WHERE id = ?"
_LINKS = "DELETE FROM short_link WHERE game_id = ? AND player_id = ?"
_MAILS = """
    UPDATE mail SET state = 'skipped', done_at = ?, lease_until = NULL, error = 'the seat was handed over'
    WHERE game_id = ? AND player_id = ? AND state IN ('pending', 'dead')"""


def hand_over(store: Store, game_id: str, seat: int, player_id: str, now: datetime) -> str:
    """Give a seat to another account, on behalf of the operator; the name that it has from now on.

    A turn that is under way begins anew for its new player, who is told of it by mail. Raises `NotFound` (game,
    account), `Conflict` (not running, no such seat, a bot of the house, resigned, seated or banned already),
    `Forbidden` (a bot's account, or the owner of a bot that sits there).
    """
    player = player_by_id(store, player_id)
    if player is None:
        raise NotFound(f"there is no account {player_id}; `ulm admin find` looks for its name or address")
    with changing(store):
        table = loading.for_change(store, game_id)
        place = _seat(store, table, seat, player)
        before, late = place.player, place.late_ply is not None
        others = [other.name for other in table.places if other is not place and other.name is not None]
        place.player, place.name, place.handle = player.id, seats.free_name(player.name, others), None
        place.timeouts, place.autopilot, place.wants_pause = 0, False, False
        challenges.require_own_hands(store, table)
        seats.note_preferences(place, seats.present_preferences(store, player))
        seats.seat_down(store, place)
        save_place(store, place)
        sql.execute(store, _TAKE, place.row)
        if before is not None:
            sql.execute(store, _LINKS, table.id, before)
            sql.lock_in_order(store, "mail", "game_id = ? AND player_id = ?", table.id, before)
            sql.execute(store, _MAILS, utc(now), table.id, before)
        if table.to_move == seat and not late:
            _begin_turn(store, table, player, now)
        change_row(store, table.id, **turn_columns(table))
        due_turns.note(store, table, now)
        audit_log.note(store, "operator_gave_seat", now, before, game=table.id, seat=seat)
        audit_log.note(store, "operator_gave_seat", now, player.id, game=table.id, seat=seat)
    return str(place.name)


def _seat(store: Store, table: Table, seat: int, player: Player) -> Place:
    """The seat, if it may be given to that player. Raises as `hand_over`."""
    state = table.require_running()
    if table.origin == SANDBOX:
        raise Conflict("a sandbox is played by one player alone: there is nothing to hand over")
    if not 0 <= seat < table.seats:
        raise Conflict(f"game {table.id} has the seats 0 to {table.seats - 1}")
    place = table.places[seat]
    if place.bot is not None:
        raise Conflict("a bot of the house has that seat: only seats of people, or of bots with accounts, change hands")
    if state.players[seat].resigned:
        raise Conflict("that seat has resigned: there is nothing left to play")
    if table.seat_of(player) is not None:
        raise Conflict(f"{player.name} has a seat in this game already")
    if bot_accounts.is_closed(store, player.id):
        raise Conflict(f"{player.name} is banned: `ulm admin unban` first, or take somebody else")
    bot_accounts.require_person(store, player)
    return place


def _begin_turn(store: Store, table: Table, player: Player, now: datetime) -> None:
    """Let the turn under way begin anew for its new player, and tell them."""
    seat = table.to_move or 0
    began = history.tell(store, loading.for_reader(store, table.id, player), seat).turn_began
    one = News("turn", player.id, game_key("turn", table.id, began, player.id), table.id, began)
    tell(store, [one], now)
    links.prepare_turn(store, now=now, player_id=player.id, game_id=table.id, ply=began, seat=seat)
    if table.clock is not None:
        table.turn_began_at = utc(now)
        table.turn_notice, table.lost_since, table.lost_until, table.granted_seconds = one.key, None, None, None
        if table.paused_at is not None:
            table.paused_at = utc(now)
        stops = clock_suspensions.of(store, [player.id], now)
        clocks.set_deadline(table, clocks.read(table.clock), stops)
