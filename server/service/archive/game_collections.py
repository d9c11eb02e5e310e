"""Finished games that somebody has put together, with a text: a course, a season. Public ones are listed; the others
are for who has their address."""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
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


class Collection(TypedDict):
    """Games with a text."""

    id: str
    title: str
    text: str
    player: Annotated[str, "Id of its author."]
    name: Annotated[str, "Its author."]
    public: Annotated[bool, "In the list, for everybody; else for who has its address."]
    entries: Annotated[list[Entry], "In their order."]
    changed_at: Annotated[UtcTime, "When it was last changed."]


_FROM = "FROM collection c JOIN player p ON p.id = c.player_id WHERE p.banned_at IS NULL"
_SELECT = f"SELECT c.id, c.title, c.text, c.player_id AS player, p.name, c.public, c.entries, c.changed_at {_FROM}"
_PUBLIC = """c.public AND NOT EXISTS (
    SELECT 1 FROM contact k WHERE k.player_id = ? AND k.other_id = c.player_id AND k.kind <> 'friend')"""
_LATEST = "ORDER BY c.changed_at DESC, c.id LIMIT ? OFFSET ?"
_CHANGE = "UPDATE collection SET title = ?, text = ?, public = ?, entries = ?, changed_at = ? WHERE id = ?"


def listing(store: Store, reader: Player | None, page: int, size: int) -> tuple[list[Collection], int]:
    """Public collections, the last changed first, and how many there are: without those of whom the reader does not
    read."""
    who = "" if reader is None else reader.id
    with store.read():
        found = sql.dicts(store, f"{_SELECT} AND {_PUBLIC} {_LATEST}", who, size, (page - 1) * size)
        return [_shaped(row) for row in found], sql.value(store, f"SELECT COUNT(*) {_FROM} AND {_PUBLIC}", who) or 0


def of_author(store: Store, player: Player) -> list[Collection]:
    """All of a player's own, the last changed first."""
    rows = sql.dicts(store, f"{_SELECT} AND c.player_id = ? {_LATEST}", player.id, COLLECTIONS_PER_PLAYER + 1, 0)
    return [_shaped(row) for row in rows]


def _shaped(row: sql.ByName) -> Collection:
    return cast("Collection", {**row, "public": bool(row["public"]), "entries": json.loads(row["entries"])})


def read(store: Store, number: str, reader: Player | None) -> tuple[Collection, dict[str, ReplaySummary]]:
    """A collection, for who has its address, and those of its games that the reader may watch. Only its author reads of
    the others, too. Raises `NotFound`."""
    games: dict[str, ReplaySummary] = {}
    with store.read():
        shown = _find(store, number)
        for one in shown["entries"]:
            with suppress(NotFound):
                games[one["game"]] = replay_lists.summary_of(store, replays.find(store, one["game"], reader))
    if reader is None or reader.id != shown["player"]:
        shown["entries"] = [one for one in shown["entries"] if one["game"] in games]
    return shown, games


def _find(store: Store, number: str) -> Collection:
    found = sql.dicts(store, f"{_SELECT} AND c.id = ?", number)
    if not found:
        raise NotFound(_("there is no such collection"))
    return _shaped(found[0])


def add(
    store: Store, player: Player, number: str, game: str, ply: int | None, now: datetime,
    asked: idempotency.Asked | None = None,
) -> str:  # fmt: skip
    """Put a game at the end of one of the player's own, or with `number` "" into a new one; what is there already is
    there once. Returns whose id it is. Raises `Forbidden` (no confirmed address, a bot), `NotFound` (a game that the
    player may not watch), `Unprocessable`, `Conflict` (too many), `TooLarge`."""
    with store.write():
        first = idempotency.before(store, asked)
        if first is not None:
            return str(first.kept["id"])
        known = _own(store, player, number) if number else _new(store, player, now)
        if all((one["game"], one["ply"]) != (game, ply) for one in known["entries"]):
            added: Entry = {"game": game, "ply": ply, "remark": ""}
            _keep(store, player, known, {**known, "entries": [*known["entries"], added]}, now)
        idempotency.keep(store, asked, {"id": known["id"]}, now)
        return known["id"]


