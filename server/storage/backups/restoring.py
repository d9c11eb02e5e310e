"""A backup becomes the database again: over nothing, or over what is there, which is then put aside."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from server.storage.backups import postgres_dump, postgres_tools, sqlite_copy
from server.storage.backups.files import DUMP, SQLITE, BackupError, kind, stamp, whole
from server.storage.database import Store, open_database, sqlite_file
from server.storage.migrate import TABLE, migrate, require_known
from server.storage.sql import row
from server.storage.unusable import reason

_COUNT = "SELECT (SELECT COUNT(*) FROM game), (SELECT COUNT(*) FROM player)"


def restore(file: Path, url: str, replace: bool, now: datetime) -> str | None:
    """Let the database at `url` hold what `file` holds, in the newest schema. Where what was there is now, in words;
    None where nothing was.

    Raises `BackupError` where something is there and `replace` was not said, while anybody has the database open, and
    for a file that is no backup or that of a newer server; then nothing was changed.
    """
    database = sqlite_file(url)
    found = kind(file)
    if database is not None and found == DUMP:
        raise BackupError(
            f"{file} is a dump of PostgreSQL, and ULM_DATABASE_URL names none: set it to an empty database"
        )
    if database is None and found == SQLITE:
        raise BackupError(
            f"{file} is an SQLite database, and ULM_DATABASE_URL names PostgreSQL: unset it to restore the file"
        )
    if database is None:
        return _postgresql(file, url, replace, now)
    return _sqlite(file, database, replace, now)


def _refuse(there: str, name: str) -> BackupError:
    return BackupError(f"{name} is not empty ({there}): `--replace` puts what is there aside and restores")


def _sqlite(file: Path, path: Path, replace: bool, now: datetime) -> str | None:
    if path.exists() and file.resolve() == path.resolve():
        raise BackupError(f"{file} is the database itself")
    there = _inhabitants(path)
    if there is not None and not replace:
        raise _refuse(there, f"the database {path}")
    if path.exists():
        sqlite_copy.leave_alone(path)
    with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as backup:
        try:
            names = [str(name) for (name,) in backup.execute(f"SELECT name FROM {TABLE}")]  # noqa: S608 - ours
        except sqlite3.Error as error:
            raise BackupError(f"{file} is no backup of a server's database: {reason(error)}") from error
    require_known(names, f"the backup {file}")
    aside = None if there is None else path.with_name(f"{path.name}.before-{stamp(now)}")
    made = path.with_name(f"{path.name}.restored")
    made.unlink(missing_ok=True)
    try:
        with whole(made) as part:
            sqlite_copy.copy(file, part)
            with _opened(part) as store:
                migrate(store)
            part.with_name(part.name + ".lock").unlink(missing_ok=True)
            sqlite_copy.check(part)
        sqlite_copy.put_in_place(made, path, aside)
    finally:
        made.unlink(missing_ok=True)
    return None if aside is None else f"the file {aside}"


@contextmanager
def _opened(path: Path) -> Iterator[Store]:
    store = open_database(f"sqlite:///{quote(str(path))}", threads=1)
    try:
        yield store
    finally:
        store.close()


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


def _told(games: int, players: int) -> str | None:
    return f"games: {games}, accounts: {players}" if games or players else None


def _postgresql(file: Path, url: str, replace: bool, now: datetime) -> str | None:
    store = open_database(url, threads=1)
    try:
        present = postgres_dump.has_tables(store)
        there = None
        if present:
            with store.read():
                there = _told(*(row(store, _COUNT) or (0, 0)))
        if there is not None and not replace:
            raise _refuse(there, f"the database {store.name}")
        others = postgres_dump.others(store)
        if others:
            raise BackupError(
                f"somebody else is connected to {store.name} ({others} connections): stop `ulm serve` and `ulm worker` "
                "everywhere first"
            )
        require_known(postgres_dump.migrations(file, postgres_tools.server_version(store)), f"the backup {file}")
        aside = f"before_{stamp(now).lower()}"
        with postgres_dump.replaced(store, file, url, aside):
            migrate(store)
        if there is not None:
            return f"the schema {aside} of the same database"
        postgres_dump.drop_schema(store, aside)
    finally:
        store.close()
    return None
