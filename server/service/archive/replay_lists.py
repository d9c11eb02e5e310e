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
_IMPORTER = """
    SELECT r.player_id, p.name FROM imported_record r LEFT JOIN player p ON p.id = r.player_id WHERE r.game_id = ?"""


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
    """The replays that the caller may see, newest first, and how many there are on all pages.

    `after` names the game that the page follows, instead of its number (`list_pages.after_text` of `finished_at`).
    Private games are listed for those who sat in them. Raises `Unprocessable`.
    """
    where, follows = replay_filters.where(player, **filters), list_pages.read_after(after)
    with store.read():
        found, total = list_pages.page(store, where, list_pages.LAST_OVER, page, page_size, follows)
        listed = sql.dicts(store, f"{_LISTED} WHERE g.id IN {list_pages.marks(found)}", *found)
        seated = seats_of(store, found)
    games = {game["id"]: game for game in listed}
    return [_listed(games[game], seated[game]) for game in found], total


def imported(store: Store) -> list[KeptImport]:
    """All imported games for the operator, newest first."""
    with store.read():
        found = sql.dicts(store, _LISTED + " WHERE g.origin = 'imported' ORDER BY g.created_at DESC, g.id")
        sizes: dict[str, int] = dict(sql.rows(store, "SELECT game_id, LENGTH(text) FROM imported_record"))
        seated = {game["id"]: seats_of(store, [game["id"]])[game["id"]] for game in found}
    return [{**_listed(game, seated[game["id"]]), "size": sizes.get(game["id"], 0)} for game in found]


def _listed(game: sql.ByName, seated: list[SeatedPlayer | None]) -> ReplaySummary:
    plies, by, name = game.pop("ply"), game.pop("importer"), game.pop("importer_name")
    told = {
        **with_name(game),
        "imported": _imported(game["origin"], by, name, game["created_at"]),
        "plies": plies,
        "options": json.loads(game["options"]),
        "result": json.loads(game["result"]) if game["result"] else None,
        "edition": edition(game["name"], [one["name"] for one in seated if one is not None]),
        "players": [
            {"seat": one["seat"], "player": one["player"], "name": one["name"], "bot": one["bot"]}
            for one in seated
            if one is not None
        ],
    }
    return cast("ReplaySummary", told)


def summary(store: Store, game_id: str, player: Player | None = None) -> ReplaySummary:
    """One replay. Raises `NotFound`."""
    with store.read():
        return summary_of(store, find(store, game_id, player))


def _imported(origin: str, by: str | None, name: str | None, at: str) -> Imported | None:
    return {"by": by, "name": name, "at": at} if origin == "imported" else None


def summary_of(store: Store, game: Game) -> ReplaySummary:
    """The same of a game that was found, inside a transaction."""
    by, name = sql.row(store, _IMPORTER, game.id) or (None, None)
    return {
        "imported": _imported(game.origin, by, name, game.created_at),
        "id": game.id,
        "name": game.name,
        "ruleset": game.ruleset,
        "options": game.options,
        "seats": game.seat_count,
        "players": [
            {"seat": seat.number, "player": seat.player, "name": seat.name, "bot": seat.called_bot}
            for seat in game.seats
        ],
        "plies": game.ply,
        "origin": game.origin,
        "created_at": game.created_at,
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "result": game.result,
        "edition": game.edition,
    }


def present_edition(store: Store, game_id: str, player: Player | None = None) -> str:
    """The edition of a replay (see `edition`). Raises `NotFound`."""
    with store.read():
        game = find(store, game_id, player)
    return game.edition
