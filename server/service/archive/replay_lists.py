"""Lists of finished and imported games, and what is said of one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Annotated, TypedDict, Unpack, cast

from server.engine.canonical import Json
from server.engine.errors import UlmError
from server.engine.ulm1.shapes import JsonSchema, Options, Result, UtcTime
from server.service.accounts.players import Player
from server.service.archive import replays
from server.service.archive.replays import find
from server.service.common import checks
from server.service.common.cache_edition import edition
from server.service.common.errors import NotFound, bad_field
from server.service.common.naming import TITLE, with_name
from server.service.games import bots
from server.service.games.model import ORIGINS, Edition, Game, Origin
from server.service.lists import game_lists, list_pages
from server.service.lists.game_lists import MEMBER, SeatedPlayer, seats_of
from server.service.lists.list_pages import After, Total, Where
from server.storage import sql
from server.storage.database import Store

SCORE_MAX = 100_000


class Filters(TypedDict, total=False):
    """Which games. `member` is the id of a player who sat in them, `winner` of one who won; `tower`, `rotate_start`,
    `seats` and `origin` choose the kind of game, `since` and `until` the days (UTC, both included) on which it ended or
    was imported, `score_min` and `score_max` what the winner had,
    `deal` (for `export` alone) the deal that they are of. None chooses nothing."""

    member: str | None
    tower: bool | None
    rotate_start: bool | None
    seats: int | None
    origin: str | None
    winner: str | None
    since: date | None
    until: date | None
    score_min: int | None
    score_max: int | None
    deal: str | None


def where(player: Player | None, **filters: Unpack[Filters]) -> Where:
    """The finished games that `filters` leave over, of those that the caller may see. Raises `Unprocessable`."""
    member, winner = filters.get("member"), filters.get("winner")
    member = None if member is None else checks.text("player", member, 64)
    winner = None if winner is None else checks.text("winner", winner, 64)
    found = game_lists.visible(player, winner or member, winner is not None, ("finished",))
    if winner is not None and member is not None:
        found = game_lists.of_found(found.also(MEMBER, member), player, member)
    return _narrowed(found, **filters)


def of_all(found: Where, player: Player | None, **filters: Unpack[Filters]) -> Where:
    """Of these games the finished ones that `filters` leave over, to be counted one by one: whoever asks, but for whom
    the filters may name. Raises `Unprocessable`."""
    member, winner = filters.get("member"), filters.get("winner")
    found = found.also("g.status = 'finished'")
    if member is not None:
        found = game_lists.of_found(found.also(MEMBER, checks.text("player", member, 64)), player, member)
    if winner is not None:
        found = found.also(f"{MEMBER[:-1]} AND m.won = ?)", checks.text("winner", winner, 64), True)
        found = game_lists.of_found(found, player, winner)
    return _narrowed(found, **filters)


def _narrowed(found: Where, **filters: Unpack[Filters]) -> Where:
    """What the filters leave over that name no player."""
    seats, origin, deal = filters.get("seats"), filters.get("origin"), filters.get("deal")
    since, until = filters.get("since"), filters.get("until")
    for option, wanted in (("tower", filters.get("tower")), ("rotate_start", filters.get("rotate_start"))):
        if wanted is not None:
            found = found.also(f"g.{option} = ?", checks.flag(option, wanted))
    if seats is not None:
        found = found.also("g.seats = ?", checks.whole("seats", seats, 2, 4))
    if deal is not None:
        found = found.also("g.deal_id = ?", deal)
    if origin is not None:
        if origin not in ORIGINS:
            known = f"one of {', '.join(ORIGINS)}"
            raise bad_field("origin", known)
        found = found.also("g.origin = ?", origin)
    if since is not None:
        found = found.also("g.finished_at >= ?", since.isoformat())
    if until is not None and until < date.max:
        found = found.also("g.finished_at < ?", (until + timedelta(days=1)).isoformat())
    for sign, name, score in (
        (">=", "score_min", filters.get("score_min")),
        ("<=", "score_max", filters.get("score_max")),
    ):
        if score is not None:
            found = found.also_scored(f"g.winner_total {sign} ?", checks.whole(name, score, -SCORE_MAX, SCORE_MAX))
    return found


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
    level: Annotated[int | None, "Of a bot of this server, as `GET /bots` has it now."]


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
    origin: Origin
    created_at: Annotated[UtcTime, "When it was made.", JsonSchema(type=["string", "null"])]
    started_at: Annotated[UtcTime | None, "When the last seat was taken."]
    finished_at: Annotated[UtcTime | None, "When it ended."]
    result: Result | None
    edition: Edition


class ExportedReplay(ReplaySummary):
    """What stands beside a record in an export."""

    after: Annotated[str, "To go on behind this line: `after` of another request."]


class KeptImport(ReplaySummary):
    """An imported game; `size` are the characters of its record."""

    size: int


def listing(
    store: Store,
    player: Player | None,
    page: int = 1,
    page_size: int = 20,
    after: str | None = None,
    imports: bool = True,
    **filters: Unpack[Filters],
) -> tuple[list[ReplaySummary], Total]:
    """The replays that the caller may see, newest first, and how many there are on all pages; without those that
    strangers brought if not `imports`. `after` names the game that the page follows, instead of its number
    (`list_pages.after_text` of `finished_at`). Private games are listed for those who sat in them. Raises
    `Unprocessable`."""
    chosen, follows = where(player, **filters), list_pages.read_after(after)
    if not imports:
        chosen = chosen.also("g.origin <> 'imported'")
    with store.read():
        found, total = list_pages.page(store, chosen, list_pages.LAST_OVER, page, page_size, follows)
        return _summaries(store, found), total


def export(
    store: Store, player: Player | None, after: str | None = None, **filters: Unpack[Filters]
) -> Iterator[dict[str, Json]]:
    """The records of the replays that `listing` has, in its order, one by one: each as the file of record.md §5 has it,
    with an `ExportedReplay` under `replay` besides. They are read while they are taken, so memory is bounded and no
    transaction stays open. What does not replay, or is gone by then, is left out. Raises `Unprocessable`."""
    return _records(store, player, where(player, **filters), list_pages.read_after(after))


def _records(store: Store, player: Player | None, chosen: Where, follows: After | None) -> Iterator[dict[str, Json]]:
    size = list_pages.PAGE_SIZE_MAX
    while True:
        with store.read():
            found, _total = list_pages.page(store, chosen, list_pages.LAST_OVER, 1, size, follows)
            listed = _summaries(store, found)
        for one in listed:
            follows = After(str(one["finished_at"]), one["id"])
            try:
                record = replays.record(store, one["id"], player)
            except (NotFound, UlmError):
                continue
            yield {**record, "replay": {**one, "after": list_pages.after_text(*follows)}}
        if len(found) < size:
            return


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
    listed = sql.dicts(store, f"{_LISTED} WHERE g.id IN {sql.marks(games)}", *games)
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
            {
                "seat": one["seat"],
                "player": one["player"],
                "name": one["name"],
                "bot": one["bot"],
                "level": bots.level(one["bot"]),
            }
            for one in seats
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
