"""The connections beneath a `Store`: to one SQLite file, or to a PostgreSQL server, kept and handed out by peewee."""

from __future__ import annotations

import os
import select
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import peewee
from playhouse.pool import PooledPostgresqlDatabase, PooledSqliteDatabase

from server.storage import ownership
from server.storage.queue import WriteQueue
from server.storage.statements import Timed
from server.storage.unusable import StoreError, reason

BUSY_SECONDS = 30.0
"""How long a writer waits for its turn before it gives up."""

CONNECT_SECONDS = 5
"""How long PostgreSQL may take to answer a connection attempt."""

Pool = PooledSqliteDatabase | PooledPostgresqlDatabase


class _Sqlite(Timed, PooledSqliteDatabase):
    """peewee's pool takes `timeout` as its own waiting time, so SQLite's is set here."""

    def init(self, database: Any, *args: Any, **options: Any) -> None:
        super().init(database, *args, **options)
        self._timeout = BUSY_SECONDS


class _Postgresql(Timed, PooledPostgresqlDatabase):  # type: ignore[misc]  # peewee's own bases disagree
    """peewee's pool, timed; whether a connection is there still the socket tells, without a question."""

    def _is_closed(self, conn: Any) -> bool:
        if conn.closed:
            return True
        socket = select.poll()
        socket.register(conn.fileno(), select.POLLIN)
        if socket.poll(0):  # an idle connection has nothing to say but its end
            conn.close()
        return bool(conn.closed)


def of_sqlite(path: Path) -> tuple[PooledSqliteDatabase, WriteQueue]:
    """The connections to a file, made with its directory where missing, and its queue. Raises `StoreError`."""
    try:
        # For the owner alone: seeds of running games and addresses lie in it. SQLite gives -wal and -shm the same mode.
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_new = not path.exists()
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        if is_new:
            ownership.give(path)
        queue = WriteQueue(path.with_name(path.name + ".lock"), BUSY_SECONDS)
        # Under the lock: two processes that both turn a new file to WAL get "database is locked" otherwise.
        with queue, closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
            connection.execute("PRAGMA auto_vacuum = incremental")  # of a new file: it can shrink (disk_space)
            mode = connection.execute("PRAGMA journal_mode = wal").fetchone()[0]
    except (OSError, sqlite3.Error) as error:
        mend = ownership.refused([Path(f"{path}{end}") for end in ("", ".lock", "-wal", "-shm")])
        mend = mend or "set ULM_DATA_DIR to a directory that the server may write to"
        raise StoreError(f"cannot use the database file {path}: {reason(error)}; {mend}") from error
    if mode != "wal":
        raise StoreError(f"the file system of {path} cannot keep a write-ahead log; set ULM_DATA_DIR to a local disk")
    pool = _Sqlite(
        str(path),
        pragmas={
            "synchronous": "full",  # an acknowledged move survives a power cut
            "foreign_keys": 1,
            "cache_size": -16_000,  # KiB
            "temp_store": "memory",
            "secure_delete": 1,  # what is deleted is overwritten, not left in pages that nothing refers to
        },
        lock_type="IMMEDIATE",
        timeout=None,
        max_connections=None,
        autoconnect=False,
        check_same_thread=False,  # the pool hands a connection to one thread at a time
    )
    return pool, queue


def of_postgresql(url: str, name: str, threads: int) -> PooledPostgresqlDatabase:
    """The connections for so many threads to the server called `name`, one tried. Raises `StoreError`."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise StoreError("PostgreSQL needs its driver: install ulm-by-mail[postgres]") from None
    pool = _Postgresql(
        "postgresql" + url[url.index(":") :],
        prefer_psycopg3=True,
        max_connections=threads + 4,  # commands and timers beside the request threads
        timeout=BUSY_SECONDS,
        autoconnect=False,
        connect_timeout=CONNECT_SECONDS,
    )
    try:
        pool.connect()
        pool.close()
    except peewee.PeeweeException as error:
        raise StoreError(
            f"cannot reach the database {name}: {reason(error)}; check ULM_DATABASE_URL and that PostgreSQL runs"
        ) from error
    return pool


def without_password(url: str) -> str:
    """`url` fit for a log: user, host and database, neither password nor query (which may hold one)."""
    parts = urlsplit(url)
    user = f"{parts.username}@" if parts.username else ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{user}{parts.hostname or ''}{port}{parts.path}"
