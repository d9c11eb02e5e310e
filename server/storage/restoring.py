"""A backup becomes the database again: over nothing, or over what is there, which is then put aside."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import peewee

from server.storage import ownership
from server.storage.backups import BackupError, check_sqlite, copy_sqlite, run, stamp, synchronise, whole
from server.storage.database import Store, open_database, sqlite_file
from server.storage.migrate import TABLE, migrate
from server.storage.queue import WriteQueue
from server.storage.unusable import reason

_COUNT = "SELECT (SELECT COUNT(*) FROM game), (SELECT COUNT(*) FROM player)"
_CLOSING_SECONDS = 2.0
"""How long somebody who is just closing the database may take."""


def restore(file: Path, url: str, replace: bool, now: datetime) -> str | None:
    """Let the database at `url` hold what `file` holds; where the old one is now, None for none. Raises `BackupError`
    when one is there without `replace` or in use, `StoreError` for a bad or newer file; then nothing was changed."""
    database = sqlite_file(url)
    try:
        with file.open("rb") as opened:
            head = opened.read(16)
    except OSError as error:
        raise BackupError(f"cannot read {file}: {reason(error)}") from error
    if head == b"SQLite format 3\0":
        if database is None:
            raise BackupError(f"{file} is an SQLite database, and ULM_DATABASE_URL names PostgreSQL: unset it")
        return _sqlite(file, database, replace, now)
    if not head.startswith(b"PGDMP"):
        raise BackupError(f"{file} is no backup: neither an SQLite database nor a dump in pg_dump's custom format")
    if database is not None:
        raise BackupError(f"{file} is a dump of PostgreSQL: set ULM_DATABASE_URL to an empty database there")
    with closing(open_database(url, threads=1)) as store:
        return _postgresql(file, store, url, replace, now)


def _require_empty(there: str | None, replace: bool, name: str) -> None:
    if there is not None and not replace:
        raise BackupError(
            f"the database {name} is not empty ({there}): `--replace` puts what is there aside and restores"
        )


def _told(games: int, players: int) -> str | None:
    return f"games: {games}, accounts: {players}" if games or players else None


# SQLite


def _sqlite(file: Path, path: Path, replace: bool, now: datetime) -> str | None:
    if path.exists() and file.resolve() == path.resolve():
        raise BackupError(f"{file} is the database itself")
    there = _inhabitants(path)
    _require_empty(there, replace, str(path))
    if path.exists():
        _require_unused(path)
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as backup:
        try:
            backup.execute(f"SELECT name FROM {TABLE}").fetchone()  # noqa: S608 - ours
        except sqlite3.Error as error:
            raise BackupError(f"{file} is no backup of a server's database: {reason(error)}") from error
    aside = None if there is None else path.with_name(f"{path.name}.before-{stamp(now)}")
    made = path.with_name(f"{path.name}.restored")
    made.unlink(missing_ok=True)
    try:
        with whole(made) as part:
            copy_sqlite(file, part)
            try:
                with closing(open_database(f"sqlite:///{quote(str(part))}", threads=1)) as store:
                    migrate(store)
            finally:
                part.with_name(part.name + ".lock").unlink(missing_ok=True)
            check_sqlite(part)
        _put_in_place(made, path, aside)
    finally:
        made.unlink(missing_ok=True)
    return None if aside is None else f"the file {aside}"


def _inhabitants(path: Path) -> str | None:
    """What an SQLite database holds, in words; None where it is empty or not there."""
    if not path.exists() or not path.stat().st_size:
        return None
    try:
        with closing(sqlite3.connect(path)) as database:
            if not database.execute("SELECT 1 FROM sqlite_master").fetchone():
                return None
            return _told(*database.execute(_COUNT).fetchone())
    except sqlite3.Error as error:
        return f"it cannot be read: {reason(error)}"


def _put_in_place(made: Path, path: Path, aside: Path | None) -> None:
    """Let the file `made` be the database `path`; what was there becomes `aside`, or goes where that is None."""
    with closing(WriteQueue(path.with_name(path.name + ".lock"))) as queue:
        try:
            with queue:
                if path.exists():
                    _require_unused(path)
                ownership.give(made, path if path.exists() else None)
                # Of a damaged database its log is still there: SQLite would apply it to whatever file has the name.
                for end in ("-wal", "-shm", ""):
                    old = Path(f"{path}{end}")
                    if aside is None:
                        old.unlink(missing_ok=True)
                    elif old.exists():
                        old.rename(f"{aside}{end}")
                made.rename(path)
                synchronise(path.parent)
        except OSError as error:
            raise BackupError(f"cannot put the database {path} in place: {reason(error)}") from error


def _require_unused(path: Path) -> None:
    """Raise `BackupError` unless nobody else has the database open; then it is a single file for the moment."""
    try:
        with closing(sqlite3.connect(path, timeout=_CLOSING_SECONDS, isolation_level=None)) as database:
            # Leaving the write-ahead log is granted to the only connection that there is.
            database.execute("PRAGMA journal_mode = delete").fetchone()
    except sqlite3.OperationalError as error:
        raise BackupError(
            f"a server or another command has {path} open ({reason(error)}): stop `ulm serve` and `ulm worker` first"
        ) from error
    except sqlite3.DatabaseError:
        return  # no database any more: whoever had it open could not use it either


# PostgreSQL

OTHERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"""


def _postgresql(file: Path, store: Store, url: str, replace: bool, now: datetime) -> str | None:
    with store.connection() as database:
        schema = str(database.execute_sql("SELECT current_schema()").fetchone()[0])
        there = None
        if database.execute_sql("SELECT to_regclass('game'), to_regclass('player')").fetchone() != (None, None):
            there = _told(*database.execute_sql(_COUNT).fetchone())
        others = database.execute_sql(OTHERS).fetchone()[0]
    _require_empty(there, replace, store.name)
    if others:
        raise BackupError(
            f"somebody else is connected to {store.name} ({others} connections): stop `ulm serve` and `ulm worker` "
            "everywhere first"
        )
    aside = f"before_{stamp(now).lower()}"
    with _put_aside(store, schema, aside):
        options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", f"--schema={schema}"]
        run("pg_restore", [*options, str(file)], url)
        store.close_idle()
        migrate(store)
    if there is not None:
        return f"the schema {aside} of the same database"
    _execute(store, f'DROP SCHEMA "{aside}" CASCADE')
    return None


@contextmanager
def _put_aside(store: Store, schema: str, aside: str) -> Iterator[None]:
    """What is in a schema is in `aside`, and it is empty. When the block raises, everything is as before."""
    _execute(store, f'ALTER SCHEMA "{schema}" RENAME TO "{aside}"', f'CREATE SCHEMA "{schema}"')
    try:
        yield
    except BaseException:
        store.close_idle()
        _execute(store, f'DROP SCHEMA "{schema}" CASCADE', f'ALTER SCHEMA "{aside}" RENAME TO "{schema}"')
        raise


def _execute(store: Store, *statements: str) -> None:
    try:
        with store.connection() as database, database.atomic():
            for statement in statements:
                database.execute_sql(statement)
    except peewee.PeeweeException as error:
        raise BackupError(
            f"the schema of {store.name} cannot be put aside: {reason(error)}; the user of ULM_DATABASE_URL has to own "
            "the database and its schema"
        ) from error
