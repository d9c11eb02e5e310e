"""Whether the database can be worked with: read, and written to."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

from server.storage import sql
from server.storage.database import Store
from server.storage.unusable import StoreFullError

ROOM = 4 << 20
"""Bytes that have to be free on the disk of an SQLite file: as its log grows to before it is carried over."""


def check(store: Store) -> None:
    """Raise `StoreError` unless the database can be read and written to.

    Nothing is written while writes succeed: only after one that failed another is tried, by which this process learns
    that the fault is over.
    """
    store.ping()
    if store.is_sqlite and shutil.disk_usage(Path(store.name).parent).free < ROOM:
        raise StoreFullError(f"the disk of the database {store.name} is full; make room")
    if store.trouble is not None:
        with store.write():
            sql.execute(store, "INSERT INTO lease (name, owner, until) VALUES ('readiness', '', '')")
            sql.execute(store, "DELETE FROM lease WHERE name = 'readiness'")


def times(store: Store) -> tuple[str | None, datetime | None]:
    """When the newest move was stored (UTC, as it is stored; None: there is none, or nobody knows), and what the
    database's own clock says (None where it has none)."""
    with store.read():
        newest = sql.row(store, "SELECT played_at FROM move WHERE id = (SELECT MAX(id) FROM move)")
        there = None if store.is_sqlite else sql.row(store, "SELECT now()")
    return newest[0] if newest is not None else None, None if there is None else there[0]
