"""Giving room back to the disk that an SQLite file does not use any more. PostgreSQL looks after its own."""

from __future__ import annotations

from server.storage.database import Store, alone

PAGES_AT_ONCE = 1000
"""How many pages one transaction gives back, some milliseconds: so long others wait to write."""


def give_back(store: Store) -> int:
    """Cut unused pages off the file, some at a time; how many bytes. 0 where somebody reads."""
    given = 0
    while store.is_sqlite:
        with alone(store) as connection:
            before = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA incremental_vacuum({PAGES_AT_ONCE})").fetchall()
            after = connection.execute("PRAGMA page_count").fetchone()[0]
            given += (before - after) * connection.execute("PRAGMA page_size").fetchone()[0]
        if after == before:
            break
    return given
