"""Storing a game: its rows when it is made, and what a transaction did to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import peewee

from server.engine.canonical import canonical_json
from server.engine.ulm1.notation import format_move
from server.language import gettext as _
from server.service.common import change_signal, naming
from server.service.common.errors import Conflict
from server.service.table.model import SANDBOX, Place, Table, dump
from server.storage import models, sql
from server.storage.database import Store

_NAME = "SELECT name FROM player WHERE id = ?"


def insert(store: Store, table: Table) -> None:
    """Store the rows of a new game and its seats; note in `table` what it is called by its title, and by when it has to
    start."""
    named = None if table.title.player is None else sql.row(store, _NAME, table.title.player)
    table.name = table.title.called(None if named is None else named[0])
    table.start_by = None if table.clock is None else table.clock["start_by"]
    models.Game.insert(
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
    models.Seat.insert_many(
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
        raise Conflict(_("somebody else was faster: look at the game again and repeat")) from None


_INSERT_MOVE = "INSERT INTO move (game_id, ply, seat, move, played_at, automatic) VALUES "
_UPDATE_GAME = """
    UPDATE game SET status = ?, ply = ?, public_ply = ?, to_move = ?, version = version + 1, result = ?,
        started_at = ?, finished_at = ?, turn_began_at = ?, deadline = ?, paused_at = ?,
        turn_notice = ?, lost_since = ?, lost_until = ?, granted_seconds = ?, unplayed = ?, winner_total = ?
    WHERE id = ?"""
_MARK_WINNER = "UPDATE seat SET won = ? WHERE game_id = ? AND seat = ?"
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
    table.entries = []
    table.ply = table.position.ply
    table.public_ply = table.ply if table.before is None else table.before.ply
    sql.execute(
        store,
        _UPDATE_GAME,
        table.status,
        table.ply,
        table.public_ply,
        table.to_move,
        None if table.result is None else canonical_json(table.result),
        table.started_at,
        table.finished_at,
        table.turn_began_at,
        table.deadline,
        table.paused_at,
        table.turn_notice,
        table.lost_since,
        table.lost_until,
        table.granted_seconds,
        _is_unplayed(store, table),
        None if table.result is None else table.result["scores"][table.result["winners"][0]]["total"],
        table.id,
    )
    if table.result is not None:
        for seat in range(table.seats):
            sql.execute(store, _MARK_WINNER, seat in table.result["winners"], table.id, seat)
    before = None if table.before is None else dump(table.before)
    sql.execute(store, _PUT_SNAPSHOT, table.id, table.ply, dump(table.position), before)
    change_signal.game_changes(store, table.id)


def change_row(store: Store, game_id: str, **columns: object) -> None:
    """Store some columns of a game's row (or none: what changed stands elsewhere) where nothing was moved, and wake who
    waits for the game."""
    changes = "".join(f"{name} = ?, " for name in columns)
    statement = f"UPDATE game SET {changes}version = version + 1 WHERE id = ?"  # noqa: S608 - the callers' own words
    sql.execute(store, statement, *columns.values(), game_id)
    change_signal.game_changes(store, game_id)


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
