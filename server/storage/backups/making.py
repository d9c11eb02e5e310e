"""One backup of whichever database it is; and one a day, of which the newest are kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from server.storage.backups import postgres_dump, sqlite_copy
from server.storage.backups.files import DUMP, SQLITE, Keep, stamp, stamped, whole
from server.storage.database import Store

_DAILY = "ulm-daily-"
_ONE = "ulm-"


def ending(store: Store) -> str:
    """How the name of a backup of this database ends."""
    return SQLITE if store.is_sqlite else DUMP


def target(store: Store, to: Path, now: datetime) -> Path:
    """The file that a backup into `to` becomes: itself, or in a folder one that is named by the time."""
    return to / f"{_ONE}{stamp(now)}{ending(store)}" if to.is_dir() else to


def make(store: Store, url: str, path: Path, keep: Keep = lambda: True) -> None:
    """Copy the database at `url`, open as `store`, into the new file `path`, while others use it.

    Raises `BackupError`; then there is no such file.
    """
    with whole(path) as part:
        if store.is_sqlite:
            sqlite_copy.copy(Path(store.name), part, keep)
        else:
            postgres_dump.dump(store, url, part, keep)


def daily(
    store: Store, url: str, folder: Path, kept: int, now: datetime, keep: Keep = lambda: True
) -> tuple[Path | None, int]:
    """Make the backup of this day (UTC) if there is none, then remove all but the newest `kept` of those that were made
    so: the new file, None if it was there, and how many were removed. Other files in the folder stay.

    Raises `BackupError`; then nothing was removed.
    """
    there = _daily_files(folder, ending(store))
    made = None
    if not any(moment.date() == now.date() for moment in there):
        made = folder / f"{_DAILY}{stamp(now)}{ending(store)}"
        make(store, url, made, keep)
        there[now] = made
    old = [path for _, path in sorted(there.items())][:-kept]
    for path in old:
        path.unlink(missing_ok=True)
    return made, len(old)


def _daily_files(folder: Path, end: str) -> dict[datetime, Path]:
    named: Callable[[Path], datetime | None] = lambda path: stamped(path.name.removesuffix(end), _DAILY)  # noqa: E731
    found = folder.iterdir() if folder.is_dir() else ()
    return {moment: path for path in found if path.name.endswith(end) and (moment := named(path)) is not None}
