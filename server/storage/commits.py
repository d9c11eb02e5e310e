"""Whether anybody has committed anything since: a cheap question before dear ones, where many games are followed."""

from __future__ import annotations

import sqlite3

from server.storage.database import Store
from server.storage.pools import BUSY_SECONDS


class Commits:
    """Asked by one thread at a time. A connection of its own stays open from the first question until `close`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._connection: sqlite3.Connection | None = None
        self._seen: int | None = None

    def any_since(self) -> bool:
        """Whether somebody, in whatever process, may have committed since the last question.

        SQLite counts that for each connection. PostgreSQL does not tell, so there it is always yes.
        """
        if not self._store.is_sqlite:
            return True
        try:
            if self._connection is None:
                self._connection = sqlite3.connect(self._store.name, timeout=BUSY_SECONDS, check_same_thread=False)
            found = int(self._connection.execute("PRAGMA data_version").fetchone()[0])
        except sqlite3.Error:
            self.close()
            return True
        before, self._seen = self._seen, found
        return found != before

    def close(self) -> None:
        """Give the connection back; the next question opens another, and its answer is yes."""
        if self._connection is not None:
            self._connection.close()
        self._connection = self._seen = None
