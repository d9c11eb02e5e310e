"""Storing a game: its rows when it is made, and what a transaction did to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import peewee

from server import metering
from server.engine.canonical import canonical_json
from server.engine.ulm1.notation import format_move
from server.language import gettext as _
from server.service.common import change_signal, naming
from server.service.common.errors import Conflict
from server.service.games import known_states, listing_keys
from server.service.games.model import SANDBOX, Place, Table, dump
from server.storage import sql
from server.storage.database import Store
from server.storage.models.games import Game, Seat

_NAME = "SELECT name FROM player WHERE id = ?"


def insert(store: Store, table: Table) -> None:
    """Store the rows of a new game and its seats; note in `table` what it is called by its title, and by when it has to
    start."""
    named = None if table.title.player is None else sql.row(store, _NAME, table.title.player)
    table.name = table.title.called(None if named is None else named[0])
    table.start_by = None if table.clock is None else table.clock["start_by"]
    Game.insert(
        id=table.id,
        **table.title.columns(),
        status=table.status,
        ruleset=table.ruleset,
        options=canonical_json(table.options),
        tower=table.options["tower"],
        rotate_start=table.options["rotate_start"],
        seats=table.seats,
        creator=table.creator,
        private=table.private,
        hints=table.hints,
        invitation=table.invitation,
        server_seed=table.server_seed,
        commitment=table.commitment,
        origin=table.origin,
        created_at=table.created_at,
        clock=None if table.clock is None else canonical_json(table.clock),
        start_by=table.start_by,
    ).execute()
    Seat.insert_many(
        [
            {
                "game": table.id,
                "seat": place.seat,
                "player": place.player,
                "bot": place.bot,
                "name": place.name,
                "name_kind": naming.kind_of(place.name),
                "named_after": place.named_after,
                "client_seed": place.client_seed,
                "listed": listing_keys.listed(table.status, table.origin),
                "created_at": table.created_at,
            }
            for place in table.places
        ]
    ).execute()


@contextmanager
def changing(store: Store) -> Iterator[None]:
    """A write transaction on a game. What the database's own guards refuse (a doubled move or seat) is a `Conflict`."""
    try:
        with store.write():
            yield
    except peewee.IntegrityError:
        raise Conflict(_("somebody else was faster: look at the game again and try again")) from None


_INSERT_MOVE = "INSERT INTO move (game_id, ply, seat, move, played_at, automatic) VALUES "
_MARK_WINNER = "UPDATE seat SET won = ? WHERE game_id = ? AND seat = ?"
# A job counts it for statistics (service/archive/tallies.py).
_TO_COUNT = "INSERT INTO tally (game_id, version, rows) VALUES (?, 0, '[]') ON CONFLICT DO NOTHING"
_PUT_SNAPSHOT = """
    INSERT INTO snapshot (game_id, ply, state, "before") VALUES (?, ?, ?, ?)
    ON CONFLICT (game_id) DO UPDATE SET ply = excluded.ply, state = excluded.state, "before" = excluded."before" """
_MOVES_PER_STATEMENT = 100


def save(store: Store, table: Table) -> None:
    """Store the noted moves, the game's row and the snapshot; the caller's transaction commits them together, and wakes
    who waits for the game."""
    for first in range(0, len(table.entries), _MOVES_PER_STATEMENT):
        part = table.entries[first : first + _MOVES_PER_STATEMENT]
        values: list[object] = []
        for entry in part:
            values += (table.id, entry.ply, entry.seat, format_move(entry.move), entry.at, entry.automatic)
        sql.execute(store, _INSERT_MOVE + ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(part)), *values)
    _count(store, table)
    table.entries = []
    table.ply = table.position.ply
    table.public_ply = table.ply if table.before is None else table.before.ply
    _save_row(store, table)
    before = None if table.before is None else dump(table.before)
    text = dump(table.position)
    sql.execute(store, _PUT_SNAPSHOT, table.id, table.ply, text, before)
    known_states.keep(table, text, table.position)
    change_signal.game_changes(store, table.id)


