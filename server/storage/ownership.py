"""Whose the files are: what root makes where the service's files lie is the service's."""

from __future__ import annotations

import os
from pathlib import Path


def give(path: Path, like: Path | None = None) -> None:
    """Let `path`, just made, have the owner of `like`, else of its folder. Only root can, and only for root is it
    needed: a command of the operator's must leave nothing that the server cannot read. Raises `OSError`."""
    if os.geteuid() == 0:
        there = (like or path.parent).stat()
        os.chown(path, there.st_uid, there.st_gid)


def is_missing(path: Path) -> bool:
    """Whether there is no such file, as far as one can see: where one may not look, opening it tells why."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        pass
    return False


def refused(paths: list[Path]) -> str | None:
    """How to mend that this user may not use one of these files; None where they are not in the way."""
    for path in paths:
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CLOEXEC))
        except PermissionError:
            there = next(one for one in (path, *path.parents) if os.path.exists(one))
            return f"{there} belongs to user {there.stat().st_uid}, this is {os.geteuid()}: chown it to the service's"
        except OSError:
            continue  # it is not there, or that is not what is wrong with it
    return None
