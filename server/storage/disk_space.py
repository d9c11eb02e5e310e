"""Giving room back to the disk that an SQLite file does not use any more. PostgreSQL looks after its own."""

from __future__ import annotations

import sqlite3

from server.storage.database import Store, alone

PAGES_AT_ONCE = 1000
"""How many pages one transaction gives back, some milliseconds: so long others wait to write."""
_INCREMENTAL = 2


def shrinks(store: Store) -> bool:
    """Whether the file can be cut: one that was made by an older version cannot until it is written anew."""
    with store.connection() as database:
        return store.is_sqlite and database.execute_sql("PRAGMA auto_vacuum").fetchone()[0] == _INCREMENTAL


def give_back(store: Store) -> int:
    """Cut unused pages off the file, some at a time; how many bytes. 0 where that cannot be done, or somebody reads."""
    if not shrinks(store):
        return 0
    given = 0
    while True:
        with alone(store) as connection:
            before, free, size = _pages(connection)
            if not free:
                return given
            connection.execute(f"PRAGMA incremental_vacuum({PAGES_AT_ONCE})").fetchall()
            after, _free, _size = _pages(connection)
        given += (before - after) * size
        if after == before:
            return given


def write_anew(store: Store) -> int:
    """Write the whole file anew, so that it can shrink from then on; how many bytes it is smaller. Meanwhile it takes
    as much room again, and others wait to write."""
    with alone(store) as connection:
        before, _free, size = _pages(connection)
        connection.execute(f"PRAGMA auto_vacuum = {_INCREMENTAL}")
        connection.execute("VACUUM")
        after, _free, size = _pages(connection)
    store.close_idle()  # they go on as the file was
    store.empty_log()
    return (before - after) * size


def _pages(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """All, those that are free, and how large each is."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return pages, free, size
