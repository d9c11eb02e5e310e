"""Finished and imported games: nothing is secret in them any more.

Running games have no replay, whatever is asked: everything here starts from `find`.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from replays import branching, sandbox
from replays.picture import picture
from replays.replay import Replay
from replays.sight import sight
from replays.timeline import timeline as make_timeline
from server.board.text import board_text as write_board
from server.engine import record as records
from server.engine.errors import RecordError, UlmError
from server.engine.notation import format_move, parse_move
from server.engine.state import canonical_json
from server.language import N_
from server.language import gettext as _
from server.service import audit, checks, imports, selection, sql, storing
from server.service import table as tables
from server.service.accounts import Entropy, Player, random_id
from server.service.called import IMPORTED, TITLE, Title, spoken, unnamed, with_name
from server.service.editions import edition
from server.service.errors import Conflict, NotFound, Unprocessable, bad_field
from server.service.kept import ByStore, Kept
from server.service.lobby import insert
from server.service.reading import PAGE_SIZE_MAX, places_of, visible_condition, visible_values
from server.service.table import Entry, Place, Table, changing, load, save
from server.storage import models
from server.storage.database import Store
from server.storage.models import utc

KEPT = 16
"""How many replays stay in memory, with their states; about 1 MB each."""

STATES_MAX = 1000
"""How many plies `states` gives at once."""

_LISTED = f"""
    SELECT g.id, {TITLE}, g.ruleset, g.options, g.seats, g.ply, g.origin, g.created_at, g.started_at, g.finished_at,
        g.result, r.player_id AS importer, p.name AS importer_name
    FROM game g LEFT JOIN imported_record r ON r.game_id = g.id LEFT JOIN player p ON p.id = r.player_id"""  # noqa: S608
_IMPORTER = """
    SELECT r.player_id, p.name FROM imported_record r LEFT JOIN player p ON p.id = r.player_id WHERE r.game_id = ?"""
_COUNTED = "SELECT COUNT(*) FROM game g"

_NO_REPLAY = {
    "open": N_("this game is open: only finished games have a replay"),
    "running": N_("this game is running: only finished games have a replay"),
    "abandoned": N_("this game is abandoned: only finished games have a replay"),
}


def listing(
    store: Store, player: Player | None, page: int = 1, page_size: int = 20, **filters: Any
) -> tuple[list[dict[str, Any]], int]:
    """The replays that the caller may see, newest first, and how many there are on all pages.

    `filters` are those of `selection.where`. Private games are listed for those who sat in
    them. Raises `Unprocessable`.
    """
    page = checks.whole("page", page, 1, 10**6)
    page_size = checks.whole("page_size", page_size, 1, PAGE_SIZE_MAX)
    where, values = selection.where(store, visible_condition(player), visible_values(player), **filters)
    with store.read():
        counted = sql.row(store, _COUNTED + where, *values)
        order = " ORDER BY g.finished_at DESC, g.id LIMIT ? OFFSET ?"
        found = sql.dicts(store, _LISTED + where + order, *values, page_size, (page - 1) * page_size)
        places = places_of(store, [game["id"] for game in found])
    return [_listed(game, places[game["id"]]) for game in found], counted[0] if counted else 0


def _listed(game: dict[str, Any], places: list[dict[str, Any]]) -> dict[str, Any]:
    plies, by, name = game.pop("ply"), game.pop("importer"), game.pop("importer_name")
    return {
        **with_name(game),
        "imported": _imported(game["origin"], by, name, game["created_at"]),
        "plies": plies,
        "options": json.loads(game["options"]),
        "result": json.loads(game["result"]) if game["result"] else None,
        "edition": edition(game["name"], [place["name"] or "" for place in places]),
        "players": [{name: place[name] for name in ("seat", "player", "name", "bot")} for place in places],
    }


def summary(store: Store, game_id: str, player: Player | None = None) -> dict[str, Any]:
    """One replay (REPLAY in docs/architecture.md). Raises `NotFound`."""
    with store.read():
        return summary_of(store, find(store, game_id, player))


def _imported(origin: str, by: str | None, name: str | None, at: str) -> dict[str, Any] | None:
    return {"by": by, "name": name, "at": at} if origin == "imported" else None


def summary_of(store: Store, table: Table) -> dict[str, Any]:
    """The same of a game that was found, inside a transaction."""
    by, name = sql.row(store, _IMPORTER, table.id) or (None, None)
    return {
        "imported": _imported(table.origin, by, name, table.created_at),
        "id": table.id,
        "name": table.name,
        "ruleset": table.ruleset,
        "options": table.options,
        "seats": table.seats,
        "players": [
            {"seat": place.seat, "player": place.player, "name": place.name, "bot": place.bot} for place in table.places
        ],
        "plies": table.ply,
        "origin": table.origin,
        "created_at": table.created_at,
        "started_at": table.started_at,
        "finished_at": table.finished_at,
        "result": table.result,
        "edition": table.edition,
    }


def present_edition(store: Store, game_id: str, player: Player | None = None) -> str:
    """The edition of a replay (see `editions`). Raises `NotFound`."""
    with store.read():
        table = find(store, game_id, player)
    return table.edition


def record(store: Store, game_id: str, player: Player | None = None) -> dict[str, Any]:
    """The file of record.md §5; an imported one as it was given. Raises `NotFound`."""
    with store.read():
        table = find(store, game_id, player)
        if table.origin == "imported":
            found = sql.row(store, "SELECT text FROM imported_record WHERE game_id = ?", table.id)
            if found is not None:
                given: dict[str, Any] = json.loads(found[0])
                return given
        return make_record(store, table).to_dict()


def make_record(store: Store, table: Table) -> records.Record:
    """The record of a stored game, from its log; of a sandbox one that begins with its position.

    Raises `RecordError` when the log is not a legal game.
    """
    moves = [records.MoveEntry(format_move(entry.move), entry.seat, entry.at) for entry in tables.log(store, table.id)]
    if table.origin == tables.SANDBOX:
        found = sql.row(store, "SELECT of_game, of_ply, of_seat FROM sandbox WHERE game_id = ?", table.id)
        left = dict(zip(("of", "ply", "seat"), found or (None, None, None), strict=True))
        first = tables.first_state(store, table)
        bare = sandbox.make(first, table.names, table.id, table.name, {branching.FIELD: left})
        return branching.finished(replace(bare, moves=moves, digests={}))
    return records.make(
        game_id=table.id,
        name=table.name,
        options=table.options,
        players=table.names,
        server_seed=bytes.fromhex(table.server_seed),
        client_seeds=[place.client_seed for place in table.places],
        moves=moves,
    )


def replay_at(store: Store, game_id: str, ply: int, seat: int | None, player: Player | None) -> Replay:
    """The replay of a finished game in which there is such a ply and such a seat. Raises `NotFound`."""
    with store.read():
        return replay_of(store, find(store, game_id, player), ply, seat)


def spoken_at(
    store: Store, game_id: str, ply: int, seat: int | None, player: Player | None, code: str
) -> Replay:
    """The same, with what the server calls the game and its players in a language, for people."""
    with store.read():
        return spoken_of(store, find(store, game_id, player), ply, seat, code)


def spoken_of(store: Store, table: Table, ply: int, seat: int | None, code: str) -> Replay:
    """The same of a game that was found, inside a transaction."""
    replay = replay_of(store, table, ply, seat)
    return replay.called([spoken(name, code) for name in table.names], spoken(table.name, code))


def replay_of(store: Store, table: Table, ply: int, seat: int | None) -> Replay:
    """The same of a game that was found, inside a transaction."""
    replay = _shelf(store, table).replay
    _check_ply(replay, ply)
    _check_seat(replay, seat)
    return replay


def state(
    store: Store, game_id: str, ply: int, seat: int | None = None, player: Player | None = None
) -> dict[str, Any]:
    """`{ply, seat, state}`: the full state at `ply`, or what `seat` saw when that ply was the newest.

    Raises `NotFound` for an unknown game, ply or seat.
    """
    replay = replay_at(store, game_id, ply, seat, player)
    if seat is None:
        return {"ply": ply, "seat": None, "state": replay.state(ply).to_dict()}
    return {"ply": ply, "seat": seat, "state": replay.view(ply, seat)}


def states(
    store: Store,
    game_id: str,
    first: int = 0,
    last: int | None = None,
    seat: int | None = None,
    player: Player | None = None,
) -> tuple[int, int, Iterator[dict[str, Any]]]:
    """What `state` gives for the plies `first` to `last`, one by one; with it the last ply and the game's last ply.

    Without `last` as many as may be had at once, `STATES_MAX`. They are made while they are read: memory is bounded.
    Raises `NotFound` for an unknown game, ply or seat, `Unprocessable` for more than may be had or none.
    """
    replay = replay_at(store, game_id, first, seat, player)
    newest = min(first + STATES_MAX - 1, replay.plies) if last is None else _check_ply(replay, last)
    if not first <= newest < first + STATES_MAX:
        wanted = f"from is at most to, and both together name at most {STATES_MAX} plies"
        raise bad_field("to", wanted)
    try:
        replay.state(newest)  # whether the log replays shows now, not in the middle of an answer
    except UlmError as error:
        raise broken() from error
    return newest, replay.plies, _each(replay, first, newest, seat)


def _each(replay: Replay, first: int, last: int, seat: int | None) -> Iterator[dict[str, Any]]:
    if first == 0:
        yield {"ply": 0, "seat": seat, "state": replay.state(0).to_dict() if seat is None else replay.view(0, seat)}
    for step in replay.steps(max(first, 1), last) if last else ():
        yield {"ply": step.ply, "seat": seat, "state": step.state.to_dict() if seat is None else step.seen_by(seat)}


def board_svg(
    store: Store, game_id: str, ply: int | None, seat: int | None, player: Player | None, **options: Any
) -> str:
    """The picture at `ply` (None: the last) as `seat` saw it, or with every hand open; what the ply changed is marked.

    `options` are those of `server.board.svg.board_svg`. Raises `NotFound` for an unknown game, ply or seat.
    """
    replay = _replay(store, game_id, player).replay
    return picture(replay, _check_ply(replay, ply), _check_seat(replay, seat), **options)


def board_text(
    store: Store, game_id: str, ply: int | None, seat: int | None, player: Player | None, **options: Any
) -> str:
    """The same as text; `options` are those of `server.board.text.board_text`. Raises `NotFound`."""
    replay = _replay(store, game_id, player).replay
    seen = sight(replay, _check_ply(replay, ply), _check_seat(replay, seat))
    return write_board(seen, seat=seat, names=replay.names, **options)


def _check_ply(replay: Replay, ply: int | None) -> int:
    if ply is None:
        return replay.plies
    if isinstance(ply, bool) or not isinstance(ply, int) or not 0 <= ply <= replay.plies:
        raise NotFound(_("this game has the plies 0 to %(last)s", last=replay.plies))
    return ply


def _check_seat(replay: Replay, seat: int | None) -> int | None:
    if seat is not None and (isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < len(replay.names)):
        raise NotFound(_("this game has the seats 0 to %(last)s", last=len(replay.names) - 1))
    return seat


def timeline(store: Store, game_id: str, player: Player | None = None) -> dict[str, Any]:
    """`{id, plies: [{ply, seat, move, at, round, vp, text, changed}]}`. Raises `NotFound`."""
    shelf = _replay(store, game_id, player)
    if shelf.timeline is None:
        shelf.timeline = make_timeline(shelf.replay)
    return {"id": game_id, "plies": shelf.timeline}


def verify(data: Any) -> dict[str, Any]:
    """Check a record: `{valid, plies, ply, message, digest, result}`; `ply` and `message` name what fails.

    Never raises for a bad record. Raises `TooLarge` beyond the limits of `imports`.
    """
    imports.check_size(data)
    report: dict[str, Any] = {
        "valid": False, "plies": None, "ply": None, "message": None, "digest": None, "result": None
    }
    try:
        given = records.from_dict(data)
        report["plies"] = len(given.moves)
        last = records.verify(given)
    except RecordError as error:
        return {**report, "ply": error.ply, "message": imports.readable(error.message)}
    return {**report, "valid": True, "digest": last.digest(), "result": records.result_of(last)}


def keep(
    store: Store,
    player: Player,
    data: Any,
    now: datetime,
    entropy: Entropy = secrets.token_bytes,
    most: int | None = None,
) -> dict[str, Any]:
    """Verify an outside record and keep it for everybody to replay; the same record is kept once.

    `most` is how many a player may give (None: any number). Returns REPLAY. Raises `TooLarge`, `Conflict` beyond
    `most`, and `Unprocessable` naming the ply that fails, or a text that cannot be stored.
    """
    imports.check_size(data)
    imports.check_storable(data)
    try:
        given = records.from_dict(data)
        state, before = given.first_state(), None
        for step in records.replay(given):
            state, before = step.state, state
        records.verify(given)
    except RecordError as error:
        message = imports.readable(error.message)
        raise Unprocessable(
            f"ply {error.ply}: {message}; nothing was kept", {"ply": error.ply, "message": message}, "invalid-record"
        ) from None
    imports.check_to_keep(data)
    digest = sha256(canonical_json(data).encode("ascii")).hexdigest()
    called = imports.shown_name(given.name)
    title = Title(called) if called else Title(kind=IMPORTED)
    at = utc(now)
    table = Table(
        id=random_id(entropy, 12),
        name=title.called(None),
        title=title,
        status="finished",
        ruleset=given.ruleset,
        options=given.options,
        seats=len(given.players),
        creator=player.id,
        server_seed=given.server_seed.hex(),
        commitment=given.commitment,
        to_move=state.active,
        result=records.result_of(state),
        origin="imported",
        created_at=at,
        finished_at=at,
        places=[
            Place(seat, None, None, imports.shown_name(other["name"]) or unnamed(seat), given.client_seeds[seat])
            for seat, other in enumerate(given.players)
        ],
        state=state,
        entries=[
            Entry(ply, entry.seat, parse_move(entry.text), imports.stored_time(entry.time))
            for ply, entry in enumerate(given.moves, 1)
        ],
    )
    table.before = before if given.moves and given.moves[-1].text == "draw" else None
    with changing(store):
        known = sql.row(store, "SELECT game_id FROM imported_record WHERE digest = ?", digest)
        if known is None:
            _require_room(store, player, most)
            insert(table)
            save(store, table)
            text = imports.compact(data)
            storing.count(store, player, storing.record_size(text, table.ply))
            models.ImportedRecord.insert(game=table.id, player=player.id, digest=digest, text=text).execute()
            return summary_of(store, table)
        return summary_of(store, load(store, known[0]))


def _require_room(store: Store, player: Player, most: int | None) -> None:
    if most is None:
        return
    found = sql.row(store, "SELECT COUNT(*) FROM imported_record WHERE player_id = ?", player.id)
    if found is not None and found[0] >= most:
        raise Conflict(_("you have given %(number)s records to keep, and more are not taken from one player",
                         number=found[0]), kind="limit-reached")


def imports_kept(store: Store) -> list[dict[str, Any]]:
    """All imported games for the operator, newest first: REPLAY, and `size`, the characters of the record."""
    with store.read():
        found = sql.dicts(store, _LISTED + " WHERE g.origin = 'imported' ORDER BY g.created_at DESC, g.id")
        sizes = dict(sql.rows(store, "SELECT game_id, LENGTH(text) FROM imported_record"))
        places = {game["id"]: places_of(store, [game["id"]])[game["id"]] for game in found}
    return [{**_listed(game, places[game["id"]]), "size": sizes.get(game["id"], 0)} for game in found]


def remove_import(store: Store, game_id: str, now: datetime) -> None:
    """Remove an imported game and all that hangs on it. Raises `NotFound`, and `Conflict` for a game played here."""
    with store.write():
        table = load(store, game_id, lock=True)
        if table.origin != "imported":
            raise Conflict(_("game %(game_id)s was not imported: only imported games can be removed", game_id=game_id))
        storing.game_gone(store, game_id)
        sql.execute(store, "DELETE FROM game WHERE id = ?", game_id)
        audit.note(store, "operator_removed_record", now, game=game_id)


def find(store: Store, game_id: str, player: Player | None) -> Table:
    """The finished or imported game, inside a transaction. Raises `NotFound`; running games have no replay."""
    table = load(store, game_id)
    table.require_visible(player)
    if table.status != "finished":
        raise NotFound(_(_NO_REPLAY[table.status]))
    return table


def broken() -> NotFound:
    """The refusal for a log that does not replay."""
    return NotFound(_("the log of this game does not replay: ask the operator to run `ulm verify`"))


class _Shelf:
    """A replay at hand, with its timeline once it was asked for."""

    __slots__ = ("replay", "timeline")

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.timeline: list[dict[str, Any]] | None = None


_shelves: ByStore[Kept[_Shelf]] = ByStore(lambda: Kept(KEPT))


def _replay(store: Store, game_id: str, player: Player | None) -> _Shelf:
    """The replay of a game; who may see it is asked each time, the log is read only when it is not at hand."""
    with store.read():
        return _shelf(store, find(store, game_id, player))


def _shelf(store: Store, table: Table) -> _Shelf:
    name = (table.id, table.name, *table.names)  # names go when their accounts do
    try:
        return _shelves.of(store).made(name, lambda: _Shelf(Replay(make_record(store, table))))
    except UlmError as error:
        raise broken() from error
