"""Plain SQL. Statements are written with `?` and hold no other question mark or percent sign. They run inside
`store.read()` or `store.write()`, but for one that reads by itself."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any

from server import metering
from server.storage import statements
from server.storage.database import Store

Row = tuple[Any, ...]  # Any: a value for each column, as the statement names them
ByName = dict[str, Any]  # Any: the same, by the names of the columns


def locking(store: Store, statement: str, of: str = "") -> str:
    """`statement` with its rows (of several tables those of `of`) locked until the transaction ends. On SQLite
    `write()` has locked all already, here and in what follows."""
    if store.is_sqlite:
        return statement
    return f"{statement} FOR UPDATE OF {of}" if of else f"{statement} FOR UPDATE"


def skipping_locked(store: Store) -> str:
    """What ends a query that claims rows of a queue: they are locked, those that another process has locked passed
    over."""
    return "" if store.is_sqlite else " FOR UPDATE SKIP LOCKED"


def lock_in_order(store: Store, table: str, where: str, *parameters: Any) -> None:
    """Lock the rows of a table for which `where` holds by their number, before a statement that changes several of
    them: so no two statements each hold what the other waits for."""
    if not store.is_sqlite:
        execute(store, f"SELECT id FROM {table} WHERE {where} ORDER BY id FOR UPDATE", *parameters)  # noqa: S608 - of ours


def execute(store: Store, statement: str, *parameters: Any) -> Any:
    """Run `statement` and return the cursor."""
    if not store.is_sqlite:
        statement = statement.replace("?", "%s")
    return store.database.execute_sql(statement, parameters)


def insert(store: Store, table: str, **columns: object) -> None:
    """Store a row of a table with these columns."""
    execute(store, _insert(table, columns), *columns.values())


def insert_numbered(store: Store, table: str, **columns: object) -> int:
    """The same in a table that numbers its rows; returns the number."""
    return int(execute(store, f"{_insert(table, columns)} RETURNING id", *columns.values()).fetchone()[0])


def _insert(table: str, columns: dict[str, object]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608 - of ours


def rows(store: Store, statement: str, *parameters: Any) -> list[Row]:
    """Every row of the answer."""
    return store.ask(lambda: _all(execute(store, statement, *parameters), statement))


def row(store: Store, statement: str, *parameters: Any) -> Row | None:
    """The first row of the answer, None when there is none."""
    found: Row | None = store.ask(lambda: execute(store, statement, *parameters).fetchone())
    return found


def value(store: Store, statement: str, *parameters: Any) -> Any | None:
    """The first column of that row, None when there is none."""
    found = row(store, statement, *parameters)
    return None if found is None else found[0]


def dicts(store: Store, statement: str, *parameters: Any) -> list[ByName]:
    """Every row of the answer by column name."""

    def named() -> list[ByName]:
        cursor = execute(store, statement, *parameters)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, values, strict=True)) for values in _all(cursor, statement)]

    return store.ask(named)


def marks(values: Collection[object]) -> str:
    """The question marks of so many values behind IN."""
    return f"({', '.join('?' * len(values)) or 'NULL'})"


def _all(cursor: Any, statement: str) -> list[Row]:
    """The rows of an answer. SQLite finds them while they are fetched, so that is timed, too."""
    began = time.perf_counter()
    found: list[Row] = cursor.fetchall()
    spent = time.perf_counter() - began
    if spent >= metering.SLOW_FROM:
        statements.took(statement, spent)
    return found
