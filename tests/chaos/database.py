"""A database of chaos's own: a file, or a PostgreSQL that keeps what it acknowledged when it dies, perhaps on a disk of
its own that can be filled."""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from tests import postgres

SIZE = 128 << 20
"""Bytes; a PostgreSQL with nothing in it takes 40 MB."""


class NoDiskError(Exception):
    """No file system can be mounted here; the message says why."""


class SmallDisk:
    """One in memory, mounted at `folder`, which is made. Raises `NoDiskError`: to mount is for root alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"
        folder.mkdir()
        self._mount("mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "tmpfs", str(folder))

    def fill(self) -> None:
        """Take what is free now."""
        with self._filler.open("ab") as file:
            for piece in (1 << 20, 4096):  # what cannot be had whole is not given in part
                with suppress(OSError):
                    while True:
                        os.posix_fallocate(file.fileno(), os.fstat(file.fileno()).st_size, piece)

    def free(self) -> None:
        """Give it back."""
        self._filler.unlink(missing_ok=True)

    def close(self) -> None:
        """Take the file system away, and all that is on it."""
        self._mount("umount", "--lazy", str(self.folder))

    def _mount(self, *command: str) -> None:
        try:
            subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        except (OSError, subprocess.SubprocessError) as error:
            said = getattr(error, "stderr", None) or str(error)
            raise NoDiskError(f"{command[0]} fails: {' '.join(str(said).split())}") from error


class Database:
    """An empty one, of the kind `sqlite` or `postgresql`; `url` is its address. With `small_disk` PostgreSQL's data lie
    on a file system of their own, `disk`. Raises `NoPostgresError`, `NoDiskError`."""

    def __init__(self, kind: str, folder: Path, small_disk: bool = False) -> None:
        self.cluster: postgres.Cluster | None = None
        self.disk: SmallDisk | None = None
        if kind == "sqlite":
            self.url = f"sqlite:///{folder}/ulm.sqlite3"
            return
        self._place = tempfile.TemporaryDirectory(prefix="ulm-pg-", ignore_cleanup_errors=True)
        place = Path(self._place.name)  # short, as a socket needs it
        place.chmod(0o755)
        if small_disk:
            self.disk = SmallDisk(place / "disk")
            postgres.own(self.disk.folder)
        data = place / "data" if self.disk is None else self.disk.folder / "data"
        # Not `fsync`: what dies here are processes. But what is acknowledged has to have left the server's memory.
        options = {"synchronous_commit": "on", "full_page_writes": "on", "autovacuum": "on"}
        if self.disk is not None:  # as little as it can do with: what it has for later would be used when there is none
            options |= {"min_wal_size": "2MB", "max_wal_size": "8MB"}
        self.cluster = postgres.Cluster(place, data, **options)
        try:
            self.cluster.initialise(*["--wal-segsize=1"] * (self.disk is not None))
            self.cluster.start()
            postgres.recreate_database(place, "chaos")
        except BaseException:
            if self.disk is not None:
                self.disk.close()
            raise
        self.url = postgres.url(place, "chaos")

    def stop(self) -> None:
        """End the server, and remove what it stored."""
        if self.cluster is not None:
            try:
                self.cluster.stop()
            finally:
                if self.disk is not None:
                    self.disk.close()
                self._place.cleanup()
