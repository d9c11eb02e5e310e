"""What the page of a game shows and lets its reader do: a session all that its player may do, a link one seat's turn.

Looking changes nothing. A link is *live* while its turn goes on. Afterwards it shows what any spectator sees; of a
private game no longer than until the seat has its next turn (`LinkOverError`). It gives no other link and lets nobody
act, nor read or write messages: who comes by an old one signs in, or has the present link sent to the account
(`send_present`).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from datetime import datetime

from server.engine.ulm1.shapes import Score, View
from server.engine.ulm1.state import State
from server.language import gettext as _
from server.service.accounts import links, players
from server.service.accounts.links import BadLinkError, OldLinkError
from server.service.accounts.players import Player
from server.service.common import db_rate_limits
from server.service.common.errors import Conflict, NotFound, TooManyRequests
from server.service.common.quotas import HOUR, TURN_LINK_ASKS_AN_HOUR, TURN_LINKS_AN_HOUR
from server.service.explain import card_facts, history
from server.service.explain.card_facts import CardFacts
from server.service.explain.history import Story, ToldMove
from server.service.games import loading
from server.service.games.model import SANDBOX, Game
from server.service.lists import game_page
from server.service.lists.game_page import GamePage
from server.service.outbox.addressees import is_reached
from server.service.outbox.enqueuing import tell
from server.service.outbox.news import News
from server.service.play import turns
from server.service.views import drafts
from server.service.views.drafts import Draft
from server.storage.database import Store


@dataclass(frozen=True, slots=True)
class OldLink:
    """What an old link leads to: its own account may ask for a new one, or sign in."""

    player_id: str
    game_id: str
    mailed: bool  # mails reach the account: its address is confirmed, and none came back


@dataclass(frozen=True, slots=True)
class TurnPage:
    """What the page shows. `page` is for the reader's eyes: those of the player's seat, or of a spectator."""

    page: GamePage
    names: list[str]
    reader: int | None  # through whose eyes all of this is seen; None: a spectator's
    seat: int | None  # where the player sits, also when their link is not live
    live: bool  # the reader is to move, here and now
    story: Story
    autopilot: bool  # the server plays the seat's turns until its player comes back
    known_to: int
    """The ply up to which the reader knows what happened: of their last turn, or of the link; 0 for others."""
    position: State | None = None
    """What the board shows, as a mask of the position; of drafted moves see `draft.position`. None before the start."""
    draft: Draft | None = None  # live: the position after the drafted moves, which may be none
    turn: list[ToldMove] = field(default_factory=list)  # live: what the player has done this turn, and sent
    undo: frozenset[int] = frozenset()  # the plies of `turn` that can be taken back, with all after them
    old: OldLink | None = None  # of a link that is not live: what it leads to

    @property
    def standing(self) -> list[Score]:
        """What everybody would have if the game ended now, by seat; [] before the start."""
        return self.page["standing"] or []

    @property
    def game_id(self) -> str:
        """The game's id."""
        return self.page["id"]

    def facts_of(self, card: str) -> CardFacts:
        """What a card does, and what it counts for the reader as the board stands."""
        position = self.position if self.draft is None else self.draft.position
        return card_facts.of_card(self.story.rules, card, position, self.seat)

    @property
    def resigned(self) -> bool:
        """The player has given the seat up."""
        return self.gave_up(self.seat)

    @property
    def may_resign(self) -> bool:
        """The reader has a seat to give up."""
        return self.page["status"] == "running" and self.reader is not None and not self.gave_up(self.reader)

    def gave_up(self, seat: int | None) -> bool:
        """Whether the player of a seat has resigned."""
        view = self.page["view"]
        return view is not None and seat is not None and bool(view["players"][seat]["resigned"])

    @property
    def view(self) -> View | None:
        """What the board shows: the drafted position, the present one, None before the start."""
        return self.page["view"] if self.draft is None else self.draft.view


def page_of_game(
    store: Store, game_id: str, player: Player | None, ply: int | None = None, moves: list[str] | None = None
) -> TurnPage:
    """The page of a game for `player` (None: a stranger), with a draft of `moves` made for `ply`. Raises `NotFound`."""
    with store.read():
        game = loading.for_reader(store, game_id, player)
        game.require_visible(player)
        seat = game.seat_of(player)
        if game.state is None:
            names = history.names_of(game)
            page = game_page.describe(game, player)
            return TurnPage(page, names, seat, seat, False, Story(game.rules), False, 0)
        told = history.tell(store, game, seat)
        if game.status == "running" and seat is not None and game.to_move == seat:
            return live_page(game, told, seat, player, ply, moves)
        return page_of(game, told, player, seat, told.own_turn_ended)


