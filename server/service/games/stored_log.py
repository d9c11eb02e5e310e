"""The rows of a game's log, wherever they lie: in `move`, or packed in `archived_log` once the game is long over.

Everything that reads the log of a game that may be over reads it here. Games under way have rows alone.
"""

from __future__ import annotations

from server.engine.errors import RecordError
from server.storage import packed_log, sql
from server.storage.database import Store
from server.storage.packed_log import LoggedMove, UnreadableLogError

_COLUMNS = "id, ply, seat, move, played_at, automatic, undone_at"
_ROWS = f"SELECT {_COLUMNS} FROM move WHERE game_id = ? ORDER BY id"  # noqa: S608 - of ours
_STANDING = f"""
    SELECT {_COLUMNS} FROM move WHERE game_id = ? AND undone_at IS NULL AND ply >= ? AND ply <= ?
    ORDER BY ply"""  # noqa: S608
_PACKED = "SELECT version, moves, log FROM archived_log WHERE game_id = ?"
NO_LIMIT = 2**31 - 1


def every(store: Store, game_id: str) -> list[LoggedMove]:
    """All rows in the order in which they came, those that were taken back among them, inside a transaction. Raises
    `RecordError` for a packed log that cannot be read."""
    return in_rows(store, game_id) or _archived(store, game_id) or in_rows(store, game_id)


def standing(store: Store, game_id: str, first: int = 0, last: int | None = None) -> list[LoggedMove]:
    """The moves that stand, from ply `first` to ply `last`, in order. Otherwise as `every`."""
    limit = NO_LIMIT if last is None else last
    return (
        _standing_rows(store, game_id, first, limit)
        or [row for row in _archived(store, game_id) if row.undone_at is None and first <= row.ply <= limit]
        # Who is in the midst of a write transaction on PostgreSQL may look at rows before, and at the archive after
        # they were put back.
        or _standing_rows(store, game_id, first, limit)
    )


def in_rows(store: Store, game_id: str) -> list[LoggedMove]:
    """The rows that lie in `move`; none of a game that is archived."""
    return [LoggedMove.of(row) for row in sql.rows(store, _ROWS, game_id)]


def archived(store: Store, game_id: str) -> list[LoggedMove] | None:
    """The rows that lie packed; None for a game that is not archived. Raises `RecordError`."""
    found = sql.row(store, _PACKED, game_id)
    if found is None:
        return None
    try:
        rows = packed_log.unpack(found[0], bytes(found[2]))
    except UnreadableLogError as error:
        raise RecordError(0, f"the archived log cannot be read: {error}") from error
    if len(rows) != found[1]:
        raise RecordError(0, f"the archived log has {len(rows)} moves, not {found[1]}")
    return rows


def _standing_rows(store: Store, game_id: str, first: int, last: int) -> list[LoggedMove]:
    return [LoggedMove.of(row) for row in sql.rows(store, _STANDING, game_id, first, last)]


def _archived(store: Store, game_id: str) -> list[LoggedMove]:
    return archived(store, game_id) or []
