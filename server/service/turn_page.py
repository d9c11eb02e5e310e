"""What the page of a game shows and lets its reader do. Two doors lead to it: a session, to everything that its player
may do there; and the link of a mail, to the turn of one seat that it was sent for, nothing else.

Looking changes nothing. A link is *live* while the turn that it was sent for goes on, and good for nothing else.
Afterwards it shows what any spectator of the game sees and what has happened since; of a private game no longer than
until the seat has its next turn (`LinkOverError`). It gives no other link and lets nobody act, nor read or write
messages: who comes by an old one signs in, or has the link of the present turn sent to the address of the account
(`send_present`).
"""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from server.language import gettext as _
from server.service import accounts, drafts, games, limits, links, notices, reading, sql, story, timeouts, turns
from server.service.accounts import Player
from server.service.drafts import Draft
from server.service.errors import Conflict, NotFound, TooManyRequests
from server.service.links import BadLinkError, OldLinkError
from server.service.story import Story, Told
from server.service.table import SANDBOX, Table, load
from server.storage.database import Store

HOUR = timedelta(hours=1)
SENT_AN_HOUR = 3
"""Mails with the link of a present turn, by game and player."""
ASKED_AN_HOUR = 30
"""Requests for such mails from one machine."""


class LinkOverError(OldLinkError):
    """The turn that a link was for is over, and there is nothing left that it may show."""

    def __init__(self, page: OldLink) -> None:
        super().__init__(_("this link was for a turn that is over: sign in, or use the link of a newer mail"))
        self.page = page


@dataclass(frozen=True, slots=True)
class OldLink:
    """What an old link leads to: its own account may ask for a new one, or sign in."""

    player_id: str
    game_id: str
    mailed: bool
    """Mails reach the account: its address is confirmed, and none came back."""


@dataclass(frozen=True, slots=True)
class TurnPage:
    """What the page shows. `page` is the game as `games.page` has it, for the reader's eyes: those of the player's
    seat, or of a spectator (who has none, or whose link is not live)."""

    page: dict[str, Any]
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
    draft: Draft | None = None
    """Live: the position after the drafted moves, which may be none."""
    turn: list[Told] = field(default_factory=list)
    """Live: what the player has done this turn, and sent."""
    undo: frozenset[int] = frozenset()
    """The plies of `turn` that can be taken back, with all after them."""
    old: OldLink | None = None
    """Of a link that is not live: what it leads to."""

    @property
    def game_id(self) -> str:
        """The game's id."""
        return str(self.page["id"])

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
    def view(self) -> dict[str, Any] | None:
        """What the board shows: the drafted position, the present one, None before the start."""
        found: dict[str, Any] | None = self.page["view"] if self.draft is None else self.draft.view
        return found


def of_game(
    store: Store, game_id: str, player: Player | None, ply: int | None = None, moves: list[str] | None = None
) -> TurnPage:
    """The page of a game for `player` (None: a stranger), with a draft of `moves` made for `ply`. Raises `NotFound`."""
    with store.read():
        table = load(store, game_id, reader=player)
        table.require_visible(player)
        seat = table.seat_of(player)
        if table.state is None:
            names = story.names_of(table)
            return TurnPage(reading.describe(table, player), names, seat, seat, False, Story(), False, 0)
        told = story.tell(store, table, seat)
        if table.status == "running" and seat is not None and table.to_move == seat:
            return _live_page(table, told, seat, player, ply, moves)
        return _page(table, told, player, seat, told.own_turn_ended)


def look(
    store: Store, token: str, now: datetime, ply: int | None = None, moves: list[str] | None = None
) -> TurnPage:
    """The page of a turn link, with a draft while it is live. Raises `BadLinkError`, `LinkOverError`."""
    claims = links.read(store, token, "turn", now=now)
    player = _player(store, claims)
    with store.read():
        table = _table(store, claims, player)
        seat: int = claims["seat"]
        told = story.tell(store, table, seat)
        if _live(table, told, seat, claims["ply"]):
            return _live_page(table, told, seat, player, ply, moves)
        old = _shown_still(table, told, player, claims)
        table = load(store, table.id, reader=None)
        public = story.tell(store, table, None)
        return replace(_page(table, public, None, seat, claims["ply"]), old=old)


def eyes(store: Store, token: str, now: datetime) -> tuple[str, Player | None]:
    """The game of a turn link, and who looks at it by that link: its player while it is live, else a spectator (None).

    Raises `BadLinkError`, `LinkOverError`.
    """
    claims = links.read(store, token, "turn", now=now)
    player = _player(store, claims)
    with store.read():
        table = _table(store, claims, player)
        seat: int = claims["seat"]
        told = story.tell(store, table, seat)
        live = _live(table, told, seat, claims["ply"])
        if not live:
            _shown_still(table, told, player, claims)
    return table.id, player if live else None


