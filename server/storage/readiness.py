"""Whether the database can be worked with: read, and written to."""

from __future__ import annotations

import shutil
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import peewee

from server.storage import sql
from server.storage.database import Store
from server.storage.unusable import StoreFullError

ROOM = 4 << 20
"""Bytes that have to be free on the disk of an SQLite file: as its log grows to before it is carried over."""

_POSTGRES_ROOM = 16 << 20  # a file of its write-ahead log
# Rows of 1.8 kB, four to a page, none of which is compressed; a table takes its pages at once.
_TAKE_ROOM = """
    CREATE TEMPORARY TABLE readiness_room ON COMMIT DROP AS
    SELECT array_fill(n, ARRAY[450]) AS filling FROM generate_series(1, %s) AS n"""


def check(store: Store) -> None:
    """Raise `StoreError` unless the database can be read and written to; a write is tried only after one that
    failed."""
    store.ping()
    if store.is_sqlite and shutil.disk_usage(Path(store.name).parent).free < ROOM:
        raise StoreFullError(f"the disk of the database {store.name} is full; make room")
    if store.lacks_room:
        if not store.is_sqlite:
            _take_room(store)
        store.lacks_room = False
    if store.trouble is not None:
        with store.write():
            sql.execute(store, "INSERT INTO lease (name, owner, until) VALUES ('readiness', '', '')")
            sql.execute(store, "DELETE FROM lease WHERE name = 'readiness'")


def _take_room(store: Store) -> None:
    # Who may make no temporary table is asked for the small write alone.
    with suppress(peewee.ProgrammingError), store.write():
        store.database.execute_sql(_TAKE_ROOM, (_POSTGRES_ROOM // 2048,))


def times(store: Store) -> tuple[str | None, datetime | None]:
    """When the newest move was stored (UTC, as it is stored; None: there is none, or nobody knows), and what the
    database's own clock says (None where it has none)."""
    with store.read():
        newest = sql.row(store, "SELECT played_at FROM move WHERE id = (SELECT MAX(id) FROM move)")
        there = None if store.is_sqlite else sql.row(store, "SELECT now()")
    return newest[0] if newest is not None else None, None if there is None else there[0]
