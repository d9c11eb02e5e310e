"""What other players are to a player: a friend, one whose messages are not read, one who is kept away.

Each is the wish of one alone, and nobody else is told of it. Here stands what follows from it; messages, mails,
invitations and seats all ask. Who is kept away (`BLOCKED`) is not read either (`MUTED`), sits down at no open table of
the other, and what they send as an invitation never arrives: to them it looks like one that is not answered."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, TypedDict, cast

from server.engine.ulm1.shapes import JsonSchema, UtcTime
from server.language import gettext as _
from server.service.accounts import bot_accounts
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.errors import Conflict, Forbidden, NotFound, bad_field
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

FRIEND, MUTED, BLOCKED = "friend", "muted", "blocked"
KINDS = (FRIEND, MUTED, BLOCKED)
ContactKind = Annotated[str, JsonSchema(enum=KINDS)]
MOST = 500

HEARD = """NOT EXISTS (
    SELECT 1 FROM contact c WHERE c.player_id = ? AND c.other_id = m.player_id AND (
        (c.kind <> 'friend' AND m.kind IS NULL) OR (c.kind = 'blocked' AND m.kind = 'rematch')))"""
"""The SQL condition under which a player, its parameter, reads message `m`. What happens at a table all know, but for
the offer of a rematch."""
FOUND = "EXISTS (SELECT 1 FROM player f WHERE f.id = ? AND f.found_as IS NOT NULL)"
"""The SQL condition under which a player, its parameter, can be found by everybody."""
TOGETHER = """EXISTS (
    SELECT 1 FROM seat a JOIN seat b ON b.game_id = a.game_id WHERE a.player_id = ? AND b.player_id = p.id)"""
"""The SQL condition under which a player, its parameter, has sat at a table with player `p`."""
KNOWN = f"(p.found_as IS NOT NULL OR {TOGETHER})"
"""The same under which that player may know of `p`: who wishes not to be found is known to who sat with them."""
KEPT_APART = """EXISTS (
    SELECT 1 FROM contact c JOIN seat s ON s.game_id = g.id WHERE c.kind = 'blocked' AND (
        (c.other_id = ? AND c.player_id IN (s.player_id, g.creator_id))
        OR (c.player_id = ? AND c.other_id = s.player_id)))"""
"""The same under which somebody at the table of game `g` keeps a player away, or is kept away: it is asked twice."""


class Contact(TypedDict):
    """What another player is to the caller, who alone knows it."""

    player: Annotated[str, "Id."]
    name: str
    kind: ContactKind
    since: Annotated[UtcTime, "When the caller said so."]


_LISTED = """
    SELECT c.other_id AS player, p.name, c.kind, c.since FROM contact c JOIN player p ON p.id = c.other_id
    WHERE c.player_id = ? ORDER BY p.name, p.id"""


def listing(store: Store, player: Player) -> list[Contact]:
    """All of a player's own, by name."""
    with store.read():
        return cast("list[Contact]", sql.dicts(store, _LISTED, player.id))


def kind_of(store: Store, player_id: str, other_id: str) -> str | None:
    """What the other is to a player; None: nothing in particular."""
    return sql.value(store, "SELECT kind FROM contact WHERE player_id = ? AND other_id = ?", player_id, other_id)


_OTHER = f"SELECT p.name FROM player p WHERE p.id = ? AND {KNOWN}"  # noqa: S608
_PUT = """
    INSERT INTO contact (player_id, other_id, kind, since) VALUES (?, ?, ?, ?)
    ON CONFLICT (player_id, other_id) DO UPDATE SET kind = excluded.kind, since = excluded.since"""
_NUMBER = "SELECT COUNT(*) FROM contact WHERE player_id = ? AND other_id <> ?"


def put(store: Store, player: Player, other_id: str, kind: str, now: datetime) -> Contact:
    """Let another player be one of `KINDS` to this one, and nothing else. Raises `NotFound` (nobody whom the player may
    know of), `Forbidden` (a bot has none), `Conflict` (that is oneself, too many), `Unprocessable`."""
    if kind not in KINDS:
        raise bad_field("kind", _("give one of %(names)s", names=", ".join(KINDS)))
    other_id = checks.text("player", other_id, 32)
    with store.write():
        bot_accounts.require_person(store, player)
        if other_id == player.id:
            raise Conflict(_("that is you: choose somebody else"))
        name = sql.value(store, _OTHER, other_id, player.id)
        if name is None:
            raise no_such_player()
        if (sql.value(store, _NUMBER, player.id, other_id) or 0) >= MOST:
            most = _("you have %(number)s people in your lists: take somebody out first", number=MOST)
            raise Conflict(most, kind="limit-reached")
        sql.execute(store, _PUT, player.id, other_id, kind, utc(now))
    return {"player": other_id, "name": name, "kind": kind, "since": utc(now)}


def forget(store: Store, player: Player, other_id: str) -> None:
    """Let another player be nothing in particular, as nearly everybody is."""
    with store.write():
        sql.execute(store, "DELETE FROM contact WHERE player_id = ? AND other_id = ?", player.id, other_id)


_INVITABLE = f"""{_OTHER} AND p.banned_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM bot_account b WHERE b.player_id = p.id)"""  # noqa: S608


def invitable(store: Store, player: Player, other_id: str) -> str | None:
    """What somebody is called whom a player may invite by their id: a person whom the player may know of. None: nobody
    like that."""
    if other_id == player.id or not checks.storable(other_id):
        return None
    return sql.value(store, _INVITABLE, other_id, player.id)


def have_sat_together(store: Store, player_id: str, other_id: str) -> bool:
    """Whether two have sat at one table."""
    statement = f"SELECT 1 FROM player p WHERE p.id = ? AND {TOGETHER}"  # noqa: S608
    return sql.row(store, statement, player_id, other_id) is not None


def no_such_player() -> NotFound:
    """The one answer for players who are not there and players who wish not to be found."""
    return NotFound(_("there is no such player, or they wish not to be found"))


# What follows from it


_DEAF = "SELECT player_id FROM contact WHERE other_id = ? AND kind <> 'friend'"
_BLOCKERS = "SELECT player_id FROM contact WHERE other_id = ? AND kind = 'blocked'"


def deaf_to(store: Store, player_id: str) -> set[str]:
    """Who does not read what this player writes."""
    return {one for (one,) in sql.rows(store, _DEAF, player_id)}


def kept_away_by(store: Store, player_id: str, others: Iterable[str | None]) -> set[str]:
    """Who of the others keeps this player away."""
    return {one for (one,) in sql.rows(store, _BLOCKERS, player_id)}.intersection(filter(None, others))


def require_welcome(store: Store, player: Player, others: Iterable[str | None]) -> None:
    """Raise `Forbidden` where one of the others, at whose table the player would sit down, keeps the player away; it is
    not said who, or why."""
    if kept_away_by(store, player.id, others):
        raise Forbidden(_("it is not possible for you to take a seat in this game"))
