"""Variations: lines of play kept with a record, beside what was played.

They stand in the optional field `variations` of a record, which a reader that does not know it ignores:

    "variations": [{"ply": 42, "name": "the garden instead", "moves": [["seal garden", 1, null], …]}, …]

A variation plays its moves from the state at `ply`, with the chance of that game. Unknown keys are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from server.engine.canonical import Json
from server.engine.errors import IllegalMoveError, InvalidMoveError, RecordError
from server.engine.record import MoveEntry, Record
from server.engine.replaying import play_log

FIELD = "variations"
MOST = 1000
"""How many variations a record may hold."""


class Variation(NamedTuple):
    """Moves that go on from `ply` of their record."""

    ply: int
    name: str
    moves: list[MoveEntry]


def of(record: Record) -> list[Variation]:
    """The variations of a record, not yet replayed. Raises `RecordError`, naming the ply they start from."""
    data = record.extra.get(FIELD, [])
    if not isinstance(data, list) or len(data) > MOST:
        raise RecordError(0, f"'{FIELD}' is not a list of at most {MOST}")
    return [_read(entry, record) for entry in data]


def _read(entry: Json, record: Record) -> Variation:
    last, seats = len(record.moves), len(record.players)
    good = isinstance(entry, dict) and type(entry.get("ply")) is int and 0 <= entry["ply"] <= last
    if not good or not isinstance(entry.get("moves"), list) or not isinstance(entry.get("name", ""), str):
        raise RecordError(0, "a variation has 'ply' (of the record), 'moves' and, if it likes, 'name'")
    moves = []
    for line in entry["moves"]:
        shape = isinstance(line, list) and len(line) == 3 and isinstance(line[0], str) and type(line[1]) is int
        if not shape or not 0 <= line[1] < seats or not isinstance(line[2], (str, type(None))):
            raise RecordError(entry["ply"], "a move of a variation is [text, seat, time or null]")
        moves.append(MoveEntry(*line))
    return Variation(entry["ply"], entry.get("name", ""), moves)


def line(record: Record, variation: Variation) -> Record:
    """The record of the game as the variation would have had it: without digests and result."""
    extra = {key: value for key, value in record.extra.items() if key != FIELD}
    moves = [*record.moves[: variation.ply], *variation.moves]
    return replace(record, moves=moves, digests={}, result=None, extra=extra)


def add(record: Record, ply: int, moves: Sequence[MoveEntry], name: str) -> Record:
    """The record with one more variation. Raises `RecordError` when it cannot be played."""
    kept = list(record.extra.get(FIELD, []))
    entry = {"ply": ply, "name": name, "moves": [list(move) for move in moves]}
    longer = replace(record, extra={**record.extra, FIELD: [*kept, entry]})
    verify(longer)
    return longer


def verify(record: Record) -> None:
    """Replay every variation. Raises `RecordError` with the ply, counted as in the game, that fails."""
    found = sorted(enumerate(of(record), 1), key=lambda numbered: numbered[1].ply)
    if not found:
        return
    state = record.first_state()
    played = play_log(state, record.moves)
    for number, variation in found:
        while state.ply < variation.ply:
            state = next(played).state
        for _ in play_log(state, variation.moves, refused=partial(_refuse, number)):
            pass


def _refuse(number: int, ply: int, entry: MoveEntry, error: InvalidMoveError | IllegalMoveError) -> None:
    raise RecordError(ply, f"variation {number}: {entry.text[:60]!r}: {error}") from error
