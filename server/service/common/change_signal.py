"""Waiting until something changes in a game (long polls, event streams).

A writer signals after its commit. Waiters of the same process wake at once; those of other processes look by themselves
every `POLL_SECONDS`. A wake-up says only "look again": whether the caller may see a difference is decided by what they
would be shown, so a masked draw is not told by it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from weakref import WeakKeyDictionary

from server.storage import sql
from server.storage.database import Store

POLL_SECONDS = 1.0

# All that is shown of a game comes with one of these two. The version also counts what is hidden: nobody is told it.
_MARKS = "SELECT version, (SELECT MAX(id) FROM message WHERE game_id = game.id) FROM game WHERE id = ?"


class Changes:
    """Who waits for which game, in one process. Safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiters: dict[str, set[threading.Event]] = {}

    def signal(self, game_id: str) -> None:
        """Wake everybody who waits for the game."""
        with self._lock:
            for waiter in self._waiters.get(game_id, ()):
                waiter.set()

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


def when_changed(store: Store, game_id: str, look: Callable[[], bool]) -> Callable[[], bool]:
    """`look`, inside a transaction, but only the first time and when something has happened in the game since: a cheap
    question first, for those who look again and again. In between it says False."""
    known: sql.Row | None = None

    def again() -> bool:
        nonlocal known
        with store.read():
            marks = sql.row(store, _MARKS, game_id)
            if marks is not None and marks == known:
                return False
            found = look()
        known = marks
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
            event.wait(min(left, POLL_SECONDS))
    finally:
        hub.unsubscribe(game_id, event)
