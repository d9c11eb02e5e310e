"""Lists of games, and which of them a caller may see."""

from __future__ import annotations

import json
from typing import TypedDict, cast

from server.engine.ulm1.shapes import Options, Result
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.errors import bad_field
from server.service.common.naming import TITLE, seat_name, with_name
from server.service.table import clock as clocks
from server.service.table.model import SANDBOX, ClockForm
from server.service.table.standstills import DEADLINE
from server.storage import sql
from server.storage.database import Store

STATUSES = ("open", "running", "finished", "abandoned")
PAGE_SIZE_MAX = 100
_LISTED = f"""
    SELECT g.id, {TITLE}, g.status, g.ruleset, g.options, g.private, g.seats, g.ply, g.public_ply, g.to_move, g.origin,
        g.created_at, g.started_at, g.finished_at, g.result, g.clock, g.start_by, {DEADLINE} AS deadline,
        g.paused_at
    FROM game g"""  # noqa: S608


class SeatedPlayer(TypedDict):
    """Who sits on a seat. `player` is None without an account, `bot` the name by which a bot is seated (with @ one that
    has an account, of the owner who is called `bot_of`), `autopilot` whether the server plays for them."""

    seat: int
    player: str | None
    name: str
    bot: str | None
    bot_of: str | None
    autopilot: bool


class ListedPlace(TypedDict):
    """A seat; a free one has no name."""

    seat: int
    player: str | None
    name: str | None
    bot: str | None
    bot_of: str | None
    autopilot: bool


class GameSummary(TypedDict):
    """What is said of a game everywhere. `seat` is the caller's own, None in `players` a free one."""

    id: str
    name: str
    status: str
    ruleset: str
    options: Options
    private: bool
    seats: int
    players: list[SeatedPlayer | None]
    seat: int | None
    ply: int
    to_move: int | None
    clock: ClockForm | None
    deadline: str | None
    paused: bool
    origin: str
    created_at: str
    started_at: str | None
    finished_at: str | None
    result: Result | None


class ListedGame(GameSummary):
    """A game in a list."""

    free_seats: int


_COUNTED = "SELECT COUNT(*) FROM game g"


def listing(
    store: Store,
    player: Player | None,
    status: str | None = None,
    member: str | None = None,
    page: int = 1,
    page_size: int = 20,
) -> tuple[list[ListedGame], int]:
    """The games that the caller may see, newest first, and how many there are on all pages.

    `member` is the id of a player who sits in them. Imported games are among the replays, not here. Private games are
    listed for those who sit in them. Raises `Unprocessable`.
    """
    page = checks.whole("page", page, 1, 10**6)
    page_size = checks.whole("page_size", page_size, 1, PAGE_SIZE_MAX)
    conditions, values = ["g.origin <> 'imported'", visible_condition(player)], visible_values(player)
    if status is not None:
        if status not in STATUSES:
            known = f"one of {', '.join(STATUSES)}"
            raise bad_field("status", known)
        conditions.append("g.status = ?")
        values.append(status)
    if member is not None:
        conditions.append(MEMBER)
        values.append(checks.text("player", member, 64))
    return selected(store, player, conditions, values, "g.created_at DESC, g.id", page, page_size)


def selected(
    store: Store,
    player: Player | None,
    conditions: list[str],
    values: list[object],
    order: str,
    page: int,
    page_size: int,
) -> tuple[list[ListedGame], int]:
    """One page of the games `g` for which all `conditions` hold, and how many there are on all pages.

    `conditions` and `order` are SQL of ours, `values` what stands for the question marks in them. Who may see a game is
    for the caller to ask (`visible_condition`).
    """
    where = " WHERE " + " AND ".join(conditions)
    with store.read():
        counted = sql.row(store, _COUNTED + where, *values)
        statement = f"{_LISTED}{where} ORDER BY {order} LIMIT ? OFFSET ?"
        games = sql.dicts(store, statement, *values, page_size, (page - 1) * page_size)
        places = places_of(store, [found["id"] for found in games])
    return [_listed(found, places[found["id"]], player) for found in games], counted[0] if counted else 0


def _listed(found: sql.ByName, places: list[ListedPlace], player: Player | None) -> ListedGame:
    seat = next((place["seat"] for place in places if player is not None and place["player"] == player.id), None)
    if seat is not None and found["origin"] == SANDBOX and found["to_move"] is not None:
        seat = found["to_move"]
    ply, public_ply, paused_at = found.pop("ply"), found.pop("public_ply"), found.pop("paused_at")
    clock = clocks.shown(json.loads(found["clock"]) if found["clock"] else None, found.pop("start_by"))
    told = {
        **with_name(found),
        "options": json.loads(found["options"]),
        "private": bool(found["private"]),
        "result": json.loads(found["result"]) if found["result"] else None,
        "players": [place if place["name"] is not None else None for place in places],
        "free_seats": sum(place["name"] is None for place in places),
        "seat": seat,
        "ply": ply if seat is not None and seat == found["to_move"] else public_ply,
        "to_move": None if found["status"] == "abandoned" else found["to_move"],
        "clock": clock,
        "paused": paused_at is not None,
    }
    return cast("ListedGame", told)


MEMBER = "EXISTS (SELECT 1 FROM seat m WHERE m.game_id = g.id AND m.player_id = ?)"
"""The SQL condition under which a player, its parameter, sits in game `g`."""
PUBLIC = "(g.private = ? AND g.unplayed = ?)"
"""The SQL condition under which everybody finds game `g` in lists and statistics. One that was resigned at once nobody
finds but who sat there: anybody makes hundreds of these in a minute."""
PUBLIC_VALUES = (False, False)
"""The parameters of `PUBLIC`."""


def visible_condition(player: Player | None) -> str:
    """The SQL condition under which the caller sees game `g`; its parameters are `visible_values`."""
    if player is None:
        return PUBLIC
    return f"({PUBLIC} OR {MEMBER})"


def visible_values(player: Player | None) -> list[object]:
    """The parameters of `visible_condition`."""
    return list(PUBLIC_VALUES) if player is None else [*PUBLIC_VALUES, player.id]


_SEATED = """
    SELECT s.game_id, s.seat, s.player_id, s.name, s.name_kind, s.bot, s.autopilot, b.handle, o.name
    FROM seat s LEFT JOIN bot_account b ON b.player_id = s.player_id LEFT JOIN player o ON o.id = b.owner_id
    WHERE s.game_id IN ({marks}) ORDER BY s.seat"""


def places_of(store: Store, game_ids: list[str]) -> dict[str, list[ListedPlace]]:
    """The seats of several games, by game, in order."""
    places: dict[str, list[ListedPlace]] = {game_id: [] for game_id in game_ids}
    if game_ids:
        marks = ", ".join("?" * len(game_ids))
        statement = _SEATED.format(marks=marks)
        for game_id, seat, player, words, kind, bot, autopilot, handle, owner in sql.rows(store, statement, *game_ids):
            name = seat_name(words, kind, seat)
            place: ListedPlace = {
                "seat": seat,
                "player": player,
                "name": name,
                "bot": bot if handle is None else f"@{handle}",
                "bot_of": owner,
                "autopilot": bool(autopilot),
            }
            places[game_id].append(place)
    return places
