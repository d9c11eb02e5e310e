"""One way to the database for SQLite and PostgreSQL.

    store = open_database(url, threads=8)
    with store.write():                     # one transaction; commits at the end, rolls back on an exception
        sql.execute(store, "UPDATE game SET …", …)
    with store.read():                      # one consistent snapshot
        ...

Statements (`sql`) stand inside `read()` or `write()`, but for one that reads by itself: there a connection is taken
from the pool and given back, whichever thread or process it is. The tables are those that `migrations/` makes.
"""

from __future__ import annotations

import itertools
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import peewee
from playhouse.pool import MaxConnectionsExceeded

from server.storage import pools
from server.storage.pools import BUSY_SECONDS, Pool
from server.storage.queue import QueueTimeoutError, WriteQueue
from server.storage.unusable import StoreBusyError, StoreError, StoreFullError, reason, store_error

log = logging.getLogger("ulm.storage")

Answer = TypeVar("Answer")

_EMPTY_SECONDS = 2.0
"""How long writers may be kept waiting for readers while the log is emptied."""

_numbers = itertools.count()


class Store:
    """A database with its transactions. Made by `open_database`; safe to share between threads and after a fork."""

    def __init__(self, database: Pool, name: str, queue: WriteQueue | None = None) -> None:
        self.database = database
        self.name = name
        """The database in words for people: a path or an address without its password."""
        self.number = next(_numbers)
        """Of this process's databases: keys of caches hold it, as they must not keep the database alive."""
        self.closing = threading.Event()
        """Set when the process is about to stop: whoever waits for a change had better answer now."""
        self.trouble: str | None = None
        """Why the last write of this process could not be; None when it could."""
        self.lacks_room = False
        """Whether a write found the disk full, since there was last found to be room on it (`readiness.check`)."""
        self.is_sqlite = queue is not None
        self._queue = queue
        self._local = threading.local()
        self._pid = os.getpid()

    @contextmanager
    def connection(self) -> Iterator[peewee.Database]:
        """A connection without a transaction, for schema work and checks. Raises `StoreError`."""
        with self._translated(), self._connected() as database:
            yield database

    @contextmanager
    def _connected(self) -> Iterator[peewee.Database]:
        """As `connection`, with the driver's own errors."""
        if self._pid != os.getpid():
            # After a fork the parent's connections are the parent's: forget them without touching their sockets.
            self.database.dispose()
            self._pid = os.getpid()
        opened = self.database.connect(reuse_if_open=True)
        try:
            yield self.database
        finally:
            if opened:
                self.database.close()

    @contextmanager
    def write(self, power_cut_safe: bool = True) -> Iterator[Store]:
        """One write transaction: committed on disk when the block ends (without `power_cut_safe` with the next one),
        undone when it raises. Raises `RuntimeError` inside another one, `StoreError`, and `StoreBusyError` when the
        queue does not move."""
        if self.database.in_transaction():
            raise RuntimeError("a write transaction cannot begin inside another transaction: its owner has to be one")
        self._local.callbacks = []
        done = False
        try:
            waiting = self._not_waiting_for_the_disk() if self.is_sqlite and not power_cut_safe else nullcontext()
            with self._queue or nullcontext(), self._connected(), waiting, self.database.transaction():
                if not power_cut_safe and not self.is_sqlite:
                    self.database.execute_sql("SET LOCAL synchronous_commit = off")
                self._check_first()
                yield self
                done = True
        except BaseException as error:
            self._local.callbacks = []
            found = self._said(error)
            if found is None:
                raise
            # SQLite's commit is done or not, whatever it says; a server's answer may be lost on its way.
            found.uncertain = done and not self.is_sqlite
            self.trouble = str(found)
            self.lacks_room = self.lacks_room or isinstance(found, StoreFullError)
            raise found from error
        self.trouble = None
        callbacks, self._local.callbacks = self._local.callbacks, []
        for callback in callbacks:
            try:
                callback()
            except Exception:
                # What was committed stays so; a failed wake-up must not make an acknowledged move look refused.
                log.exception("after a commit: a callback failed")

    @contextmanager
    def only_if(self, check: Callable[[], object], name: str) -> Iterator[None]:
        """The first write transaction of the block begins with `check`, and is undone when that raises. Those of one
        `name` come one after the other."""
        self._local.check = check, name
        try:
            yield
        finally:
            self._local.check = None

    def _check_first(self) -> None:
        found, self._local.check = getattr(self._local, "check", None), None
        if found is not None:
            check, name = found
            if not self.is_sqlite:  # there all write transactions do
                self.database.execute_sql("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (name,))
            check()

    @contextmanager
    def _not_waiting_for_the_disk(self) -> Iterator[None]:
        """SQLite takes it for a connection, outside transactions. Its log stays whole in any case."""
        self.database.execute_sql("PRAGMA synchronous = normal")
        try:
            yield
        finally:
            self.database.execute_sql("PRAGMA synchronous = full")

    @contextmanager
    def read(self) -> Iterator[Store]:
        """One consistent snapshot; no writing. Inside another transaction it is a part of that one."""
        if self.database.in_transaction():
            yield self
            return
        begin: dict[str, str] = (
            {"lock_type": "DEFERRED"} if self.is_sqlite else {"isolation_level": "REPEATABLE READ READ ONLY"}
        )
        with self._translated(), self._connected(), self.database.transaction(**begin):
            yield self

    def ask(self, question: Callable[[], Answer]) -> Answer:
        """Return the answer of `question`, one statement that reads: within a transaction as a part of it, else with
        none around it, which would cost as much again. Raises as `read` does."""
        if self.database.in_transaction():
            return question()
        with self._translated(), self._connected():
            return question()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """What the driver raises within the block because the database cannot be used is a `StoreError` outside it."""
        try:
            yield
        except BaseException as error:
            found = self._said(error)
            if found is None:
                raise
            raise found from error

    def _said(self, error: BaseException) -> StoreError | None:
        if isinstance(error, QueueTimeoutError):
            return StoreBusyError(f"other writers held the database for {BUSY_SECONDS:.0f} s; try again")
        if isinstance(error, MaxConnectionsExceeded):
            return StoreBusyError(f"no connection to the database {self.name} was free for {BUSY_SECONDS:.0f} s")
        return store_error(error, self.name)

    def after_commit(self, callback: Callable[[], Any]) -> None:
        """Call `callback` when the running write transaction is committed and its locks are gone; never on undo."""
        if not self.database.in_transaction():
            raise RuntimeError("after_commit belongs inside write()")
        self._local.callbacks.append(callback)

    @contextmanager
    def exclusive(self) -> Iterator[peewee.Database]:
        """A connection that no other process shares the right to: for migrations, one process at a time."""
        if self._queue is not None:
            with self._queue, self.connection() as database:
                yield database
            return
        with self.connection() as database:
            database.execute_sql("SELECT pg_advisory_lock(%s)", (_MIGRATION_LOCK,))
            try:
                yield database
            finally:
                with suppress(peewee.PeeweeException):  # a connection that is lost has no lock
                    database.execute_sql("SELECT pg_advisory_unlock(%s)", (_MIGRATION_LOCK,))

    def ping(self) -> None:
        """Ask the database for a sign of life. Raises `StoreError` when there is none."""
        try:
            with self.connection() as database:
                database.execute_sql("SELECT 1").fetchone()
        except peewee.PeeweeException as error:
            raise StoreError(f"the database {self.name} does not answer: {reason(error)}") from error

    def empty_log(self) -> bool:
        """SQLite: carry the write-ahead log over into the database and cut it to nothing, so that no earlier state of a
        page is in the files any more. Whether that could be done: somebody may be reading."""
        if self._queue is None:
            return True
        try:
            with self._queue, closing(sqlite3.connect(self.name, timeout=_EMPTY_SECONDS)) as connection:
                busy: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except (QueueTimeoutError, sqlite3.OperationalError):
            return False
        return not busy

    def close_idle(self) -> None:
        """Close the pooled connections that nobody uses, as before a fork. The next query opens one again."""
        self.database.close_idle()

    def close(self) -> None:
        """Close every connection; no other thread may be in a transaction."""
        self.closing.set()
        self.database.close_all()
        if self._queue is not None:
            self._queue.close()


_MIGRATION_LOCK = 0x756C6D  # "ulm": any number will do as long as every version uses the same


def sqlite_file(url: str) -> Path | None:
    """The file that a database's address names; None where it is none of SQLite."""
    return Path(unquote(url.removeprefix("sqlite:///"))) if urlsplit(url).scheme == "sqlite" else None


def open_database(url: str, threads: int = 8) -> Store:
    """Open the database that `url` names (`sqlite:///path`, `postgresql://…`) for `threads` at once; SQLite's file is
    made. The schema is not touched. Raises `StoreError`."""
    file = sqlite_file(url)
    if file is not None:
        pool, queue = pools.of_sqlite(file)
        return Store(pool, str(file), queue)
    if urlsplit(url).scheme not in ("postgresql", "postgres"):
        raise StoreError("the database address must begin with sqlite:/// or postgresql://")
    name = pools.without_password(url)
    return Store(pools.of_postgresql(url, name, threads), name)
