"""What the page of a game shows and lets its reader do. Two doors lead to it: a session, to everything that its player
may do there; and the link of a mail, to the turn of one seat that it was sent for, nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from server.engine.ulm1.shapes import Score, View
from server.engine.ulm1.state import State
from server.service.accounts.players import Player
from server.service.games import loading
from server.service.games.model import Game
from server.service.lists import game_page
from server.service.lists.game_page import GamePage
from server.service.views import card_facts, drafts, history
from server.service.views.card_facts import CardFacts
from server.service.views.drafts import Draft
from server.service.views.history import Story, Told
from server.storage.database import Store


@dataclass(frozen=True, slots=True)
class OldLink:
    """What an old link leads to: its own account may ask for a new one, or sign in."""

    player_id: str
    game_id: str
    mailed: bool
    """Mails reach the account: its address is confirmed, and none came back."""


@dataclass(frozen=True, slots=True)
class TurnPage:
    """What the page shows. `page` is for the reader's eyes: those of the player's seat, or of a spectator (who has
    none, or whose link is not live)."""

    page: GamePage
    names: list[str]
    reader: int | None
    """Through whose eyes all of this is seen; None: a spectator's."""
    seat: int | None
    """Where the player sits, also when their link is not live."""
    live: bool
    """The reader is to move, here and now."""
    story: Story
    autopilot: bool
    """The server plays the seat's turns until its player comes back."""
    known_to: int
    """The ply up to which the reader knows what happened: of their last turn, or of the link; 0 for others."""
    position: State | None = None
    """What the board shows, as a position: a mask, in which what the reader does not know is made up. For the
    drafted moves see `draft.position`. None before the start."""
    draft: Draft | None = None
    """Live: the position after the drafted moves, which may be none."""
    turn: list[Told] = field(default_factory=list)
    """Live: what the player has done this turn, and sent."""
    undo: frozenset[int] = frozenset()
    """The plies of `turn` that can be taken back, with all after them."""
    old: OldLink | None = None
    """Of a link that is not live: what it leads to."""

    @property
    def standing(self) -> list[Score]:
        """What everybody would have if the game ended now, by seat; [] before the start."""
        return self.page["standing"] or []

    @property
    def game_id(self) -> str:
        """The game's id."""
        return self.page["id"]

    def facts_of(self, card: str, seat: int | None = None) -> CardFacts:
        """What a card does, and what it counts for a seat (None: where the reader sits) as the board stands."""
        position = self.position if self.draft is None else self.draft.position
        return card_facts.of_card(self.story.rules, card, position, self.seat if seat is None else seat)

    @property
    def resigned(self) -> bool:
        """The player has given the seat up."""
        return self._given_up(self.seat)

    @property
    def may_resign(self) -> bool:
        """The reader has a seat to give up."""
        return self.page["status"] == "running" and self.reader is not None and not self._given_up(self.reader)

    def _given_up(self, seat: int | None) -> bool:
        view = self.page["view"]
        return view is not None and seat is not None and bool(view["players"][seat]["resigned"])

    @property
    def view(self) -> View | None:
        """What the board shows: the drafted position, the present one, None before the start."""
        return self.page["view"] if self.draft is None else self.draft.view


def of_game(
    store: Store, game_id: str, player: Player | None, ply: int | None = None, moves: list[str] | None = None
) -> TurnPage:
    """The page of a game for `player` (None: a stranger), with a draft of `moves` made for `ply`. Raises `NotFound`."""
    with store.read():
        game = loading.for_reader(store, game_id, player)
        game.require_visible(player)
        seat = game.seat_of(player)
        if game.state is None:
            names = history.names_of(game)
            return TurnPage(game_page.describe(game, player), names, seat, seat, False, Story(game.rules), False, 0)
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
    draft = drafts.of(game.seen_by(seat), seat, page.names, ply, moves)
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
