"""The log of a finished game as one piece of bytes instead of a row for each move (`archived_log`).

A version says how; what one means never changes, and every version that was ever written is read. Version 1 is JSON,
column by column, compressed by zlib, which notes a checksum: about 4 bytes a move, where a row takes about 120. Texts
stand as they are, so nothing is known of rules, and whatever a row can hold comes back the same.
"""

from __future__ import annotations

import itertools
import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from operator import sub
from typing import Any, NamedTuple

VERSION = 1
"""By which logs are packed now."""


class LoggedMove(NamedTuple):
    """A row of the log as it is stored."""

    id: int
    ply: int
    seat: int
    move: str
    played_at: str | None
    automatic: bool
    undone_at: str | None

    @classmethod
    def of(cls, row: Sequence[Any]) -> LoggedMove:
        """From the columns of the table, in their order. SQLite has numbers for what is true or not."""
        number, ply, seat, move, played_at, automatic, undone_at = row
        return cls(number, ply, seat, move, played_at, bool(automatic), undone_at)


class UnreadableLogError(ValueError):
    """A packed log of a version that is not known here, or not as it was written."""


def pack(rows: Sequence[LoggedMove]) -> bytes:
    """All rows of a game, in the order of their numbers, by `VERSION`."""
    ids, plies, seats, moves, times, automatic, undone = map(list, zip(*rows, strict=True)) if rows else [[]] * 7
    columns = [
        _steps(ids), _steps(plies), seats, moves, _changes(times), [int(one) for one in automatic], _changes(undone)
    ]  # fmt: skip
    return zlib.compress(json.dumps(columns, separators=(",", ":"), ensure_ascii=False).encode(), 9)


def unpack(version: int, packed: bytes) -> list[LoggedMove]:
    """The rows again. Raises `UnreadableLogError`."""
    if version not in _READERS:
        raise UnreadableLogError(f"it is packed by version {version}, which this version of the server does not know")
    try:
        return _READERS[version](packed)
    except (zlib.error, ValueError, TypeError) as error:
        raise UnreadableLogError("it is not as it was written") from error


def _unpack_columns(packed: bytes) -> list[LoggedMove]:
    ids, plies, seats, moves, times, automatic, undone = json.loads(zlib.decompress(packed))
    return list(
        map(
            LoggedMove,
            itertools.accumulate(ids),
            itertools.accumulate(plies),
            _alike(seats, ids),
            _alike(moves, ids),
            _unchanged(_alike(times, ids)),
            map(bool, _alike(automatic, ids)),
            _unchanged(_alike(undone, ids)),
        )
    )


def _alike(column: list[Any], other: list[Any]) -> list[Any]:
    if len(column) != len(other):
        raise ValueError("the columns differ in length")
    return column


def _steps(numbers: Sequence[int]) -> list[int]:
    """From each number to the next, the first from 0."""
    return list(map(sub, numbers, [0, *numbers[:-1]]))


def _changes(texts: Iterable[str | None]) -> list[str | int | None]:
    """Each text, 0 where it is as the one before."""
    found: list[str | int | None] = []
    last: str | int | None = 0  # like no text
    for text in texts:
        found.append(0 if text == last else text)
        last = text
    return found


def _unchanged(texts: Iterable[str | int | None]) -> list[Any]:
    found: list[Any] = []
    for text in texts:
        found.append(found[-1] if text == 0 and found else text)
    return found


_READERS: dict[int, Callable[[bytes], list[LoggedMove]]] = {1: _unpack_columns}
