"""The game behind the link of a mail, which is good for one turn.

Looking changes nothing. A link is *live* while the turn that it was sent for goes on, and good for nothing else.
Afterwards it shows what any spectator of the game sees and what has happened since; of a private game no longer than
until the seat has its next turn (`LinkOverError`). It gives no other link and lets nobody act, nor read or write
messages: who comes by an old one signs in, or has the link of the present turn sent to the address of the account
(`send_present`).
"""

from __future__ import annotations

import random
import secrets
from dataclasses import replace
from datetime import datetime, timedelta

from server.language import gettext as _
from server.service.accounts import links, players
from server.service.accounts.links import BadLinkError, OldLinkError
from server.service.accounts.players import Player
from server.service.common import db_rate_limits
from server.service.common.errors import Conflict, NotFound, TooManyRequests
from server.service.games import loading
from server.service.games.model import SANDBOX, Game
from server.service.outbox.addressees import is_reached
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import News
from server.service.play import timeouts, turns
from server.service.views import history
from server.service.views.history import Story
from server.service.views.turn_page import OldLink, TurnPage, is_live, live_page, page_of
from server.storage.database import Store

HOUR = timedelta(hours=1)
SENT_AN_HOUR = 3
"""Mails with the link of a present turn, by game and player."""
ASKED_AN_HOUR = 30
"""Requests for such mails from one machine."""


class LinkOverError(OldLinkError):
    """The turn that a link was for is over, and there is nothing left that it may show."""

    def __init__(self, page: OldLink) -> None:
        super().__init__(_("this link was for a turn that is over: sign in, or use the link in a newer mail"))
        self.page = page


def look(store: Store, token: str, now: datetime, ply: int | None = None, moves: list[str] | None = None) -> TurnPage:
    """The page of a turn link, with a draft while it is live. Raises `BadLinkError`, `LinkOverError`."""
    claims = links.read(store, token, "turn", now=now)
    player = _player(store, claims)
    with store.read():
        game, told, old = _reached(store, claims, player)
        seat: int = claims["seat"]
        if old is None:
            return live_page(game, told, seat, player, ply, moves)
        game = loading.for_reader(store, game.id, None)
        public = history.tell(store, game, None)
        return replace(page_of(game, public, None, seat, claims["ply"]), old=old)


def eyes(store: Store, token: str, now: datetime) -> tuple[str, Player | None]:
    """The game of a turn link, and who looks at it by that link: its player while it is live, else a spectator (None).

    Raises `BadLinkError`, `LinkOverError`.
    """
    claims = links.read(store, token, "turn", now=now)
    player = _player(store, claims)
    with store.read():
        game, _told, old = _reached(store, claims, player)
    return game.id, player if old is None else None


def game_of(store: Store, token: str, now: datetime) -> str:
    """The id of the game that a link is for, whatever became of its turn. Raises `BadLinkError`."""
    claims = links.read(store, token, "turn", now=now)
    player = _player(store, claims)
    with store.read():
        return _table(store, claims, player).id


def _reached(store: Store, claims: links.Claims, player: Player) -> tuple[Game, Story, OldLink | None]:
    """The game of a link, its history, and what else the link leads to where it is not live (None: it is)."""
    game = _table(store, claims, player)
    told = history.tell(store, game, claims["seat"])
    live = is_live(game, told, claims["seat"], claims["ply"])
    return game, told, None if live else _shown_still(game, told, player, claims)


def _shown_still(game: Game, told: Story, player: Player, claims: links.Claims) -> OldLink:
    """What a link that is not live leads to. Raises `LinkOverError` where that is all that is left of it."""
    old = OldLink(player.id, game.id, is_reached(player.email_confirmed_at, player.mail_stopped_at))
    # Whoever may not look on at a private game has seen how the turn of the link went on, and no more.
    later = any(turn.seat == claims["seat"] and turn.began > claims["ply"] for turn in told.turns)
    if game.private and later:
        raise LinkOverError(old)
    return old


def play(
    store: Store, token: str, ply: int, moves: list[str], key: str, now: datetime, rng: random.Random | None = None
) -> None:
    """Play moves of the turn that the link is for. `key` makes a repeat harmless, also of what ended the turn.

    Raises `BadLinkError`, `Conflict` when the turn of the link is over, and what `turns.play` raises.
    """
    try:
        player, game_id = holder(store, token, now)
    except (Conflict, LinkOverError):
        claims = links.read(store, token, "turn", now=now)
        if turns.was_played(store, claims["game"], _player(store, claims), ply, moves, key):
            return
        raise
    turns.play(store, game_id, player, ply, moves, key, now, rng)


def undo(store: Store, token: str, ply: int, now: datetime) -> None:
    """Take back the moves after `ply`, within the turn of the link. Raises as `play`, and as `turns.undo`."""
    player, game_id = holder(store, token, now)
    turns.undo(store, game_id, player, ply, now)


def come_back(store: Store, token: str, now: datetime) -> None:
    """The player is there again: the server plays no longer for the seat. Raises `BadLinkError`, `Conflict`."""
    player, game_id = holder(store, token, now)
    timeouts.come_back(store, player, game_id)


def holder(store: Store, token: str, now: datetime) -> tuple[Player, str]:
    """Whose link this is and the game's id, while it is live: for all that it lets do and read.

    Raises `BadLinkError`, and `Conflict` when its turn is over.
    """
    game_id, player = eyes(store, token, now)
    if player is None:
        raise Conflict(_("this link was for a turn that is over: nothing was done"))
    return player, game_id


def send_present(store: Store, token: str, machine: str, now: datetime) -> None:
    """Mail the link of the present turn to the address of the account that a link was sent to, if it is their turn and
    mails reach it. Whether it is, nothing tells; `machine` is who asks (its address).

    Raises `BadLinkError` for what is no link of that account any more, `TooManyRequests`.
    """
    claims = links.read(store, token, "turn", now=now)
    player = _player(store, claims)
    with store.write():
        game = _table(store, claims, player)
        seat = game.seat_of(player)
        # The same writes whoever is to move.
        if not db_rate_limits.take_from(
            store, "turn link", machine, ASKED_AN_HOUR, HOUR, now
        ) or not db_rate_limits.take(store, "turn link", f"{game.id} {player.id}", SENT_AN_HOUR, HOUR, now):
            raise TooManyRequests(
                _("such links were asked for several times within the hour: check your mail, or sign in"),
                db_rate_limits.left(HOUR, now),
            )
        if seat is None or game.status != "running" or game.to_move != seat:
            return
        key = f"turn_link:{game.id}:{player.id}:{secrets.token_hex(8)}"
        began = history.tell(store, game, seat).turn_began
        tell(store, [News("turn_link", player.id, key, game.id, began)], now)


def _player(store: Store, claims: links.Claims) -> Player:
    player = players.player_by_id(store, claims.get("player"))
    if player is None:
        raise BadLinkError(_("the account that this link was for is gone"))
    return player


def _table(store: Store, claims: links.Claims, player: Player) -> Game:
    """The game, when the player still has that seat in it."""
    try:
        game = loading.for_reader(store, claims["game"], player)
    except NotFound:
        raise BadLinkError(_("the game that this link was for is gone")) from None
    own = game.seat_of(player)
    if own is None or (own != claims["seat"] and game.origin != SANDBOX) or game.state is None:
        raise BadLinkError(_("the seat that this link was for is no longer yours"))
    return game
