"""PostgreSQL's own programs: which there are, whether they are new enough, and how they are told the password."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from server.storage.backups.files import BackupError, Keep
from server.storage.database import Store
from server.storage.unusable import reason

DEBIAN = Path("/usr/lib/postgresql")
"""Where Debian and what comes of it keep the programs of each version, `/usr/lib/postgresql/15/bin`."""
_STOPPED = "the backup was stopped; nothing was kept of it"
_LOOK = 0.1


def server_version(store: Store) -> int:
    """The major version of the server, such as 15."""
    with store.connection() as database:
        return int(database.execute_sql("SHOW server_version_num").fetchone()[0]) // 10_000


def find(name: str, version: int) -> Path:
    """The program `name` that knows servers of that version: of the path, else of Debian's folders.

    Raises `BackupError`, which says what to install.
    """
    on_path = shutil.which(name)
    candidates = [Path(on_path)] if on_path else []
    candidates += sorted(DEBIAN.glob(f"*/bin/{name}"), key=lambda path: path.parts[-3])
    found = {path: major for path in candidates if (major := _major(path)) is not None}
    for path, major in found.items():
        if major >= version:
            return path
    if not found:
        raise BackupError(f"{name} is needed and not there: install PostgreSQL's client programs, version {version}")
    newest = max(found.values())
    raise BackupError(
        f"{name} is of version {newest} and does not know a server of version {version}: install PostgreSQL's client "
        f"programs of version {version}, or put their folder first in PATH"
    )


def run(program: Path, arguments: list[str], url: str = "", keep: Keep = lambda: True) -> str:
    """What a program prints. `url` goes along as `--dbname`, and its password where no list of processes shows it.

    Raises `BackupError` with the program's first complaint, or when `keep` says to stop.
    """
    environment = os.environ | {"LC_ALL": "C"}
    if url:
        address, password = _without_password(url)
        arguments = [f"--dbname={address}", "--no-password", *arguments]
        if password is not None:
            environment["PGPASSWORD"] = password
    if not keep():  # else a small database would be through before anybody is asked
        raise BackupError(_STOPPED)
    try:
        process = subprocess.Popen(  # noqa: S603 - a program of PostgreSQL's
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env=environment,
            umask=0o077,
        )
    except OSError as error:
        raise BackupError(f"{program} cannot be run: {reason(error)}") from error
    with process:
        while True:
            try:
                out, said = process.communicate(timeout=_LOOK)
                break
            except subprocess.TimeoutExpired:
                if not keep():
                    process.kill()
                    process.communicate()
                    raise BackupError(_STOPPED) from None
    if process.returncode != 0:
        lines = [line for line in said.splitlines() if "error" in line or "fatal" in line.lower()] or said.splitlines()
        raise BackupError(f"{program.name} failed: {lines[0] if lines else process.returncode}")
    return out


def _major(program: Path) -> int | None:
    try:
        said = subprocess.run(  # noqa: S603 - as above
            [program, "--version"], capture_output=True, text=True, timeout=20, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r"(\d+)(?:\.\d+|devel|beta\d+|rc\d+)", said)
    return None if found is None else int(found[1])


def _without_password(url: str) -> tuple[str, str | None]:
    from psycopg import conninfo

    parts = conninfo.conninfo_to_dict("postgresql" + url[url.index(":") :])
    password = parts.pop("password", None)
    return conninfo.make_conninfo("", **parts), None if password is None else str(password)
