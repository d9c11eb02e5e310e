"""What callers see of games: page, listing, legal moves, log. Nothing here changes anything.

One rule runs through it: while the newest move of the turn under way is a `draw`, everyone but the active seat is shown
the game without it (record.md §4), and no field beside the view may tell the difference.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from itertools import zip_longest
from typing import Any

import orjson

from server.engine import game
from server.engine.notation import format_move
from server.engine.turn import DRAW
from server.engine.view import log_entry, view
from server.service import checks, clock, sql, waiting
from server.service import table as tables
from server.service.accounts import Player
from server.service.called import TITLE, seat_name, with_name
from server.service.errors import bad_field
from server.service.table import SANDBOX, Table, load
from server.storage.database import Store

STATUSES = ("open", "running", "finished", "abandoned")
PAGE_SIZE_MAX = 100
WAIT_MAX = 60.0


def page(store: Store, game_id: str, player: Player | None, invitation: str | None = None) -> dict[str, Any]:
    """The game as `player` may see it. Raises `NotFound`, also for a private game that is not the caller's."""
    with store.read():
        table = load(store, game_id, reader=player)
    table.require_visible(player, invitation)
    return describe(table, player)


def describe(table: Table, player: Player | None) -> dict[str, Any]:
    """The page of a loaded game (PAGE in docs/architecture.md)."""
    seat = table.seat_of(player)
    shown: dict[str, Any] = {"ply": 0, "round": None, "phase": None, "to_move": None, "view": None}
    if table.state is not None:
        seen = table.seen_by(seat)
        shown = {
            "ply": seen.ply,
            "round": seen.round,
            "phase": seen.phase,
            "to_move": None if table.status == "abandoned" else seen.active,
            "view": view(seen, seat),
        }
    return {
        "id": table.id,
        "name": table.name,
        "status": table.status,
        "ruleset": table.ruleset,
        "options": table.options,
        "private": table.private,
        "seats": table.seats,
        "creator": table.creator,
        "commitment": table.commitment,
        "origin": table.origin,
        "created_at": table.created_at,
        "started_at": table.started_at,
        "finished_at": table.finished_at,
        "players": [
            None
            if place.free
            else {
                "seat": place.seat,
                "player": place.player,
                "name": place.name,
                "bot": place.bot,
                "autopilot": place.autopilot,
            }
            for place in table.places
        ],
        "seat": seat,
        **shown,
        "clock": table.clock,
        "deadline": table.deadline,
        "paused": table.paused_at is not None,
        "pause_votes": [place.seat for place in table.places if place.wants_pause],
        "reserve_seconds": clock.reserves(table),
        "edition": table.edition,
        "result": table.result,
        "invitation": table.invitation if seat is not None and table.status == "open" else None,
    }


