"""Backups of a PostgreSQL database as a file of `pg_dump`, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import peewee

from server.storage.backups import postgres_tools
from server.storage.backups.files import BackupError, Keep
from server.storage.database import Store
from server.storage.migrate import TABLE
from server.storage.unusable import reason


def dump(store: Store, url: str, target: Path, keep: Keep = lambda: True) -> None:
    """Write the schema that the server uses, with all rows as they are at this moment, into `target`. Nobody waits.

    Raises `BackupError` when `pg_dump` is missing, too old or refuses, or `keep` says to stop.
    """
    version = postgres_tools.server_version(store)
    program = postgres_tools.find("pg_dump", version)
    options = ["--format=custom", f"--schema={_schema(store)}", f"--file={target}"]
    postgres_tools.run(program, options, url, keep)
    if TABLE not in contents(target, version):
        raise BackupError("the dump does not hold the server's tables; nothing was kept of it")


def contents(path: Path, version: int) -> str:
    """What a dump holds, a line for each thing."""
    return postgres_tools.run(postgres_tools.find("pg_restore", version), ["--list", str(path)])


def migrations(path: Path, version: int) -> list[str]:
    """The migrations that a database had when it was dumped. Raises `BackupError` when there is no such table."""
    program = postgres_tools.find("pg_restore", version)
    text = postgres_tools.run(program, ["--data-only", f"--table={TABLE}", "--file=-", str(path)])
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("COPY ") and TABLE in line:
            columns = line.partition("(")[2].partition(")")[0].replace('"', "").split(", ")
            rows: list[str] = []
            for row in lines:
                if row == r"\.":
                    return rows
                rows.append(row.split("\t")[columns.index("name")])
    raise BackupError(f"{path} is no dump of a server's database: it has no table {TABLE}")


def others(store: Store) -> int:
    """How many connections others have to the database."""
    with store.connection() as database:
        found = database.execute_sql(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return int(found.fetchone()[0])


def has_tables(store: Store) -> bool:
    """Whether the server's tables are there."""
    with store.connection() as database:
        return database.execute_sql("SELECT to_regclass('game'), to_regclass('player')").fetchone() != (None, None)


@contextmanager
def replaced(store: Store, path: Path, url: str, aside: str) -> Iterator[None]:
    """Bring a dump back, with what was there in a schema `aside`. When the block raises, everything is as before.

    Raises `BackupError` where the database may not be changed so, or the dump cannot be read.
    """
    program = postgres_tools.find("pg_restore", postgres_tools.server_version(store))
    schema = _schema(store)
    _execute(store, f"ALTER SCHEMA {_quoted(schema)} RENAME TO {_quoted(aside)}", f"CREATE SCHEMA {_quoted(schema)}")
    try:
        options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", f"--schema={schema}"]
        postgres_tools.run(program, [*options, str(path)], url)
        store.close_idle()
        yield
    except BaseException:
        store.close_idle()
        _execute(
            store,
            f"DROP SCHEMA {_quoted(schema)} CASCADE",
            f"ALTER SCHEMA {_quoted(aside)} RENAME TO {_quoted(schema)}",
        )
        raise


def drop_schema(store: Store, name: str) -> None:
    """Take away what was put aside."""
    _execute(store, f"DROP SCHEMA {_quoted(name)} CASCADE")


def _schema(store: Store) -> str:
    with store.connection() as database:
        name = database.execute_sql("SELECT current_schema()").fetchone()[0]
    if name is None:
        raise BackupError(f"the database {store.name} has no schema `public`, nor any other on its search_path")
    return str(name)


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


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
