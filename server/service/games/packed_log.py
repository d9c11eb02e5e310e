"""A game's log as it lies in the archive: packed into one piece, and read back."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence

from server.engine.errors import RecordError
from server.service.games.model import LoggedMove
from server.storage import sql
from server.storage.database import Store

VERSION = 2  # How logs are packed. (1 was that of version 0.1.0, whose logs `0001_tables` packed anew.)

_PACKED = "SELECT version, moves, log FROM archived_log WHERE game_id = ?"


def pack(rows: Sequence[LoggedMove]) -> bytes:
    """All rows of a game, in the order of their numbers, as `read` gives them."""
    return zlib.compress(json.dumps(rows, separators=(",", ":"), ensure_ascii=False).encode(), 9)


def read(store: Store, game_id: str) -> list[LoggedMove] | None:
    """The rows that lie packed; None for a game that is not archived. Raises `RecordError`."""
    found = sql.row(store, _PACKED, game_id)
    if found is None:
        return None
    version, moves, log = found
    if version != VERSION:
        raise RecordError(0, f"the archived log cannot be read: it is packed by version {version}")
    try:
        rows = [LoggedMove.of(row) for row in json.loads(zlib.decompress(bytes(log)))]
    except (zlib.error, ValueError, TypeError) as error:
        raise RecordError(0, "the archived log cannot be read: it is not as it was written") from error
    if len(rows) != moves:
        raise RecordError(0, f"the archived log has {len(rows)} moves, not {moves}")
    return rows
