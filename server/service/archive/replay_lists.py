"""Lists of finished and imported games, and what is said of one."""

from __future__ import annotations

import json
from typing import Annotated, TypedDict, Unpack, cast

from server.engine.ulm1.shapes import JsonSchema, Options, Result, UtcTime
from server.service.accounts.players import Player
from server.service.archive import replay_filters
from server.service.archive.replays import find
from server.service.common.cache_edition import edition
from server.service.common.naming import TITLE, with_name
from server.service.games.model import Edition, Game
from server.service.lists import list_pages
from server.service.lists.game_lists import SeatedPlayer, seats_of
from server.service.lists.list_pages import Total
from server.storage import sql
from server.storage.database import Store

_LISTED = f"""
    SELECT g.id, {TITLE}, g.ruleset, g.options, g.seats, g.ply, g.origin, g.created_at, g.started_at, g.finished_at,
        g.result, r.player_id AS importer, p.name AS importer_name
    FROM game g LEFT JOIN imported_record r ON r.game_id = g.id LEFT JOIN player p ON p.id = r.player_id"""  # noqa: S608


class ReplayPlayer(TypedDict):
    """Who sat on a seat."""

    seat: int
    player: Annotated[str | None, "Id; null for bots, former players and imported games."]
    name: str | None
    bot: str | None


class Imported(TypedDict):
    """Who brought a record here, and when. That it verifies does not tell who played it."""

    by: Annotated[str | None, "Id; null without an account any more."]
    name: str | None
    at: Annotated[UtcTime, "When it was kept."]


class ReplaySummary(TypedDict):
    """A finished or imported game."""

    imported: Annotated[Imported | None, "null for games played here."]
    id: str
    name: Annotated[str, JsonSchema(type=["string", "null"])]
    ruleset: str
    options: Options
    seats: int
    players: Annotated[list[ReplayPlayer], "By seat."]
    plies: Annotated[int, "Moves in it: the last ply."]
    origin: Annotated[str, JsonSchema(enum=replay_filters.ORIGINS)]
    created_at: Annotated[UtcTime, "When it was made.", JsonSchema(type=["string", "null"])]
    started_at: Annotated[UtcTime | None, "When the last seat was taken."]
    finished_at: Annotated[UtcTime | None, "When it ended."]
    result: Result | None
    edition: Edition


class KeptImport(ReplaySummary):
    """An imported game; `size` are the characters of its record."""

    size: int


def listing(
    store: Store,
    player: Player | None,
    page: int = 1,
    page_size: int = 20,
    after: str | None = None,
    **filters: Unpack[replay_filters.Filters],
) -> tuple[list[ReplaySummary], Total]:
    """The replays that the caller may see, newest first, and how many there are on all pages. `after` names the game
    that the page follows, instead of its number (`list_pages.after_text` of `finished_at`). Private games are listed
    for those who sat in them. Raises `Unprocessable`."""
    where, follows = replay_filters.where(player, **filters), list_pages.read_after(after)
    with store.read():
        found, total = list_pages.page(store, where, list_pages.LAST_OVER, page, page_size, follows)
        return _summaries(store, found), total


def imported(store: Store) -> list[KeptImport]:
    """All imported games for the operator, newest first."""
    statement = """
        SELECT g.id, LENGTH(r.text) FROM game g LEFT JOIN imported_record r ON r.game_id = g.id
        WHERE g.origin = 'imported' ORDER BY g.created_at DESC, g.id"""
    with store.read():
        found = sql.rows(store, statement)
        return [{**_summaries(store, [game_id])[0], "size": size or 0} for game_id, size in found]


def _summaries(store: Store, games: list[str]) -> list[ReplaySummary]:
    """What is said of games, by their ids, inside a transaction."""
    listed = sql.dicts(store, f"{_LISTED} WHERE g.id IN {list_pages.marks(games)}", *games)
    rows, seated = {row["id"]: row for row in listed}, seats_of(store, games)
    return [_summary(rows[game], [seat for seat in seated[game] if seat is not None]) for game in games]


def _summary(row: sql.ByName, seats: list[SeatedPlayer]) -> ReplaySummary:
    plies, by, name = row.pop("ply"), row.pop("importer"), row.pop("importer_name")
    imported = {"by": by, "name": name, "at": row["created_at"]} if row["origin"] == "imported" else None
    told = {
        **with_name(row),
        "imported": imported,
        "plies": plies,
        "options": json.loads(row["options"]),
        "result": json.loads(row["result"]) if row["result"] else None,
        "edition": edition(row["name"], [seat["name"] for seat in seats]),
        "players": [
            {"seat": one["seat"], "player": one["player"], "name": one["name"], "bot": one["bot"]} for one in seats
        ],
    }
    return cast("ReplaySummary", told)


def summary(store: Store, game_id: str, player: Player | None = None) -> ReplaySummary:
    """One replay. Raises `NotFound`."""
    with store.read():
        return summary_of(store, find(store, game_id, player))


def summary_of(store: Store, game: Game) -> ReplaySummary:
    """The same of a game that was found, inside a transaction."""
    return _summaries(store, [game.id])[0]


def present_edition(store: Store, game_id: str, player: Player | None = None) -> str:
    """The edition of a replay (see `edition`). Raises `NotFound`."""
    with store.read():
        game = find(store, game_id, player)
    return game.edition
