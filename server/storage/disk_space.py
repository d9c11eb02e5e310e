"""Giving room back to the disk that an SQLite file does not use any more. PostgreSQL looks after its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing

from server.storage.database import Store
from server.storage.pools import BUSY_SECONDS

PAGES_AT_ONCE = 1000
"""How many pages one transaction gives back, some milliseconds: so long others wait to write."""


def give_back(store: Store, keep: Callable[[], bool] = lambda: True) -> int:
    """Cut unused pages off the file, some at a time, until `keep` says no; how many bytes. 0 where somebody reads."""
    given = 0
    while store.is_sqlite and keep():
        # Beside the pool and outside transactions, while others wait to write.
        with store.exclusive(), closing(sqlite3.connect(store.name, BUSY_SECONDS, isolation_level=None)) as connection:
            connection.execute("PRAGMA secure_delete = 1")
            before = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA incremental_vacuum({PAGES_AT_ONCE})").fetchall()
            after = connection.execute("PRAGMA page_count").fetchone()[0]
            given += (before - after) * connection.execute("PRAGMA page_size").fetchone()[0]
        if after == before:
            break
    return given
