"""Schema migrations: numbered scripts in `migrations/`, each applied once. A released script is never edited."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

import peewee
from playhouse.migrations import MigrationError, Runner

from server.storage.database import Store
from server.storage.unusable import StoreError, store_error

DIRECTORY = Path(__file__).parent / "migrations"
TABLE = "schema_migration"
_FIRST, _LAST, _NUMBER = "0001_initial", "0029_colours", 29
"""The migrations of version 0.1.0, which `0001_tables` takes over when all were applied."""


def migrate(store: Store, directory: Path = DIRECTORY) -> list[str]:
    """Bring the schema to the newest state; the names of the scripts applied. Raises `StoreError` when the database is
    newer, older than 0.1.0, or a script fails and leaves no trace."""
    with store.exclusive() as database:
        runner = _runner(database, directory)
        require_known(runner.applied(), f"the database {store.name}", directory)
        try:
            return list(runner.up())
        except (peewee.PeeweeException, MigrationError) as error:
            lost = store_error(error, store.name)
            raise lost or StoreError(f"the schema of {store.name} cannot be brought up to date: {error}") from error


def require_known(applied: Collection[str], what: str, directory: Path = DIRECTORY) -> None:
    """Raise `StoreError` unless this version can go on from the migrations that were applied to `what`."""
    if _FIRST in applied:
        if len(applied) == _NUMBER and _LAST in applied:
            return
        raise StoreError(
            f"{what} is too old: run `ulm db migrate` of commit 3931d809 first, the last one of version 0.1.0"
        )
    unknown = sorted(name for name in applied if not (directory / f"{name}.py").exists())
    if unknown:
        raise StoreError(
            f"{what} was made by a newer server (it knows {unknown[-1]}); "
            "run that version, or start with another database"
        )


def pending(store: Store, directory: Path = DIRECTORY) -> list[str]:
    """The names of the scripts that are not applied yet, oldest first. Raises `StoreError`."""
    with store.connection() as database:
        status = _runner(database, directory).status()
        return [entry.name for entry in status if entry.applied is None]


def _runner(database: peewee.Database, directory: Path) -> Runner:
    runner = Runner(database, str(directory), table_name=TABLE)
    # peewee would note local time; every time in this database is UTC.
    runner.History.applied.default = lambda: datetime.now(UTC).replace(tzinfo=None)
    return runner
