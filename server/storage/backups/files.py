"""What all backups share: files that are there whole or not at all, and the time in their names."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from server.storage.unusable import StoreError, reason

Keep = Callable[[], bool]
"""Called between two steps of a copy; False means stop."""

SQLITE, DUMP = ".sqlite3", ".dump"
"""How the names of backups end, by what they hold."""
_SQLITE_HEAD, _DUMP_HEAD = b"SQLite format 3\0", b"PGDMP"


class BackupError(StoreError):
    """A backup cannot be made or brought back. The message is one line and says what to do."""


def stamp(moment: datetime) -> str:
    """A moment as it stands in names, `20261123T100000Z`: in the order of time they are in that of letters."""
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def stamped(name: str, before: str) -> datetime | None:
    """The moment in a name that is `before` and a stamp, nothing else; None for any other name."""
    found = re.fullmatch(re.escape(before) + r"(\d{8}T\d{6}Z)", name)
    if found is None:
        return None
    try:
        return datetime.strptime(found[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None


def kind(path: Path) -> str:
    """`SQLITE` or `DUMP`, by what the file begins with. Raises `BackupError` for anything else."""
    try:
        with path.open("rb") as file:
            head = file.read(len(_SQLITE_HEAD))
    except OSError as error:
        raise BackupError(f"cannot read {path}: {reason(error)}") from error
    if head == _SQLITE_HEAD:
        return SQLITE
    if head.startswith(_DUMP_HEAD):
        return DUMP
    raise BackupError(f"{path} is no backup: neither an SQLite database nor a dump in pg_dump's custom format")


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A name beside `path` to write to, which becomes `path` when the block ends and all of it is on disk.

    For the owner alone: seeds of running games and addresses are in it. Raises `BackupError` where `path` is there
    already or the disk refuses; then, as when the block raises, nothing of it is left.
    """
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


def empty_folder(path: Path, what: str) -> None:
    """Make a folder for its owner alone. Raises `BackupError` where something is in it already."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise BackupError(f"{path} is not empty; name a new folder for {what}")
        path.chmod(0o700)
    except OSError as error:
        raise BackupError(f"cannot use the folder {path}: {reason(error)}") from error


def remove_tree(path: Path) -> None:
    """Take a folder away that was not finished."""
    shutil.rmtree(path, ignore_errors=True)
