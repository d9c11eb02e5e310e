"""When a database cannot be used, and why: what passes ("try again"), told from what never will."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import peewee


class StoreError(Exception):
    """The database cannot be used. The message is one line, names what to change, and holds no password."""

    uncertain = False
    """Whether the transaction may have been committed all the same: its server was lost before it could say so."""


class StoreBusyError(StoreError):
    """Others held the database for too long; trying again later makes sense."""


class StoreFullError(StoreError):
    """There is no room on the database's disk. Nothing was changed."""


_DRIVERS = (peewee.OperationalError, peewee.InterfaceError)
_SQLITE = frozenset({
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_READONLY,
})  # fmt: skip
_POSTGRES_FULL = "53100"


def store_error(error: BaseException, name: str) -> StoreError | None:
    """What `error` says about the database `name`: a `StoreError`, or None for nothing. The first cause counts."""
    found = None
    for link in _chain(error):
        if isinstance(link, StoreError):  # said already, and perhaps what was done about it has failed as well
            return type(link)(str(link)) if isinstance(error, _DRIVERS) else None
        if isinstance(link, _DRIVERS) and _passes(_of_driver(link)):
            found = link
    if found is None:
        return None
    if _is_full(_of_driver(found)):
        return StoreFullError(f"the disk of the database {name} is full: {reason(found)}; make room")
    return StoreError(f"the database {name} does not answer: {reason(found)}")


def reason(error: BaseException) -> str:
    """The first line of what went wrong. Drivers put a password into none of their connection errors."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error, then what it was raised in the handling of, and so on."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _of_driver(error: BaseException) -> BaseException:
    """The driver's own error behind peewee's."""
    return error.__cause__ or error.__context__ or error


def _passes(error: BaseException) -> bool:
    # Extended codes have the plain one in their lowest byte. Without a code the driver itself complains.
    return not isinstance(error, sqlite3.Error) or getattr(error, "sqlite_errorcode", -1) & 0xFF in _SQLITE


def _is_full(error: BaseException) -> bool:
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", -1) == sqlite3.SQLITE_FULL
    return getattr(error, "sqlstate", None) == _POSTGRES_FULL