def game_of(store: Store, token: str, now: datetime) -> str:
    """The id of the game that a link is for, whatever became of its turn. Raises `BadLinkError`."""
    claims = links.read(store, token, "turn", now=now)
    player = _player(store, claims)
    with store.read():
        return _table(store, claims, player).id


def _shown_still(table: Table, told: Story, player: Player, claims: dict[str, Any]) -> OldLink:
    """What a link that is not live leads to. Raises `LinkOverError` where that is all that is left of it."""
    old = OldLink(player.id, table.id, player.email_confirmed_at is not None and player.mail_stopped_at is None)
    # Whoever may not look on at a private game has seen how the turn of the link went on, and no more.
    later = any(turn.seat == claims["seat"] and turn.began > claims["ply"] for turn in told.turns)
    if table.private and later:
        raise LinkOverError(old)
    return old


def play(
    store: Store, token: str, ply: int, moves: list[str], key: str, now: datetime, rng: random.Random | None = None
) -> None:
    """Play moves of the turn that the link is for. `key` makes a repeat harmless, also of what ended the turn.

    Raises `BadLinkError`, `Conflict` when the turn of the link is over, and what `games.play` raises.
    """
    try:
        player, game_id = holder(store, token, now)
    except (Conflict, LinkOverError):
        claims = links.read(store, token, "turn", now=now)
        if turns.was_played(store, claims["game"], _player(store, claims), ply, moves, key):
            return
        raise
    games.play(store, game_id, player, ply, moves, key, now, rng)


def undo(store: Store, token: str, ply: int, now: datetime) -> None:
    """Take back the moves after `ply`, within the turn of the link. Raises as `play`, and as `games.undo`."""
    player, game_id = holder(store, token, now)
    games.undo(store, game_id, player, ply, now)


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
        table = _table(store, claims, player)
        seat = table.seat_of(player)
        # The same writes whoever is to move.
        if not limits.take_from(store, "turn link", machine, ASKED_AN_HOUR, HOUR, now) or not limits.take(
            store, "turn link", f"{table.id} {player.id}", SENT_AN_HOUR, HOUR, now
        ):
            raise TooManyRequests(
                _("such links were asked for several times within the hour: look into your mail, or sign in"),
                limits.left(HOUR, now),
            )
        if seat is None or table.status != "running" or table.to_move != seat:
            return
        if sql.row(store, _REACHED, player.id) is None:
            return
        key = f"turn_link:{table.id}:{player.id}:{secrets.token_hex(8)}"
        began = story.tell(store, table, seat).turn_began
        notices.enqueue(store, "turn_link", key=key, now=now, player_id=player.id, game_id=table.id, ply=began)


_REACHED = "SELECT 1 FROM player WHERE id = ? AND email_confirmed_at IS NOT NULL AND mail_stopped_at IS NULL"


def _player(store: Store, claims: dict[str, Any]) -> Player:
    player = accounts.player_by_id(store, claims.get("player"))
    if player is None:
        raise BadLinkError(_("the account that this link was for is gone"))
    return player


def _table(store: Store, claims: dict[str, Any], player: Player) -> Table:
    """The game, when the player still has that seat in it."""
    try:
        table = load(store, claims["game"], reader=player)
    except NotFound:
        raise BadLinkError(_("the game that this link was for is gone")) from None
    own = table.seat_of(player)
    if own is None or (own != claims["seat"] and table.origin != SANDBOX) or table.state is None:
        raise BadLinkError(_("the seat that this link was for is no longer yours"))
    return table


def _live(table: Table, told: Story, seat: int, ply: int) -> bool:
    return table.status == "running" and table.to_move == seat and told.turn_began <= ply


def _live_page(
    table: Table, told: Story, seat: int, player: Player | None, ply: int | None, moves: list[str] | None
) -> TurnPage:
    page = _page(table, told, player, seat, told.own_turn_ended)
    draft = drafts.of(table.seen_by(seat), seat, page.names, ply, moves)
    return replace(page, live=True, draft=draft, turn=told.this_turn(), undo=_undoable(told, seat))


def _page(table: Table, told: Story, player: Player | None, seat: int | None, known_to: int) -> TurnPage:
    return TurnPage(
        page=reading.describe(table, player),
        names=story.names_of(table),
        reader=table.seat_of(player),
        seat=seat,
        live=False,
        story=told,
        autopilot=table.status == "running" and seat is not None and table.places[seat].autopilot,
        known_to=known_to,
    )


def _undoable(told: Story, seat: int) -> frozenset[int]:
    """The newest moves of this turn that are the seat's own and revealed nothing: none that lies before another."""
    plies: set[int] = set()
    for one in reversed(told.this_turn()):
        if one.seat != seat or one.reveals or one.automatic:
            break
        plies.add(one.ply)
    return frozenset(plies)
