"""What a link to a turn shows and lets its holder do: the turn of one seat of one game, nothing else.

Looking changes nothing. A link is *live* while the turn that it was sent for goes on; afterwards it shows what any
spectator of the game sees, and says what has happened since.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from server.engine.state import State
from server.engine.view import view
from server.service import choices, games, links, reading, sessions, story, timeouts
from server.service.accounts import Player
from server.service.choices import Group
from server.service.errors import Conflict, NotFound
from server.service.links import BadLinkError, OldLinkError
from server.service.story import Story, Told
from server.service.table import SANDBOX, Table, load
from server.storage.database import Store

LEADS_FOR = timedelta(days=21)
"""How long after it was sent a link whose turn is over still leads its player to the present turn and the messages."""


@dataclass(frozen=True, slots=True)
class TurnPage:
    """What the page shows. `view` is for the seat's eyes while the link is live, else for a spectator's."""

    game_id: str
    game_name: str
    status: str
    names: list[str]
    seat: int
    live: bool
    view: dict[str, Any]
    ply: int
    deadline: str | None
    time_zone: str
    result: dict[str, Any] | None
    autopilot: bool
    """The server plays the seat's turns until its player comes back."""
    happened: list[Told]
    """Live: since the player's last turn. Else: since the turn of the link began."""
    turn: list[Told] = field(default_factory=list)
    """Live: what the player has done this turn."""
    groups: list[Group] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    """What ending the turn now would give away."""
    undo_to: int | None = None
    """The ply to which the newest move can be taken back."""
    present: str | None = None
    """Of a link that is not live: a token for the present turn, when that is this player's again."""


def look(store: Store, token: str, now: datetime) -> TurnPage:
    """The page of a turn link. Raises `BadLinkError`."""
    claims, signed_at = links.read_signed(store, token, "turn", now=now)
    player = _player(store, claims)
    with store.read():
        table = _table(store, claims, player)
        seat: int = claims["seat"]
        told = story.tell(store, table, seat)
        live = _live(table, told, seat, claims["ply"])
        own = table.seat_of(player)  # in a sandbox, whose owner moves for all, the one to move
        own_turn = table.status == "running" and own is not None and table.to_move == own
        if live:
            return _live_page(table, told, seat, player)
        table = load(store, table.id, reader=None)
        public = story.tell(store, table, None)
        page = _stale_page(table, public, seat, claims["ply"], player)
    if own_turn and own is not None and now - signed_at <= LEADS_FOR:
        ply = _present_ply(store, page.game_id, player, own)
        fresh = links.turn_token(store, now=now, player_id=player.id, game_id=page.game_id, ply=ply, seat=own)
        return replace(page, present=fresh)
    return page


def play(
    store: Store, token: str, ply: int, move: str, key: str, now: datetime, rng: random.Random | None = None
) -> None:
    """Play one move of the turn that the link is for. `key` makes a repeat harmless.

    Raises `BadLinkError`, `Conflict` when the turn of the link is over, and what `games.play` raises.
    """
    player, page = _require_live(store, token, now)
    games.play(store, page.game_id, player, ply, [move], key, now, rng)


def undo(store: Store, token: str, ply: int, now: datetime) -> None:
    """Take back the moves after `ply`, within the turn of the link. Raises as `play`, and as `games.undo`."""
    player, page = _require_live(store, token, now)
    games.undo(store, page.game_id, player, ply, now)


def come_back(store: Store, token: str, now: datetime) -> None:
    """The player is there again: the server plays no longer for the seat. Raises `BadLinkError`, `Conflict`."""
    player, game_id = seat_holder(store, token, now)
    timeouts.come_back(store, player, game_id)


def seat_holder(store: Store, token: str, now: datetime) -> tuple[Player, str]:
    """Whose link this is and the game's id, for what a link is good for longer than for playing: messages, coming
    back. Raises `BadLinkError`."""
    claims, signed_at = links.read_signed(store, token, "turn", now=now)
    if now - signed_at > LEADS_FOR:
        raise OldLinkError("this link is too old: use that of a newer mail, or sign in")
    player = _player(store, claims)
    with store.read():
        return player, _table(store, claims, player).id


def present(store: Store, player: Player, game: dict[str, Any], now: datetime) -> str | None:
    """A token for the turn that `player`, who has shown otherwise who they are, has in a listed game, or None."""
    if game["status"] != "running" or game["seat"] is None or game["to_move"] != game["seat"]:
        return None
    return links.turn_token(
        store, now=now, player_id=player.id, game_id=game["id"], ply=game["ply"], seat=game["seat"]
    )


def _require_live(store: Store, token: str, now: datetime) -> tuple[Player, TurnPage]:
    page = look(store, token, now)
    if not page.live:
        raise Conflict("this link was for a turn that is over: nothing was played")
    return _player(store, links.read(store, token, "turn", now=now)), page


def _player(store: Store, claims: dict[str, Any]) -> Player:
    player = sessions.player_by_id(store, claims.get("player"))
    if player is None:
        raise BadLinkError("the account that this link was for is gone")
    return player


def _table(store: Store, claims: dict[str, Any], player: Player) -> Table:
    """The game, when the player still has that seat in it."""
    try:
        table = load(store, claims["game"], reader=player)
    except NotFound:
        raise BadLinkError("the game that this link was for is gone") from None
    own = table.seat_of(player)
    if own is None or (own != claims["seat"] and table.origin != SANDBOX) or table.state is None:
        raise BadLinkError("the seat that this link was for is no longer yours")
    return table


def _live(table: Table, told: Story, seat: int, ply: int) -> bool:
    return table.status == "running" and table.to_move == seat and told.turn_began <= ply


def _live_page(table: Table, told: Story, seat: int, player: Player) -> TurnPage:
    state: State = table.seen_by(seat)
    page = _facts(table, player, seat)
    return TurnPage(
        **page,
        seat=seat,
        live=True,
        view=view(state, seat),
        ply=state.ply,
        happened=told.since_own_turn(),
        turn=told.this_turn(),
        groups=choices.groups(state, seat),
        lost=choices.lost_by_ending(state, seat),
        undo_to=_undo_to(told, seat),
    )


def _stale_page(table: Table, told: Story, seat: int, ply: int, player: Player) -> TurnPage:
    state = table.seen_by(None)
    return TurnPage(
        **_facts(table, player, seat),
        seat=seat,
        live=False,
        view=view(state, None),
        ply=state.ply,
        happened=told.since(ply),
    )


def _facts(table: Table, player: Player, seat: int) -> dict[str, Any]:
    return {
        "game_id": table.id,
        "game_name": table.name,
        "status": table.status,
        "names": story.names_of(table),
        "deadline": reading.describe(table, None)["deadline"],
        "time_zone": player.preferences.get("time_zone", "UTC"),
        "result": table.result,
        "autopilot": table.status == "running" and table.places[seat].autopilot,
    }


def _undo_to(told: Story, seat: int) -> int | None:
    """Back by one move, when that was the seat's own, of this turn, and revealed nothing."""
    turn = told.this_turn()
    if not turn or turn[-1].seat != seat or turn[-1].reveals or turn[-1].automatic:
        return None
    return turn[-1].ply - 1


def _present_ply(store: Store, game_id: str, player: Player, seat: int) -> int:
    """The ply that the player sees now: a link for it is live."""
    with store.read():
        return load(store, game_id, reader=player).seen_ply(seat)
