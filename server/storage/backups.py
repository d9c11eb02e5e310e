"""Copies of the whole database while it is used: an SQLite file, or a dump by `pg_dump`. Back: `restoring`."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from server.storage.database import Store
from server.storage.migrate import TABLE
from server.storage.unusable import StoreError, reason

Keep = Callable[[], bool]
"""Called between two steps of a copy; False means stop."""

_DAILY = re.compile(r"ulm-daily-\d{8}T\d{6}Z\.(sqlite3|dump)")
_PAGES = 256
_PAUSE = 0.002
"""Seconds between two steps of a megabyte: whoever plays meanwhile needs the disk, too."""
_LOOK = 0.1


class BackupError(StoreError):
    """A backup cannot be made or brought back. The message is one line and says what to do."""


def stamp(moment: datetime) -> str:
    """A moment as it stands in names, `20261123T100000Z`: in the order of time they are in that of letters."""
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def target(store: Store, to: Path, now: datetime) -> Path:
    """The file that a backup into `to` becomes: itself, or in a folder one that is named by the time."""
    return to / f"ulm-{stamp(now)}{_ending(store)}" if to.is_dir() else to


def make(store: Store, url: str, path: Path, keep: Keep = lambda: True) -> None:
    """Copy the database at `url`, open as `store`, into the new file `path`. Raises `BackupError`, leaving none."""
    with whole(path) as part:
        if store.is_sqlite:
            copy_sqlite(Path(store.name), part, keep)
            return
        with store.connection() as database:
            schema = database.execute_sql("SELECT current_schema()").fetchone()[0]
        run("pg_dump", ["--format=custom", f"--schema={schema}", f"--file={part}"], url, keep)
        if TABLE not in run("pg_restore", ["--list", str(part)]):
            raise BackupError("the dump does not hold the server's tables; nothing was kept of it")


def daily(
    store: Store, url: str, folder: Path, kept: int, now: datetime, keep: Keep = lambda: True
) -> tuple[Path | None, int]:
    """Make the backup of this day (UTC) if there is none, then remove all but the newest `kept` of those that were made
    so: the new file, None if it was there, and how many were removed. Raises `BackupError`; then nothing was
    removed."""
    there = sorted(path for path in folder.glob("ulm-daily-*") if _DAILY.fullmatch(path.name))
    today = folder / f"ulm-daily-{stamp(now)}{_ending(store)}"
    is_new = not any(path.name[:18] == today.name[:18] for path in there)
    if is_new:
        make(store, url, today, keep)
        there = sorted([*there, today])
    for path in there[:-kept]:
        path.unlink(missing_ok=True)
    return today if is_new else None, len(there[:-kept])


def newest(folder: Path) -> datetime | None:
    """When the newest backup of a day that is there was made; None where none is."""
    names = [path.name for path in folder.glob("ulm-daily-*") if _DAILY.fullmatch(path.name)]
    return datetime.strptime(max(names)[10:26], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) if names else None


def _ending(store: Store) -> str:
    return ".sqlite3" if store.is_sqlite else ".dump"


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A name to write to, which becomes `path` when the block ends and all is on disk, for the owner alone. Raises
    `BackupError` where `path` is there already or the disk refuses, and leaves nothing."""
    if path.exists():
        raise BackupError(f"{path} is there already, and a backup is never written over another; name another file")
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600))
        yield part
        synchronise(part)
        part.rename(path)
        synchronise(path.parent)
    except OSError as error:
        raise BackupError(f"cannot write {path}: {reason(error)}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def synchronise(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def copy_sqlite(source: Path, target: Path, keep: Keep = lambda: True) -> None:
    """Write what `source` holds at this moment into `target`, a single file, and look through it. Nobody waits for it.
    Raises `BackupError` when the database cannot be read, is damaged, or `keep` says to stop."""

    def step(status: int, remaining: int, total: int) -> None:
        if not keep():
            raise BackupError("the backup was stopped; nothing was kept of it")

    try:
        with closing(sqlite3.connect(source, isolation_level=None)) as origin, closing(sqlite3.connect(target)) as made:
            # Within one transaction all steps read the same state; without it each change by others begins it anew.
            origin.execute("BEGIN")
            origin.execute("SELECT 1 FROM sqlite_master").fetchone()
            origin.backup(made, pages=_PAGES, progress=step, sleep=_PAUSE)
    except sqlite3.Error as error:
        raise BackupError(f"cannot copy {source}: {reason(error)}") from error
    check_sqlite(target)


def check_sqlite(path: Path) -> None:
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


def run(program: str, arguments: list[str], url: str = "", keep: Keep = lambda: True) -> str:
    """What a program of PostgreSQL's prints. `url` goes along as `--dbname`, its password where no list of processes
    shows it. Raises `BackupError` with the program's first complaint, or when `keep` says to stop."""
    path = shutil.which(program)
    if path is None:
        raise BackupError(f"{program} is needed and not there: install PostgreSQL's client programs")
    environment = os.environ | {"LC_ALL": "C"}
    if url:
        from psycopg import conninfo

        parts = conninfo.conninfo_to_dict("postgresql" + url[url.index(":") :])
        environment["PGPASSWORD"] = str(parts.pop("password", None) or environment.get("PGPASSWORD", ""))
        arguments = [f"--dbname={conninfo.make_conninfo('', **parts)}", "--no-password", *arguments]
    stopped = BackupError("the backup was stopped; nothing was kept of it")
    if not keep():  # else a small database would be through before anybody is asked
        raise stopped
    try:
        process = subprocess.Popen(  # noqa: S603 - a program of PostgreSQL's
            [path, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, errors="replace", env=environment, umask=0o077,
        )  # fmt: skip
    except OSError as error:
        raise BackupError(f"{path} cannot be run: {reason(error)}") from error
    with process:
        while True:
            try:
                out, said = process.communicate(timeout=_LOOK)
                break
            except subprocess.TimeoutExpired:
                if not keep():
                    process.kill()
                    process.communicate()
                    raise stopped from None
    if process.returncode != 0:
        lines = [line for line in said.splitlines() if "error" in line or "fatal" in line.lower()] or said.splitlines()
        raise BackupError(f"{program} failed: {lines[0] if lines else process.returncode}")
    return out
