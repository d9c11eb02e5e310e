"""Schema migrations: numbered scripts in `migrations/`, each applied once, by one process at a time.

A script defines `up(migrator, db)` and speaks of tables as they were at its time (frozen models of its own), never of
`models.py`, which moves on. A script that was released is never edited.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import peewee
from playhouse.migrations import MigrationError, Runner

from server.storage.database import Store
from server.storage.unusable import StoreError, store_error

DIRECTORY = Path(__file__).parent / "migrations"
TABLE = "schema_migration"


def migrate(
    store: Store, now: Callable[[], datetime] = lambda: datetime.now(UTC), directory: Path = DIRECTORY
) -> list[str]:
    """Bring the schema to the newest state and return the names of the scripts that were applied, oldest first.

    Several servers may start at once: one migrates, the others wait and find it done. Raises `StoreError` when the
    database was made by a newer version of the server, or a script fails (which then leaves no trace).
    """
    with store.exclusive() as database:
        runner = _runner(database, directory, now)
        refuse_newer(
            [entry.name for entry in runner.status() if entry.path is None], f"the database {store.name}", directory
        )
        try:
            return list(runner.up())
        except (peewee.PeeweeException, MigrationError) as error:
            lost = store_error(error, store.name)
            raise lost or StoreError(f"the schema of {store.name} cannot be brought up to date: {error}") from error


def refuse_newer(names: Sequence[str], what: str, directory: Path = DIRECTORY) -> None:
    """Raise `StoreError` when one of the migrations that `what` was given is none of this version's."""
    unknown = sorted(name for name in names if not (directory / f"{name}.py").exists())
    if unknown:
        raise StoreError(
            f"{what} was made by a newer server (it knows {unknown[-1]}); "
            "run that version, or start with another database"
        )


def pending(store: Store, directory: Path = DIRECTORY) -> list[str]:
    """The names of the scripts that are not applied yet, oldest first. Raises `StoreError`."""
    with store.connection() as database:
        status = _runner(database, directory, lambda: datetime.now(UTC)).status()
        return [entry.name for entry in status if entry.applied is None]


def _runner(database: peewee.Database, directory: Path, now: Callable[[], datetime]) -> Runner:
    runner = Runner(database, str(directory), table_name=TABLE)
    # peewee would note local time; every time in this database is UTC.
    runner.History.applied.default = lambda: now().astimezone(UTC).replace(tzinfo=None)
    return runner
