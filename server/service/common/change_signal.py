"""Waiting until something changes in a game (event streams and long polls).

A writer signals after its commit, which wakes who waits in the same process and in those that are told of it
(`database_signals`); all look by themselves every few seconds. A signal says only "look again": whether the caller may
see a difference is decided by what they would be shown, so a masked draw is not told by it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from weakref import WeakKeyDictionary

from server.storage import sql
from server.storage.database import Store

POLL_SECONDS = 1.0
CALM_POLL_SECONDS = 5.0
"""The same where other processes tell what they change: a signal may be lost."""

# All that is shown of a game comes with one of these two. The version also counts what is hidden: nobody is told it.
_MARKS = "SELECT version, (SELECT MAX(id) FROM message WHERE game_id = game.id), id FROM game WHERE id IN"


class Changes:
    """Who hears of changes in one process. Safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: set[Callable[[str], None]] = set()
        self.teller: Callable[[str], None] | None = None
        """Called with each game that changes in this process, to pass it on to others."""
        self.is_told = False
        """Whether this process hears what all others change."""

    @property
    def poll_seconds(self) -> float:
        """How often to look without having been woken."""
        return max(POLL_SECONDS, CALM_POLL_SECONDS) if self.is_told else POLL_SECONDS

    def signal(self, game_id: str) -> None:
        """Something has changed here: tell everybody, in other processes too."""
        self.heard(game_id)
        if self.teller is not None:
            self.teller(game_id)

    def heard(self, game_id: str) -> None:
        """Something has changed, maybe in another process: tell everybody in this one."""
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener(game_id)

    def listen(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with the game at each signal from now on, whichever game that is; it must not take long."""
        with self._lock:
            self._listeners.add(listener)

    def unlisten(self, listener: Callable[[str], None]) -> None:
        """Call it no more."""
        with self._lock:
            self._listeners.discard(listener)


_hubs: WeakKeyDictionary[Store, Changes] = WeakKeyDictionary()


def changes(store: Store) -> Changes:
    """The hub of this process for `store`."""
    return _hubs.setdefault(store, Changes())


def game_changes(store: Store, game_id: str) -> None:
    """Tell of the game when the running write transaction is committed; never on undo."""
    store.after_commit(lambda: changes(store).signal(game_id))


def marks(store: Store, games: list[str]) -> dict[str, sql.Row]:
    """What is another row whenever something has happened in one of the games since. Never to be shown."""
    found = sql.rows(store, f"{_MARKS} {sql.marks(games)}", *games)
    return {row[2]: row for row in found}