def columns(table: Table) -> dict[str, object]:
    """Return the columns of a game's row that moves and clocks change, as they are stored."""
    return {
        "status": table.status,
        "ply": table.ply,
        "public_ply": table.public_ply,
        "to_move": table.to_move,
        "result": None if table.result is None else canonical_json(table.result),
        "started_at": table.started_at,
        "finished_at": table.finished_at,
        **turn_columns(table),
    }


def turn_columns(table: Table) -> dict[str, object]:
    """Return those of them that tell of the turn under way and its time."""
    return {
        "turn_began_at": table.turn_began_at,
        "deadline": table.deadline,
        "paused_at": table.paused_at,
        "turn_notice": table.turn_notice,
        "lost_since": table.lost_since,
        "lost_until": table.lost_until,
        "granted_seconds": table.granted_seconds,
    }


def _save_row(store: Store, table: Table) -> None:
    """Store what differs from the game's row as it was read or last stored.

    Most moves change the plies alone. SQLite writes the pages of every index whose columns a statement names, changed
    or not: with all of them named, these were eight of the thirteen pages of a move.
    """
    present, before = columns(table), table.stored
    changed = {name: value for name, value in present.items() if name not in before or before[name] != value}
    if "result" in changed or "status" in changed:
        result = table.result
        changed["unplayed"] = _is_unplayed(store, table)
        changed["winner_total"] = None if result is None else result["scores"][result["winners"][0]]["total"]
        for seat in range(table.seats if result is not None else 0):
            sql.execute(store, _MARK_WINNER, result is not None and seat in result["winners"], table.id, seat)
        if result is not None and table.origin != SANDBOX and not table.private and not changed["unplayed"]:
            sql.execute(store, _TO_COUNT, table.id)
    table.stored = present
    _update(store, table.id, changed)


def _count(store: Store, table: Table) -> None:
    """Count the noted moves when they are committed."""
    by: dict[str, int] = {}
    for entry in table.entries:
        who = "server" if entry.automatic else "player" if table.places[entry.seat].bot is None else "bot"
        by[who] = by.get(who, 0) + 1

    def count() -> None:
        for who, number in by.items():
            metering.meters().moved(who, number)

    store.after_commit(count)


def change_row(store: Store, game_id: str, **columns: object) -> None:
    """Store some columns of a game's row (or none: what changed stands elsewhere) where nothing was moved, and wake who
    waits for the game."""
    _update(store, game_id, columns)
    change_signal.game_changes(store, game_id)


def _update(store: Store, game_id: str, columns: Mapping[str, object]) -> None:
    changes = "".join(f"{name} = ?, " for name in columns)
    statement = f"UPDATE game SET {changes}version = version + 1 WHERE id = ?"  # noqa: S608 - the callers' own words
    sql.execute(store, statement, *columns.values(), game_id)
    if not listing_keys.CHANGING.isdisjoint(columns):
        listing_keys.follow(store, game_id)


def save_place(store: Store, place: Place) -> None:
    """Store what a clock changes of a seat."""
    sql.execute(
        store,
        "UPDATE seat SET reserve_seconds = ?, timeouts = ?, autopilot = ?, wants_pause = ? WHERE id = ?",
        place.reserve_seconds,
        place.timeouts,
        place.autopilot,
        place.wants_pause,
        place.row,
    )


_TURNS_ENDED = "SELECT COUNT(*) FROM move WHERE game_id = ? AND undone_at IS NULL AND move = 'end'"


def _is_unplayed(store: Store, table: Table) -> bool:
    """Whether a game is finished before as many turns were ended as there are seats: then it was resigned at once."""
    if table.status != "finished" or table.origin == SANDBOX:
        return False
    ended = sql.row(store, _TURNS_ENDED, table.id)
    return ended is not None and ended[0] < table.seats
