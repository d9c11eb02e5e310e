"""Pausing a game: the clock stands still while every player left wants it, or the operator holds it."""

from __future__ import annotations

from datetime import datetime, timedelta

from server.language import gettext as _
from server.service.accounts import links, players
from server.service.accounts.links import BadLinkError
from server.service.accounts.players import Player
from server.service.common import audit_log
from server.service.common.errors import Conflict, Forbidden, NotFound
from server.service.games import clock as clocks
from server.service.games import loading, notices, table_events
from server.service.games.model import Game
from server.service.games.saving import change_row, changing, save_seat, turn_columns
from server.service.lists import game_page
from server.service.lists.game_page import GamePage
from server.service.outbox.enqueuing import tell
from server.storage.database import Store
from server.storage.times import parse_utc, utc

PAUSE_MAX = timedelta(days=90)
"""After that the clock runs again: a game whose players have all forgotten it comes to its end."""


def by_link(store: Store, token: str, now: datetime) -> tuple[Player, GamePage]:
    """Whose link of a mail about a pause this is, and the page of its game for them; it lets do nothing but wish for a
    pause, or for none. Raises `BadLinkError`."""
    claims = links.read(store, token, "pause", now=now)
    player = players.player_by_id(store, claims["player"])
    if player is None:
        raise BadLinkError(_("the account that this link was for is gone"))
    try:
        page = game_page.page(store, claims["game"], player)
    except NotFound:
        raise BadLinkError(_("the game that this link was for is gone")) from None
    if page["seat"] is None:
        raise BadLinkError(_("the seat that this link was for is no longer yours"))
    return player, page


def vote(store: Store, player: Player, game_id: str, now: datetime) -> GamePage:
    """Wish for a pause; it begins when everybody does who has not resigned and for whom the server does not play. Moves
    may be played meanwhile. The others are told, by mail too. Returns the page of the game. Raises `NotFound`,
    `Forbidden` (no seat), `Conflict` (no clock, not running, resigned, or the time of the turn is already over)."""
    with changing(store):
        game = loading.for_change(store, game_id)
        number = _require_clock(game, player)
        if clocks.is_over(game, now):
            clocks.refresh(store, game, now)
        if clocks.is_over(game, now):
            raise Conflict(_("the time for the present turn is up: ask again when it is settled"))
        seat = game.seats[number]
        known = seat.wants_pause and not seat.autopilot
        if not known:
            seat.wants_pause, seat.autopilot, seat.timeouts = True, False, 0
            save_seat(store, seat)
        agreed = all(other.wants_pause or other.autopilot for other in clocks.living(game))
        if game.paused_at is None and agreed:
            game.paused_at, game.deadline = utc(now), None
            noted = table_events.note(store, game, "paused", number, now)
        elif known:
            return game_page.page(store, game_id, player)
        else:
            noted = table_events.note(store, game, "pause_wish", number, now)
        tell(store, notices.of_pause(game, noted, number), now)
        change_row(store, game.id, **turn_columns(game))
    return game_page.page(store, game_id, player)


def withdraw(store: Store, player: Player, game_id: str, now: datetime) -> GamePage:
    """Wish for no pause (any more). A pause that holds ends with it, with as much time left as when it began, and all
    wishes are forgotten. Returns and raises as `vote` does, and `Conflict` while the operator holds the game."""
    with changing(store):
        game = loading.for_change(store, game_id)
        seat = _require_clock(game, player)
        if game.paused_at is not None:
            if game.held:
                raise Conflict(_("the operator of this server has paused this game: it goes on when they let it"))
            _resume(store, game, now, seat)
        elif game.seats[seat].wants_pause:
            game.seats[seat].wants_pause = False
            save_seat(store, game.seats[seat])
            table_events.note(store, game, "no_pause_wish", seat, now)
            change_row(store, game.id, **turn_columns(game))
    return game_page.page(store, game_id, player)


def end_long_pause(store: Store, game_id: str, now: datetime) -> bool:
    """Let the clock run again in a game that is paused for `PAUSE_MAX`; False when it is not (any more)."""
    with changing(store):
        game = loading.for_change(store, game_id)
        if (
            game.status != "running"
            or game.paused_at is None
            or game.held
            or parse_utc(game.paused_at) + PAUSE_MAX > now
        ):
            return False
        _resume(store, game, now, None)
    return True


def hold(store: Store, game_id: str, now: datetime) -> bool:
    """Let the clock of a running game stand still until `let_run`, on behalf of the operator; False when it does
    already. Moves may be played. Raises `NotFound`, `Conflict` (not running, no clock)."""
    with changing(store):
        game = loading.for_change(store, game_id)
        game.require_running()
        if game.clock is None:
            raise Conflict(_("this game has no clock: nothing needs to be paused"))
        if game.held:
            return False
        if game.paused_at is None:
            game.paused_at, game.deadline = utc(now), None
            tell(store, notices.of_pause(game, table_events.note(store, game, "paused", None, now), None), now)
        change_row(store, game.id, **turn_columns(game), held=True)
        audit_log.note(store, "operator_paused_game", now, game=game.id)
    return True


def let_run(store: Store, game_id: str, now: datetime) -> bool:
    """End the operator's pause, with the time left as when it began; False for none. Raises `NotFound`."""
    with changing(store):
        game = loading.for_change(store, game_id)
        if not game.held:
            return False
        if game.status == "running" and game.paused_at is not None:
            _resume(store, game, now, None)
        change_row(store, game.id, held=False)
        audit_log.note(store, "operator_resumed_game", now, game=game.id)
    return True


def _resume(store: Store, game: Game, now: datetime, by: int | None) -> None:
    """Let the time of the turn under way begin so long ago as it had run before the pause, forget all wishes, and tell
    all but the player of seat `by`, who let the clock run (None: nobody of the table)."""
    if game.clock is None or game.to_move is None:
        return
    clock, mover = clocks.read(game.clock), game.seats[game.to_move]
    stops = clocks.suspensions(store, [] if mover.player is None else [mover.player], now)
    spent = clocks.used(game, clock, mover, stops, now)
    days = clocks.calendar(clock, clocks.zone(game, mover), mover.player, stops, clocks.lost_time(game, now))
    if clock.due is not None:
        clocks.lengthen(game, clock, days)  # it may have been a later time of the day than comes first now
    whole_seconds = now.replace(microsecond=0)
    game.turn_began_at = utc(days.retreat(whole_seconds, spent) if spent > timedelta() else whole_seconds)
    game.paused_at = None
    clocks.set_deadline(game, clock, stops)
    for seat in game.seats:
        if seat.wants_pause:
            seat.wants_pause = False
            save_seat(store, seat)
    tell(store, notices.of_pause(game, table_events.note(store, game, "resumed", by, now), by), now)
    change_row(store, game.id, **turn_columns(game))


def _require_clock(game: Game, player: Player) -> int:
    seat = game.require_seated(player)
    if game.seats[seat].handle is not None:
        raise Forbidden(_("pauses are for people"))
    state = game.require_running()
    if game.clock is None:
        raise Conflict(_("this game has no clock: nothing needs to be paused"))
    if state.players[seat].resigned:
        raise Conflict(_("your seat has resigned: pauses are for those who play"))
    return seat