def why_no_new(player: Player | None) -> str | None:
    """Why somebody may not make a collection; None: they may."""
    if player is None:
        return _("sign in to make collections")
    return None if player.email_confirmed_at else _("confirm your mail address first: then you may make collections")


def _new(store: Store, player: Player, now: datetime) -> Collection:
    bot_accounts.require_person(store, player)
    refusal = why_no_new(player)
    if refusal is not None:
        raise Forbidden(refusal)
    made = {"id": random_id(secrets.token_bytes, 16), "player_id": player.id, "title": _("New collection"), "text": ""}
    sql.insert(store, "collection", **made, public=False, entries="[]", created_at=utc(now), changed_at=utc(now))
    new = _find(store, made["id"])
    stored_bytes.count(store, player, _size(new))  # from here on, others of this player wait
    if len(of_author(store, player)) > COLLECTIONS_PER_PLAYER:
        most = _("you have %(number)s collections already: delete one first", number=COLLECTIONS_PER_PLAYER)
        raise Conflict(most, kind="limit-reached")
    return new


def change(store: Store, player: Player, number: str, given: Collection, now: datetime) -> None:
    """Write title, text, entries of one of the player's own anew, and whether it is public; games that were in it may
    be gone. Raises as `add`."""
    with store.write():
        _keep(store, player, _own(store, player, number), given, now)


def _own(store: Store, player: Player, number: str) -> Collection:
    sql.value(store, sql.locking(store, "SELECT id FROM player WHERE id = ?"), player.id)
    found = _find(store, number)
    if found["player"] != player.id:
        raise Forbidden(_("this collection is somebody else's"))
    return found


def _keep(store: Store, player: Player, before: Collection, given: Collection, now: datetime) -> None:
    """Check and store what is given. Games that were in it `before` are not asked for again."""
    if len(given["entries"]) > ENTRIES_OF_COLLECTION:
        raise bad_field("entries", _("put at most %(number)s games into a collection", number=ENTRIES_OF_COLLECTION))
    there = {(one["game"], one["ply"]) for one in before["entries"]}
    entries: list[Entry] = []
    for one in given["entries"]:
        if (one["game"], one["ply"]) not in there:
            last = replays.find(store, one["game"], player).ply
            if one["ply"] is not None and not 0 <= one["ply"] <= last:
                raise bad_field("entries", _("the moves of this game are 0 to %(last)s", last=last))
        remark = messages.lines("remark", one["remark"], REMARK_MAX, messages.LINES_MAX)
        entries.append({"game": one["game"], "ply": one["ply"], "remark": remark})
    title, text = checks.name("title", given["title"]), messages.lines("text", given["text"], TEXT_MAX, TEXT_LINES)
    kept: Collection = {**before, "title": title, "text": text, "entries": entries}
    stored_bytes.count(store, player, _size(kept) - _size(before))
    sql.execute(store, _CHANGE, title, text, given["public"], _packed(entries), utc(now), before["id"])


def _packed(entries: list[Entry]) -> str:
    return json.dumps(entries, separators=(",", ":"), ensure_ascii=False)


def _size(one: Collection) -> int:
    texts = one["title"], one["text"], _packed(one["entries"])
    return stored_bytes.MESSAGE + sum(stored_bytes.size_of(text) for text in texts)


def delete(store: Store, player: Player, number: str) -> None:
    """Delete one of the player's own. Raises `NotFound`, `Forbidden`."""
    with store.write():
        _take_away(store, _own(store, player, number))


def remove_as_operator(store: Store, number: str, now: datetime) -> str:
    """Delete any on behalf of the operator; returns its title. Raises `NotFound`."""
    with store.write():
        found = _find(store, number)
        _take_away(store, found)
        audit_log.note(store, "operator_removed_collection", now, found["player"], collection=number)
    return found["title"]


def _take_away(store: Store, one: Collection) -> None:
    stored_bytes.give_back(store, one["player"], _size(one))
    sql.execute(store, "DELETE FROM collection WHERE id = ?", one["id"])
