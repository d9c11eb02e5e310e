"""Waiting until something changes in a game (long polls, event streams).

A writer signals after its commit. Waiters of the same process wake at once, and those of others that are told of it
(`database_signals`); all look by themselves every few seconds (`poll_seconds`). A wake-up says only "look
again": whether the caller may see a difference is decided by what they would be shown, so a masked draw is not told by
it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from weakref import WeakKeyDictionary

from server.storage import sql
from server.storage.database import Store

POLL_SECONDS = 1.0
CALM_POLL_SECONDS = 5.0
"""The same where other processes tell what they change: a signal may be lost."""

# All that is shown of a game comes with one of these two. The version also counts what is hidden: nobody is told it.
_MARKS = "SELECT version, (SELECT MAX(id) FROM message WHERE game_id = game.id), id FROM game WHERE id "


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

    def waiting(self, game_id: str) -> int:
        """How many wait for the game."""
        with self._lock:
            return len(self._waiters.get(game_id, ()))


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
        found = sql.rows(store, f"{_MARKS} IN ({', '.join('?' * len(games))})", *games)
    return {row[2]: row for row in found}


def when_changed(store: Store, game_id: str, look: Callable[[], bool]) -> Callable[[], bool]:
    """`look`, inside a transaction, but only the first time and when something has happened in the game since: a cheap
    question first, for those who look again and again. In between it says False."""
    known: sql.Row | None = None

    def again() -> bool:
        nonlocal known
        with store.read():
            present = sql.row(store, f"{_MARKS} = ?", game_id)
            if present is not None and present == known:
                return False
            found = look()
        known = present
        return found

    return again


def until(
    store: Store,
    game_id: str,
    look: Callable[[], bool],
    timeout: float,
    clock: Callable[[], float] = time.monotonic,
) -> bool:
    """Call `look` now and after each signal or poll until it is true or `timeout` seconds are over.

    Returns what the last `look` returned; early when the store is about to close. No connection is held between two
    looks.
    """
    hub = changes(store)
    deadline = clock() + timeout
    event = hub.subscribe(game_id)
    try:
        while True:
            event.clear()  # before looking: a change during the look wakes the next wait
            if look():
                return True
            left = deadline - clock()
            if left <= 0 or store.closing.is_set():
                return False
            event.wait(min(left, hub.poll_seconds))
    finally:
        hub.unsubscribe(game_id, event)
