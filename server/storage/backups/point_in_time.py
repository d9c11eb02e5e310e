"""PostgreSQL as it was at a moment: a copy of the whole cluster, and the write-ahead log that was archived since."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

from server.storage.backups import postgres_tools
from server.storage.backups.files import BackupError, empty_folder, remove_tree, stamp, stamped, synchronise
from server.storage.database import Store
from server.storage.unusable import reason

_BASE = "base-"


def base_backup(store: Store, url: str, folder: Path) -> Path:
    """Copy the cluster, while it runs, into a new folder in `folder`, look through the copy, and return its path.

    It is named by the moment at which it was complete: from then on it can be brought to any later one. Raises
    `BackupError` when the programs are missing, or the user may not do that.
    """
    if store.is_sqlite:
        raise BackupError("`--base` is for PostgreSQL; of SQLite `ulm backup FOLDER` makes a whole copy each time")
    version = postgres_tools.server_version(store)
    copy = postgres_tools.find("pg_basebackup", version)
    check = postgres_tools.find("pg_verifybackup", version)
    part = folder / f"{_BASE}{os.getpid()}.part"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BackupError(f"cannot use the folder {folder}: {reason(error)}") from error
    remove_tree(part)
    try:
        postgres_tools.run(copy, [f"--pgdata={part}", "--checkpoint=fast", "--wal-method=stream"], url)
        postgres_tools.run(check, ["--quiet", str(part)])
        with store.connection() as database:
            (done,) = database.execute_sql("SELECT date_trunc('second', now()) + interval '1 second'").fetchone()
        path = folder / f"{_BASE}{stamp(done)}"
        part.rename(path)
        synchronise(folder)
    except OSError as error:
        raise BackupError(f"cannot write into {folder}: {reason(error)}") from error
    finally:
        remove_tree(part)
    return path


def is_archiving(store: Store) -> bool:
    """Whether the server archives its write-ahead log, without which a copy stays at its own moment."""
    with store.connection() as database:
        return bool(database.execute_sql("SHOW archive_mode").fetchone()[0] != "off")


def prepare(folder: Path, wal: Path, into: Path, at: datetime | None) -> Path:
    """Make `into` the data directory of a PostgreSQL which, when it is started, becomes what it was at `at` (None: at
    the end of the archive), from the newest copy in `folder` before that and the log in `wal`. Returns that copy.

    Nothing is started. Raises `BackupError` and leaves nothing behind where something is missing.
    """
    base = _newest(folder, at)
    archive = _archive(wal)
    if any((base / "pg_tblspc").iterdir()):
        raise BackupError(f"{base} has tablespaces: bring it back by PostgreSQL's own manual (section 25.3.5)")
    empty_folder(into, "the data directory")
    lines = [
        "",
        "# ulm restore",
        f'restore_command = \'cp "{archive}/%f" "%p"\'',
        "recovery_target_timeline = 'latest'",
    ]
    if at is not None:
        moment = at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S+00")
        lines += [f"recovery_target_time = '{moment}'", "recovery_target_action = 'promote'"]
    try:
        shutil.copytree(base, into, symlinks=True, dirs_exist_ok=True)
        into.chmod(0o700)
        with (into / "postgresql.auto.conf").open("a", encoding="utf-8") as file:
            file.write("\n".join([*lines, ""]))
        (into / "recovery.signal").touch(0o600)
    except (OSError, shutil.Error) as error:
        remove_tree(into)
        raise BackupError(f"cannot copy {base} into {into}: {reason(error)}") from error
    return base


def _newest(folder: Path, at: datetime | None) -> Path:
    try:
        found = {moment: path for path in folder.iterdir() if (moment := stamped(path.name, _BASE)) is not None}
    except OSError as error:
        raise BackupError(f"cannot read the folder {folder}: {reason(error)}") from error
    if not found:
        raise BackupError(f"no copy of a cluster lies in {folder}: `ulm backup --base` makes them, as base-…")
    fit = [moment for moment in found if at is None or moment <= at]
    if not fit:
        oldest = min(found).strftime("%Y-%m-%dT%H:%M:%SZ")
        raise BackupError(f"the oldest copy in {folder} was complete at {oldest}: no earlier moment can be had from it")
    return found[max(fit)]


def _archive(wal: Path) -> Path:
    path = wal.resolve()
    if not path.is_dir():
        raise BackupError(f"there is no folder {wal} with the archived write-ahead log")
    if not any(len(entry.name) >= 24 for entry in path.iterdir()):
        raise BackupError(f"nothing of the write-ahead log lies in {wal}: look at archive_command, docs/operating.md")
    if any(letter in str(path) for letter in "'\"%\\$`\n"):
        raise BackupError(f"{path}: PostgreSQL's restore_command cannot take such a name; use a plainer one")
    return path
