"""Taking a seat, leaving it, and letting bots have what is free; before the first move."""

from __future__ import annotations

import random
from datetime import datetime

from server.language import gettext as _
from server.service.accounts import bot_accounts, contacts
from server.service.accounts.players import Player
from server.service.common import checks, idempotency
from server.service.common.errors import Conflict, Forbidden
from server.service.games import clock as clocks
from server.service.games import finish_move, loading, notices, proposals, table_events
from server.service.games.model import Game
from server.service.games.saving import change_row, changing, save_proposal
from server.service.lists import game_page, ratings
from server.service.lists.game_page import GamePage
from server.service.outbox.enqueuing import tell
from server.service.seating import seats, taking_over
from server.service.seating.creating import made_before
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc


def join(
    store: Store,
    player: Player,
    game_id: str,
    client_seed: str | None,
    invitation: str | None,
    now: datetime,
    rng: random.Random | None = None,
    asked: idempotency.Asked | None = None,
) -> GamePage:
    """Take the first free seat; the game starts when it was the last one. While the game is played, take over the seat
    that its players give away by this `invitation`. Returns the page of the game. Raises `NotFound` (also for a private
    game without its invitation), `Conflict` (started, full, or seated already), `Forbidden` (not for bots, nor for whom
    somebody at the table keeps away, nor for who has another rating)."""
    client_seed = checks.client_seed(client_seed)
    with changing(store):
        game = loading.for_change(store, game_id)
        game.require_visible(player, invitation)
        told = idempotency.before(store, asked)
        if told is not None:
            return made_before(store, player, told)
        offered = _require_seat(store, game, player, invitation, now)
        if offered is not None:
            _take_over(store, game, offered, player, now)
            idempotency.keep(store, asked, {"game": game.id}, now)
            return game_page.describe(loading.for_reader(store, game_id, player), player)
        seat = next(seat for seat in game.seats if seat.free)
        seat.player, seat.name, seat.client_seed = player.id, seats.name_at(game, player.name), client_seed
        seats.require_own_hands(store, game)
        seats.note_preferences(seat, seats.present_preferences(store, player))
        seats.seat_down(store, seat)
        tell(store, notices.of_joining(game, seat), now)
        sql.execute(store, _ACCEPTED, utc(now), player.id, game.id, player.id)
        table_events.note(store, game, "joined", seat.number, now)
        return _seated(store, game, player, now, rng, asked)


def require_seat(store: Store, player: Player | None, game_id: str, invitation: str | None, now: datetime) -> None:
    """Raise what `join` would raise now; for somebody new (None) before an account is made for that."""
    with store.read():
        _require_seat(store, loading.for_reader(store, game_id, player), player, invitation, now)


def _require_seat(store: Store, game: Game, player: Player | None, invitation: str | None, now: datetime) -> int | None:
    """The seat that is given away to who has this invitation; None where a free one can be taken. Raises as `join`."""
    game.require_visible(player, invitation)
    if game.seat_of(player) is not None:
        raise Conflict(_("you already have a seat in this game"))
    offered = proposals.offered_seat(game, invitation, now)
    if offered is None:
        game.require_room()
    if clocks.too_late_to_start(store, game, now):
        raise Conflict(_("this game takes no more players: it had to start by a date that is past"))
    if player is not None:
        bot_accounts.require_person(store, player)
        contacts.require_welcome(store, player, [game.creator, *(seat.player for seat in game.seats)])
    if offered is None:
        ratings.require_within(store, game, player)
    return offered


_ACCEPTED = (
    "UPDATE invitation SET accepted_at = ?, declined_at = NULL, player_id = ? WHERE game_id = ? AND invited_id = ?"
)


def _take_over(store: Store, game: Game, number: int, player: Player, now: datetime) -> None:
    """Let the player play on for a seat that was given away, and tell who sat there, and the others."""
    before, game.proposal = game.seats[number].player, None
    save_proposal(store, game)
    taking_over.give_seat(store, game, number, player, now)
    table_events.note(store, game, "joined", number, now)
    tell(store, [*notices.of_replacement(game, number, before), *notices.of_joining(game, game.seats[number])], now)


_LEAVE = "UPDATE seat SET player_id = NULL, name = NULL, client_seed = '', note = NULL WHERE game_id = ? AND seat = ?"


def leave(store: Store, player: Player, game_id: str, now: datetime) -> None:
    """Give the seat back before the start. Who made the game hands it on to the first of those who still sit there; an
    open game that no human sits in any more is abandoned. Raises `NotFound`, `Forbidden` (no seat), `Conflict`
    (started; `resign` is the way out then)."""
    with changing(store):
        game = loading.for_change(store, game_id)
        seat = game.require_seated(player)
        if game.status != "open":
            running = _("the game has started: play the move `resign` instead")
            raise Conflict(running if game.status == "running" else _("the game is over"))
        table_events.note(store, game, "left", seat, now)
        sql.execute(store, _LEAVE, game.id, seat)
        left = [one for one in game.seats if one.is_person and one.number != seat]
        if not left:
            change_row(store, game.id, status="abandoned", finished_at=utc(now))
        elif game.creator == player.id:
            change_row(store, game.id, creator_id=left[0].player)
            tell(store, notices.of_host(game, left[0]), now)
        else:
            change_row(store, game.id)


def fill_with_bots(
    store: Store,
    player: Player,
    game_id: str,
    bot: str,
    now: datetime,
    rng: random.Random | None = None,
    asked: idempotency.Asked | None = None,
) -> GamePage:
    """Let bots take all free seats, so that the game starts now; one with an account takes one of them. Its creator
    may, while they sit in it. Returns the page of the game. Raises `NotFound`, `Forbidden` (not the creator's, no
    seat), `Conflict` (started, or the bot refuses), `Unprocessable` (no such bot)."""
    seats.check_bots([bot], 2)
    with changing(store):
        game = loading.for_change(store, game_id)
        game.require_seated(player)
        told = idempotency.before(store, asked)
        if told is not None:
            return made_before(store, player, told)
        if game.creator != player.id:
            raise Forbidden(_("only whoever made this game may fill it with bots"))
        game.require_room()
        if clocks.too_late_to_start(store, game, now):
            raise Conflict(_("this game had to start by a date that is past"))
        free = [seat for seat in game.seats if seat.free]
        for seat in free[:1] if seats.is_handle(bot) else free:
            seats.seat_bot(store, game, seat, bot, player)
            seats.seat_down(store, seat)
        seats.require_own_hands(store, game)
        return _seated(store, game, player, now, rng, asked)


def _seated(
    store: Store, game: Game, player: Player, now: datetime, rng: random.Random | None, asked: idempotency.Asked | None
) -> GamePage:
    """Begin the game when no seat is free any more, and keep for `asked` which one it was; its page."""
    if any(seat.free for seat in game.seats):
        change_row(store, game.id)
    else:
        finish_move.start(store, game, now, rng)
    idempotency.keep(store, asked, {"game": game.id}, now)
    return game_page.describe(game, player)