def etag(page: dict[str, Any]) -> str:
    """A name for what a page shows: a hash of nothing but the page itself, so it tells nothing beyond it."""
    return sha256(orjson.dumps(page, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]


def wait_for_change(
    store: Store,
    game_id: str,
    player: Player | None,
    known: str | None,
    timeout: float,
    gone: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """The page as soon as its etag is not `known` (at once when None), else the unchanged page after `timeout` s, or
    when the caller is `gone`.

    Raises `NotFound`.
    """
    present: list[dict[str, Any]] = []

    def look() -> bool:
        present[:] = [page(store, game_id, player)]
        return known is None or etag(present[0]) != known

    changed = waiting.when_changed(store, game_id, look)
    waiting.until(store, game_id, lambda: changed() or gone(), min(max(timeout, 0.0), WAIT_MAX))
    return present[0]


def legal_moves(store: Store, game_id: str, player: Player | None) -> dict[str, Any]:
    """`{ply, moves}` for the caller; no moves when it is not their turn. Raises `NotFound`, `Forbidden`."""
    with store.read():
        table = load(store, game_id, reader=player)
    table.require_visible(player)
    seat = table.require_seat(player)
    moves: list[str] = []
    if table.status == "running" and table.to_move == seat:
        moves = [format_move(move) for move in game.legal_moves(table.position, seat)]
    return {"ply": table.seen_ply(seat), "moves": moves}


def log(store: Store, game_id: str, player: Player | None, since: int = 0) -> dict[str, Any]:
    """The moves after ply `since` as the caller may read them: `{ply, moves: [{ply, seat, move, at, automatic}]}`.

    A `draw` of somebody else stands behind the resignations that followed it, and carries the time of the move after
    it: whoever holds patrician draws later than one for whom the server did. When the game is over the log is that of
    its record. Raises `NotFound`, `Unprocessable`.
    """
    since = checks.whole("since", since, 0, 2**31 - 1)
    with store.read():
        table = load(store, game_id, reader=player)
        table.require_visible(player)
        seat = table.seat_of(player)
        ply = table.seen_ply(seat)
        entries = tables.told_log(store, table, seat, since)
    over = table.status == "finished"
    moves = []
    for entry, after in zip_longest(entries, entries[1:]):
        own = entry.seat == seat
        told = entry if own or over or entry.move != DRAW or after is None else after
        moves.append(
            {
                "ply": entry.ply,
                "seat": entry.seat,
                "move": format_move(entry.move) if over else log_entry(entry.move, entry.seat, seat),
                "at": told.at,
                # That somebody's time ran out all may know; of a draw it would tell that there was no choice.
                "automatic": entry.automatic and (own or entry.move != DRAW),
            }
        )
    return {"ply": ply, "moves": moves}


_LISTED = f"""
    SELECT g.id, {TITLE}, g.status, g.ruleset, g.options, g.private, g.seats, g.ply, g.public_ply, g.to_move, g.origin,
        g.created_at, g.started_at, g.finished_at, g.result, g.clock, g.deadline, g.paused_at
    FROM game g"""  # noqa: S608
_COUNTED = "SELECT COUNT(*) FROM game g"


def listing(
    store: Store,
    player: Player | None,
    status: str | None = None,
    member: str | None = None,
    page: int = 1,
    page_size: int = 20,
) -> tuple[list[dict[str, Any]], int]:
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
        conditions.append("EXISTS (SELECT 1 FROM seat m WHERE m.game_id = g.id AND m.player_id = ?)")
        values.append(checks.text("player", member, 64))
    return selected(store, player, conditions, values, "g.created_at DESC, g.id", page, page_size)


def selected(
    store: Store,
    player: Player | None,
    conditions: list[str],
    values: list[Any],
    order: str,
    page: int,
    page_size: int,
) -> tuple[list[dict[str, Any]], int]:
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


def _listed(found: dict[str, Any], places: list[dict[str, Any]], player: Player | None) -> dict[str, Any]:
    seat = next((place["seat"] for place in places if player is not None and place["player"] == player.id), None)
    if seat is not None and found["origin"] == SANDBOX and found["to_move"] is not None:
        seat = found["to_move"]
    ply, public_ply, paused_at = found.pop("ply"), found.pop("public_ply"), found.pop("paused_at")
    return {
        **with_name(found),
        "options": json.loads(found["options"]),
        "private": bool(found["private"]),
        "result": json.loads(found["result"]) if found["result"] else None,
        "players": [place if place["name"] is not None else None for place in places],
        "free_seats": sum(place["name"] is None for place in places),
        "seat": seat,
        "ply": ply if seat is not None and seat == found["to_move"] else public_ply,
        "to_move": None if found["status"] == "abandoned" else found["to_move"],
        "clock": json.loads(found["clock"]) if found["clock"] else None,
        "paused": paused_at is not None,
    }


PUBLIC = "(g.private = ? AND g.unplayed = ?)"
"""The SQL condition under which everybody finds game `g` in lists and statistics. One that was resigned at once nobody
finds but who sat there: anybody makes hundreds of these in a minute."""
PUBLIC_VALUES = (False, False)
"""The parameters of `PUBLIC`."""


def visible_condition(player: Player | None) -> str:
    """The SQL condition under which the caller sees game `g`; its parameters are `visible_values`."""
    if player is None:
        return PUBLIC
    return f"({PUBLIC} OR EXISTS (SELECT 1 FROM seat v WHERE v.game_id = g.id AND v.player_id = ?))"  # noqa: S608


def visible_values(player: Player | None) -> list[Any]:
    """The parameters of `visible_condition`."""
    return list(PUBLIC_VALUES) if player is None else [*PUBLIC_VALUES, player.id]


def places_of(store: Store, game_ids: list[str]) -> dict[str, list[dict[str, Any]]]:
    """The seats of several games, by game: `{seat, player, name, bot, autopilot}` in order."""
    places: dict[str, list[dict[str, Any]]] = {game_id: [] for game_id in game_ids}
    if game_ids:
        marks = ", ".join("?" * len(game_ids))
        columns = "game_id, seat, player_id, name, name_kind, bot, autopilot"
        statement = f"SELECT {columns} FROM seat WHERE game_id IN ({marks}) ORDER BY seat"  # noqa: S608
        for game_id, seat, player, words, kind, bot, autopilot in sql.rows(store, statement, *game_ids):
            name = seat_name(words, kind, seat)
            place = {"seat": seat, "player": player, "name": name, "bot": bot, "autopilot": bool(autopilot)}
            places[game_id].append(place)
    return places
