"""Finished games that somebody has put together, with a text: a course, a season. Public ones are listed; the others
are for who has their address."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, TypedDict, cast

from server.engine.ulm1.shapes import UtcTime
from server.language import gettext as _
from server.service.accounts import bot_accounts, stored_bytes
from server.service.accounts.players import Player
from server.service.archive import replay_lists, replays
from server.service.archive.replay_lists import ReplaySummary
from server.service.chat import messages
from server.service.common import audit_log, checks, idempotency
from server.service.common.errors import Conflict, Forbidden, NotFound, bad_field
from server.service.common.ids import random_id
from server.service.common.quotas import COLLECTIONS_PER_PLAYER, ENTRIES_OF_COLLECTION
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

TEXT_MAX, TEXT_LINES = 5000, 200
REMARK_MAX = messages.TEXT_MAX


class Entry(TypedDict):
    """A game of a collection."""

    game: Annotated[str, "Id."]
    ply: Annotated[int | None, "Where to begin; null: at the set-up."]
    remark: str


class ShownEntry(Entry):
    """The same with the game. Its reader may see that; its author reads of those, too, that are gone (null)."""

    replay: ReplaySummary | None


class ListedCollection(TypedDict):
    """What lists say of a collection."""

    id: str
    title: str
    player: Annotated[str, "Id of its author."]
    name: Annotated[str, "Its author."]
    public: Annotated[bool, "In the list, for everybody; else for who has its address."]
    games: Annotated[int, "So many are in it."]
    changed_at: Annotated[UtcTime, "When it was last changed."]


class Collection(ListedCollection):
    """A collection with its games."""

    text: Annotated[str, "Plain text; paragraphs have an empty line between them."]
    entries: Annotated[list[ShownEntry], "In their order, as far as the caller may see the games."]
    created_at: Annotated[UtcTime, "When it was made."]


_FROM = "FROM collection c JOIN player p ON p.id = c.player_id WHERE p.banned_at IS NULL"
_COLUMNS = f"""
    SELECT c.id, c.title, c.player_id AS player, p.name, c.public, c.changed_at, c.text, c.entries, c.created_at
    {_FROM}"""
# Of oneself all; of others what is public, where one reads what they write.
_OWN = "c.player_id = ?"
_PUBLIC = """c.public AND NOT EXISTS (
    SELECT 1 FROM contact k WHERE k.player_id = ? AND k.other_id = c.player_id AND k.kind <> 'friend')"""


def listing(
    store: Store, reader: Player | None, author: str | None = None, page: int = 1, page_size: int = 20
) -> tuple[list[ListedCollection], int]:
    """Public collections, the last changed first, and how many there are; of `author` (an id) alone, and if that is the
    reader, those that are not public, too. Without those of whom the reader does not read."""
    own = "" if reader is None else reader.id
    where, given = (_OWN, [own]) if author == own else (_PUBLIC, [own])
    if author not in (None, own):
        where, given = f"{where} AND {_OWN}", [*given, author]
    with store.read():
        number = sql.value(store, f"SELECT COUNT(*) {_FROM} AND {where}", *given) or 0
        ordered = f"{_COLUMNS} AND {where} ORDER BY c.changed_at DESC, c.id LIMIT ? OFFSET ?"
        return [_listed(row) for row in sql.dicts(store, ordered, *given, page_size, (page - 1) * page_size)], number


def _listed(row: sql.ByName) -> ListedCollection:
    entries, _text, _made = json.loads(row.pop("entries")), row.pop("text"), row.pop("created_at")
    return cast("ListedCollection", {**row, "public": bool(row["public"]), "games": len(entries)})


def read(store: Store, number: str, reader: Player | None) -> Collection:
    """A collection, for who has its address. Raises `NotFound`."""
    with store.read():
        return _read(store, _row(store, number), reader)


def _row(store: Store, number: str) -> sql.ByName:
    found = sql.dicts(store, f"{_COLUMNS} AND c.id = ?", number)
    if not found:
        raise NotFound(_("there is no such collection"))
    return found[0]


def _read(store: Store, row: sql.ByName, reader: Player | None) -> Collection:
    own = reader is not None and reader.id == row["player"]
    entries = []
    for one in json.loads(row["entries"]):
        try:
            game = replays.find(store, one["game"], reader)
            entries.append({**one, "replay": replay_lists.summary_of(store, game)})
        except NotFound:
            if own:
                entries.append({**one, "replay": None})
    told = {"text": row["text"], "created_at": row["created_at"], "entries": entries}
    return cast("Collection", {**_listed(row), **told})


def create(
    store: Store, player: Player, title: str, text: str, public: bool, entries: Sequence[Entry], now: datetime,
    asked: idempotency.Asked | None = None,
) -> Collection:  # fmt: skip
    """Put games together. Raises `Forbidden` (no confirmed address, a bot), `NotFound` (a game that the player may not
    watch), `Unprocessable`, `Conflict` (too many), `TooLarge`."""
    with store.write():
        first = idempotency.before(store, asked)
        if first is not None:
            return _read(store, _row(store, first.kept["id"]), player)
        bot_accounts.require_person(store, player)
        if player.email_confirmed_at is None:
            raise Forbidden(_("confirm your mail address first: then you may make collections"))
        row = _checked(store, player, title, text, public, entries, [])
        stored_bytes.count(store, player, _size(row))  # from here on, others of this player wait
        if (
            sql.value(store, "SELECT COUNT(*) FROM collection WHERE player_id = ?", player.id) or 0
        ) >= COLLECTIONS_PER_PLAYER:
            most = _("you have %(number)s collections already: delete one first", number=COLLECTIONS_PER_PLAYER)
            raise Conflict(most, kind="limit-reached")
        number = random_id(secrets.token_bytes, 16)
        sql.insert(store, "collection", id=number, player_id=player.id, **row, created_at=utc(now), changed_at=utc(now))
        idempotency.keep(store, asked, {"id": number}, now)
        return _read(store, _row(store, number), player)


def change(
    store: Store, player: Player, number: str, title: str, text: str, public: bool, entries: Sequence[Entry],
    now: datetime,
) -> Collection:  # fmt: skip
    """Write a collection anew; games that were in it may be gone. Raises as `create`, and `NotFound`."""
    with store.write():
        before = _own(store, player, number)
        row = _checked(store, player, title, text, public, entries, json.loads(before["entries"]))
        stored_bytes.count(store, player, _size(row) - _size(before))
        changes = (row["title"], row["text"], row["public"], row["entries"], utc(now), number)
        sql.execute(store, _CHANGE, *changes)
        return _read(store, _row(store, number), player)


_CHANGE = "UPDATE collection SET title = ?, text = ?, public = ?, entries = ?, changed_at = ? WHERE id = ?"


def _own(store: Store, player: Player, number: str) -> sql.ByName:
    sql.value(store, sql.locking(store, "SELECT id FROM player WHERE id = ?"), player.id)
    row = _row(store, number)
    if row["player"] != player.id:
        raise Forbidden(_("this collection is somebody else's"))
    return row


def _checked(
    store: Store, player: Player, title: str, text: str, public: bool, entries: Sequence[Entry], known: Sequence[Entry]
) -> dict[str, object]:
    """The columns. Games that were `known` to be in it are not asked for again."""
    if len(entries) > ENTRIES_OF_COLLECTION:
        raise bad_field("entries", _("put at most %(number)s games into a collection", number=ENTRIES_OF_COLLECTION))
    there = {(one["game"], one["ply"]) for one in known}
    kept: list[Entry] = []
    for one in entries:
        if (one["game"], one["ply"]) not in there:
            last = replays.find(store, one["game"], player).ply
            if one["ply"] is not None and not 0 <= one["ply"] <= last:
                raise bad_field("entries", _("the moves of this game are 0 to %(last)s", last=last))
        remark = messages.lines("remark", one["remark"], REMARK_MAX, messages.LINES_MAX)
        kept.append({"game": one["game"], "ply": one["ply"], "remark": remark})
    return {
        "title": checks.name("title", title),
        "text": messages.lines("text", text, TEXT_MAX, TEXT_LINES),
        "public": public,
        "entries": json.dumps(kept, separators=(",", ":"), ensure_ascii=False),
    }


def _size(row: sql.ByName) -> int:
    return stored_bytes.MESSAGE + sum(stored_bytes.size_of(row[name]) for name in ("title", "text", "entries"))


def delete(store: Store, player: Player, number: str) -> None:
    """Delete one of the player's own. Raises `NotFound`, `Forbidden`."""
    with store.write():
        _take_away(store, _own(store, player, number))


def remove_as_operator(store: Store, number: str, now: datetime) -> str:
    """Delete any on behalf of the operator; returns its title. Raises `NotFound`."""
    with store.write():
        row = _row(store, number)
        _take_away(store, row)
        audit_log.note(store, "operator_removed_collection", now, row["player"], collection=number)
    return str(row["title"])


def _take_away(store: Store, row: sql.ByName) -> None:
    stored_bytes.give_back(store, row["player"], _size(row))
    sql.execute(store, "DELETE FROM collection WHERE id = ?", row["id"])
