"""With whom somebody has played lately: who is offered first where people are invited."""

from __future__ import annotations

from typing import Annotated, TypedDict, cast

from server.engine.ulm1.shapes import UtcTime
from server.service.accounts import contacts
from server.service.accounts.contacts import ContactKind
from server.service.accounts.players import Player
from server.storage import sql
from server.storage.database import Store

_SEATS = 200
"""Of so many of somebody's newest games it is looked who sat there."""


class Opponent(TypedDict):
    """Somebody with whom the caller has played, or a friend of theirs."""

    player: Annotated[str, "Id."]
    name: str
    kind: Annotated[ContactKind | None, "What they are to the caller, who alone knows it."]
    games: Annotated[int, "In so many of the caller's newest games both sat."]
    running: Annotated[int, "So many of these are under way."]
    last: Annotated[UtcTime | None, "When the newest of these was made."]


_RECENT = f"""
    SELECT p.id AS player, p.name, c.kind, u.games, u.running, u.last FROM (
        SELECT o.player_id, COUNT(*) AS games, COUNT(CASE WHEN m.listed = 'running' THEN 1 END) AS running,
            MAX(m.created_at) AS last FROM (
            SELECT s.game_id, s.created_at, s.listed FROM seat s
            WHERE s.player_id = ? AND s.listed IN ('running', 'finished')
            ORDER BY s.created_at DESC LIMIT {_SEATS}) m
        JOIN seat o ON o.game_id = m.game_id AND o.player_id <> ?
        GROUP BY o.player_id) u
    JOIN player p ON p.id = u.player_id LEFT JOIN contact c ON c.player_id = ? AND c.other_id = p.id
    WHERE p.banned_at IS NULL AND NOT EXISTS (SELECT 1 FROM bot_account b WHERE b.player_id = p.id)
    ORDER BY u.last DESC, p.id"""  # noqa: S608


def people(store: Store, player: Player, most: int = 20) -> list[Opponent]:
    """Whom a player may wish to play with: friends by name, then those met in the newest games, last first; nobody whom
    the player keeps away, and no bots."""
    with store.read():
        found = cast("list[Opponent]", sql.dicts(store, _RECENT, player.id, player.id, player.id))
        own = [one for one in contacts.listing(store, player) if one["kind"] == contacts.FRIEND]
    met = {one["player"]: one for one in found}
    friends: list[Opponent] = [
        met.get(one["player"])
        or {"player": one["player"], "name": one["name"], "kind": one["kind"], "games": 0, "running": 0, "last": None}
        for one in own
    ]
    others = [one for one in found if one["kind"] not in (contacts.FRIEND, contacts.BLOCKED)]
    return friends + others[:most]