def is_live(game: Game, told: Story, seat: int, ply: int) -> bool:
    """Whether the turn that began at `ply`, or the one under way then, is still the seat's to play."""
    return game.status == "running" and game.to_move == seat and told.turn_began <= ply


def live_page(
    game: Game, told: Story, seat: int, player: Player | None, ply: int | None, moves: list[str] | None
) -> TurnPage:
    """The page of the turn under way, for the player of `seat`, with a draft of `moves` made for `ply`."""
    page = page_of(game, told, player, seat, told.own_turn_ended)
    draft = drafts.make(game.seen_by(seat), seat, page.names, ply, moves)
    return replace(page, live=True, draft=draft, turn=told.this_turn(), undo=told.undoable(seat))


def page_of(game: Game, told: Story, player: Player | None, seat: int | None, known_to: int) -> TurnPage:
    """The page for somebody who has nothing to do now: `seat` is where they sit, if anywhere."""
    return TurnPage(
        page=game_page.describe(game, player),
        names=history.names_of(game),
        reader=game.seat_of(player),
        seat=seat,
        live=False,
        story=told,
        autopilot=game.status == "running" and seat is not None and game.seats[seat].autopilot,
        known_to=known_to,
        position=_mask(game, game.seat_of(player)),
    )


def _mask(game: Game, reader: int | None) -> State | None:
    if game.state is None:
        return None
    return game.rules.dealt(game.seen_by(reader), () if reader is None else (reader,), None)


class LinkOverError(OldLinkError):
    """The turn that a link was for is over, and there is nothing left that it may show."""

    def __init__(self, page: OldLink) -> None:
        super().__init__(_("this link was for a turn that is over: sign in, or use the link in a newer mail"))
        self.page = page


def page_of_link(
    store: Store, token: str, now: datetime, ply: int | None = None, moves: list[str] | None = None
) -> TurnPage:
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
    """The game of a turn link, and its player while it is live, else None. Raises `BadLinkError`, `LinkOverError`."""
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
        return _game(store, claims, player).id


def _reached(store: Store, claims: links.Claims, player: Player) -> tuple[Game, Story, OldLink | None]:
    """The game of a link, its history, and what else the link leads to where it is not live (None: it is)."""
    game = _game(store, claims, player)
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


def play(store: Store, token: str, ply: int, moves: list[str], key: str, now: datetime) -> None:
    """Play moves of the link's turn, once by `key`. Raises `BadLinkError`, `Conflict`, and what `turns.play` does."""
    try:
        player, game_id = holder(store, token, now)
    except (Conflict, LinkOverError):
        claims = links.read(store, token, "turn", now=now)
        if turns.was_played(store, claims["game"], _player(store, claims), ply, moves, key):
            return
        raise
    turns.play(store, game_id, player, ply, moves, key, now)


def holder(store: Store, token: str, now: datetime) -> tuple[Player, str]:
    """Whose live link this is and the game's id. Raises `BadLinkError`, and `Conflict` when its turn is over."""
    game_id, player = eyes(store, token, now)
    if player is None:
        raise Conflict(_("this link was for a turn that is over: nothing was done"))
    return player, game_id


def send_present(store: Store, token: str, machine: str, now: datetime) -> None:
    """Mail the link of the present turn to the address of the account that a link was sent to, if it is their turn and
    mails reach it; nothing tells whether. `machine` is who asks (its address). Raises `BadLinkError`,
    `TooManyRequests`."""
    claims = links.read(store, token, "turn", now=now)
    player = _player(store, claims)
    with store.write():
        game = _game(store, claims, player)
        seat = game.seat_of(player)
        # The same writes whoever is to move.
        if not db_rate_limits.take_from(
            store, "turn link", machine, TURN_LINK_ASKS_AN_HOUR, HOUR, now
        ) or not db_rate_limits.take(store, "turn link", f"{game.id} {player.id}", TURN_LINKS_AN_HOUR, HOUR, now):
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


def _game(store: Store, claims: links.Claims, player: Player) -> Game:
    """The game, when the player still has that seat in it."""
    try:
        game = loading.for_reader(store, claims["game"], player)
    except NotFound:
        raise BadLinkError(_("the game that this link was for is gone")) from None
    own = game.seat_of(player)
    if own is None or (own != claims["seat"] and game.origin != SANDBOX) or game.state is None:
        raise BadLinkError(_("the seat that this link was for is no longer yours"))
    return game
