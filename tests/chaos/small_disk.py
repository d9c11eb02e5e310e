"""A file system of its own, small enough to be filled."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

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
