"""Waiting until something changes in a game (long polls, event streams).

A writer signals after its commit. Waiters of the same process wake at once, and those of others that are told of it
(`database_signals`); all look by themselves every few seconds (`poll_seconds`). A wake-up says only "look
again": whether the caller may see a difference is decided by what they would be shown, so a masked draw is not told by
it.
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
    """Who waits for which game, in one process. Safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiters: dict[str, set[threading.Event]] = {}
        self._listeners: list[Callable[[str], None]] = []
        self.teller: Callable[[str], None] | None = None
        """Called with each game that changes in this process, to pass it on to others."""
        self.is_told = False
        """Whether this process hears what all others change."""

    @property
    def poll_seconds(self) -> float:
        """How often to look without having been woken."""
        return max(POLL_SECONDS, CALM_POLL_SECONDS) if self.is_told else POLL_SECONDS

    def signal(self, game_id: str) -> None:
        """Something has changed here: wake everybody who waits for the game, in other processes too."""
        self.heard(game_id)
        if self.teller is not None:
            self.teller(game_id)

    def heard(self, game_id: str) -> None:
        """Something has changed, maybe in another process: wake everybody in this one who waits for the game."""
        with self._lock:
            for waiter in self._waiters.get(game_id, ()):
                waiter.set()
            listeners = list(self._listeners)
        for listener in listeners:
            listener(game_id)

    def listen(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with the game at each signal from now on, whichever game that is; it must not take long."""
        with self._lock:
            self._listeners.append(listener)

    def unlisten(self, listener: Callable[[str], None]) -> None:
        """Call it no more."""
        with self._lock:
            self._listeners.remove(listener)

    def subscribe(self, game_id: str) -> threading.Event:
        """An event that is set at each signal from now on; give it back with `unsubscribe`."""
        event = threading.Event()
        with self._lock:
            self._waiters.setdefault(game_id, set()).add(event)
        return event

    def unsubscribe(self, game_id: str, event: threading.Event) -> None:
        """Forget a waiter."""
        with self._lock:
            waiters = self._waiters.get(game_id)
            if waiters is not None:
                waiters.discard(event)
                if not waiters:
                    del self._waiters[game_id]


_hubs: WeakKeyDictionary[Store, Changes] = WeakKeyDictionary()


def changes(store: Store) -> Changes:
    """The hub of this process for `store`."""
    return _hubs.setdefault(store, Changes())


def game_changes(store: Store, game_id: str) -> None:
    """Wake those who wait for the game when the running write transaction is committed; never on undo."""
    store.after_commit(lambda: changes(store).signal(game_id))


def marks(store: Store, games: list[str]) -> dict[str, sql.Row]:
    """What is another row whenever something has happened in one of the games since. Never to be shown."""
    with store.read():
        found = sql.rows(store, f"{_MARKS} ({', '.join('?' * len(games))})", *games)
    return {row[2]: row for row in found}
