"""Backups of an SQLite file while others write to it, and the way back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from server.storage.backups.files import BackupError, Keep, synchronise
from server.storage.queue import WriteQueue
from server.storage.unusable import reason

_PAGES = 256
_PAUSE = 0.002
"""Seconds between two steps of a megabyte: whoever plays meanwhile needs the disk, too."""
_SECONDS = 2.0
"""How long somebody who is just closing the database may take."""


class _StoppedError(Exception):
    """`keep` said so."""


def copy(source: Path, target: Path, keep: Keep = lambda: True) -> None:
    """Write what `source` holds at this moment into `target`, a single file, and look through it.

    Nobody waits for it: it reads one state of the write-ahead log, however long it takes. Raises `BackupError` when the
    database cannot be read, is damaged, or `keep` says to stop.
    """

    def step(status: int, remaining: int, total: int) -> None:
        if not keep():
            raise _StoppedError

    try:
        with closing(_reading(source)) as origin, closing(sqlite3.connect(target)) as made:
            # Within one transaction all steps read the same state; without it each change by others begins it anew.
            origin.execute("BEGIN")
            origin.execute("SELECT 1 FROM sqlite_master").fetchone()
            origin.backup(made, pages=_PAGES, progress=step, sleep=_PAUSE)
        check(target)
    except _StoppedError:
        raise BackupError("the backup was stopped; nothing was kept of it") from None
    except sqlite3.Error as error:
        raise BackupError(f"cannot copy {source}: {reason(error)}") from error


def check(path: Path) -> None:
    """Look through a copy and make it a single file. Raises `BackupError` where it is damaged."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as made:
            made.execute("PRAGMA journal_mode = delete").fetchone()
            wrong = [str(line) for (line,) in made.execute("PRAGMA integrity_check(1)") if line != "ok"]
            wrong += [f"a row of {table} refers to nothing" for table, *_ in made.execute("PRAGMA foreign_key_check")]
    except sqlite3.Error as error:
        raise BackupError(f"{path} is damaged: {reason(error)}") from error
    if wrong:
        raise BackupError(f"the database is damaged ({wrong[0]}): no backup of it would help; use an older one")


def put_in_place(made: Path, path: Path, aside: Path | None) -> None:
    """Let the file `made` be the database `path`; what was there becomes `aside`, or goes where that is None.

    Raises `BackupError` while any process has the database open.
    """
    queue = WriteQueue(path.with_name(path.name + ".lock"))
    try:
        with queue:
            if path.exists():
                leave_alone(path)
            # Of a damaged database its log is still there, which SQLite would apply to whatever file has the name.
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
    finally:
        queue.close()


def leave_alone(path: Path) -> None:
    """Raise `BackupError` unless nobody else has the database open; then it is a single file for the moment."""
    try:
        with closing(sqlite3.connect(path, timeout=_SECONDS, isolation_level=None)) as database:
            # Leaving the write-ahead log is granted to the only connection that there is.
            database.execute("PRAGMA journal_mode = delete").fetchone()
    except sqlite3.OperationalError as error:
        raise BackupError(
            f"a server or another command has {path} open ({reason(error)}): stop `ulm serve` and `ulm worker` first"
        ) from error
    except sqlite3.DatabaseError:
        return  # no database any more: whoever had it open could not use it either


def _reading(path: Path) -> sqlite3.Connection:
    if not path.exists():
        raise BackupError(f"there is no database {path}; ULM_DATA_DIR or ULM_DATABASE_URL says where it is")
    return sqlite3.connect(path, isolation_level=None)
