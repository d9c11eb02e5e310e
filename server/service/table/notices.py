"""Whom the moves of a game concern, and what they are told by mail.

A notice is written in the transaction of what causes it and says what happened and whom to tell, never the text: that
is made when the mail is sent, from the state that there is then.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from server.engine.canonical import canonical_json
from server.engine.ulm1.turn import DRAW
from server.service.outbox.enqueuing import game_key
from server.storage import sql
from server.storage.database import Store
from server.storage.models import utc

if TYPE_CHECKING:
    from server.service.table.model import Table


class _Told(NamedTuple):
    """A notice to one player of the game at hand. `subject` is the number in its key: the ply, or the message's."""

    kind: str
    player: str
    subject: int
    ply: int | None
    data: dict[str, Any] = {}  # noqa: RUF012 - never changed


def after_moves(store: Store, table: Table, before: int | None, now: datetime) -> None:
    """Tell players what the moves noted in `table` mean to them; call it just before `save`.

    `before` is the seat that was to move when the transaction began, None when the game starts with it. Notices:
    the game has started, it is your turn, your turn was played for you, the game is over. At most one statement.
    Players without a confirmed address, or to whose address a mail came back, get no row.
    """
    if table.origin == "sandbox":  # who plays alone need not be told
        return
    told = [*_started(table, before), *_played_for(table, before), *_over(table)]
    turn = _turn(table, before)
    if turn is not None and not any(one.kind == "started" and one.data for one in told):
        told.append(turn)
    _write(store, table.id, told, now)


def after_message(store: Store, table: Table, number: int, seat: int, now: datetime) -> None:
    """Tell the others at the table of message `number`, which the player of `seat` wrote. One statement.

    As after moves, players without a confirmed address, or to whose address a mail came back, get no row.
    """
    others = [place for place in _people(table) if place.seat != seat]
    told = [_Told("message", place.player, number, None, {"message": number}) for place in others]
    _write(store, table.id, told, now)


def _people(table: Table) -> list[Any]:  # places whose player is there
    return [place for place in table.places if place.player is not None]


def _started(table: Table, before: int | None) -> list[_Told]:
    if before is not None:
        return []
    told = []
    for place in _people(table):
        first = table.status == "running" and place.seat == table.to_move
        # The first to move is told both in one mail, which is then the notice of that turn.
        told.append(
            _Told("started", place.player, 0, table.position.ply, {"turn": True})
            if first
            else _Told("started", place.player, 0, 0)
        )
    return told


def _turn(table: Table, before: int | None) -> _Told | None:
    if table.status != "running" or table.to_move is None:
        return None
    place = table.places[table.to_move]
    if table.same_turn(before) or place.player is None or getattr(place, "autopilot", False):
        return None
    ply = table.position.ply  # the server stops where a person's turn begins
    return _Told("turn", place.player, ply, ply)


def _played_for(table: Table, before: int | None) -> list[_Told]:
    """A turn that the server finished because its time was over.

    Neither the blind draw that it makes for everybody nor the later turns of a seat that it plays until the player
    comes back are told: those begin after the move of somebody else.
    """
    for entry in table.entries:
        if entry.automatic and entry.move != DRAW and entry.seat == before:
            player = table.places[entry.seat].player
            return [] if player is None else [_Told("played_for_you", player, entry.ply - 1, entry.ply - 1)]
    return []


def _over(table: Table) -> list[_Told]:
    if table.status not in ("finished", "abandoned"):
        return []
    ply = table.position.ply
    return [_Told("over", place.player, ply, ply) for place in _people(table)]


_INSERT = """
    INSERT INTO mail ("key", kind, game_id, ply, player_id, data, state, due_at, attempts, created_at) """
# What a parameter is, PostgreSQL cannot tell from a SELECT: hence the casts.
_SELECT = """SELECT CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS INTEGER), id, CAST(? AS TEXT),
        'pending', CAST(? AS VARCHAR), 0, CAST(? AS VARCHAR)
    FROM player WHERE id = ? AND email IS NOT NULL AND email_confirmed_at IS NOT NULL AND mail_stopped_at IS NULL"""
_ONCE = ' ON CONFLICT ("key") DO NOTHING'


def _write(store: Store, game_id: str, told: list[_Told], now: datetime) -> None:
    if not told:
        return
    at = utc(now)
    values: list[Any] = []
    for one in told:
        key = game_key(one.kind, game_id, one.subject, one.player)
        values += (key, one.kind, game_id, one.ply, canonical_json(one.data), at, at, one.player)
    sql.execute(store, _INSERT + " UNION ALL ".join([_SELECT] * len(told)) + _ONCE, *values)
