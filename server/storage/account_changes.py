"""Whether an account or a token was changed since, without asking the database: for SQLite, whose processes are all on
one machine.

They share eight bytes, in the file by which writers lock each other out. Whoever changes an account puts others there
when that is committed.
"""

from __future__ import annotations

import mmap
import os
import re
import threading
from functools import lru_cache
from pathlib import Path

_SIZE = 8
_CHANGING = re.compile(
    r'\s*(?:(?:INSERT|REPLACE)(?: OR \w+)? INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+"?(?:player|token)\b'
    r"|\s*(?:ALTER|DROP|CREATE)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=5_000)
def changes_accounts(statement: str) -> bool:
    """Whether a statement may change what an account is, or what a token opens."""
    return _CHANGING.match(statement) is not None


class AccountChanges:
    """What the processes of one database file tell each other of accounts. Safe between threads and after a fork."""

    def __init__(self, path: Path) -> None:
        """`path` is a file beside the database, which is made when it is missing. Raises `OSError`."""
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if os.fstat(file).st_size < _SIZE:
                os.truncate(file, _SIZE)
            self._shared = mmap.mmap(file, _SIZE)
        finally:
            os.close(file)
        self._local = threading.local()

    def mark(self) -> bytes:
        """Eight bytes that are others after the next change. Ask for them before the account."""
        return self._shared[:_SIZE]

    def under_way(self) -> None:
        """An account is being changed by this thread: `committed` has to follow."""
        self._local.changing = True

    def committed(self) -> None:
        """What this thread has changed of accounts, if anything, is for all to see, or was given up."""
        if getattr(self._local, "changing", False):
            self._local.changing = False
            # Not counted up: two that do that at once would count one.
            self._shared[:_SIZE] = os.urandom(_SIZE)
