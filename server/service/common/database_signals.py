"""Signals between all processes that share a PostgreSQL, on whichever machines: NOTIFY, and a connection that LISTENs.

Each process has one connection beside its pool and a thread for it. What changed here is told after its commit, what
changed elsewhere wakes those who wait here. A signal is the id of a game and nothing else; it may be lost (the process
dies in between, the connection breaks), which the look that everybody takes now and then makes good for.

Not in the transaction of the change itself: PostgreSQL lets transactions that notify commit one after the other only,
each waiting for the disk by itself, so that games would wait for each other. And no request has a statement more.
"""

from __future__ import annotations

import logging
import selectors
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from server.service.common import change_signal
from server.storage.database import Store
from server.storage.listening import listening_connection, notify
from server.storage.unusable import StoreError

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger("ulm.signals")

_FIRST_BREATH, _LONGEST_BREATH = 0.5, 30.0  # seconds between two attempts to connect
_MOST = 10_000  # games that may wait to be told while there is no connection; whoever follows them looks by themselves


class DatabaseSignals:
    """Hears what changes at other processes on the same PostgreSQL, and tells them what changes here, until `close`.

    It has a connection of its own and a thread; on SQLite it is nothing."""

    def __init__(self, store: Store) -> None:
        self._store, self._hub = store, change_signal.changes(store)
        self._lock = threading.Lock()
        self._changed: set[str] = set()
        self._stopping = threading.Event()
        self._awoken, self._wake = socket.socketpair()
        self._wake.setblocking(False)
        self._thread: threading.Thread | None = None
        if not store.is_sqlite:
            self._hub.teller = self._tell
            self._thread = threading.Thread(target=self._run, name="signals", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Tell what is still to be told, and end."""
        if self._thread is not None:
            self._hub.teller = None
            self._stopping.set()
            self._wake_up()
            self._thread.join()
        self._awoken.close()
        self._wake.close()

    def _tell(self, game: str) -> None:
        with self._lock:
            first = not self._changed
            if len(self._changed) < _MOST:
                self._changed.add(game)
        if first:
            self._wake_up()

    def _wake_up(self) -> None:
        with suppress(OSError):  # it has been woken often enough, or has ended meanwhile
            self._wake.send(b"x")

    def _run(self) -> None:
        breath = _FIRST_BREATH
        while not self._stopping.is_set():
            try:
                with listening_connection(self._store) as connection:
                    log.info("listening to the database")
                    self._hub.is_told = True
                    breath = _FIRST_BREATH
                    self._serve(connection)
            except StoreError as error:
                fields = {"why": error, "again_in": breath}
                log.warning("changes of other processes are looked for, not heard", extra={"fields": fields})
            finally:
                self._hub.is_told = False
            self._stopping.wait(breath)
            breath = min(2 * breath, _LONGEST_BREATH)

    def _serve(self, connection: psycopg.Connection) -> None:
        """Tell and hear until this is to stop. Raises `StoreError`."""
        with selectors.DefaultSelector() as either:
            either.register(connection.fileno(), selectors.EVENT_READ)
            either.register(self._awoken, selectors.EVENT_READ)
            while True:
                with self._lock:
                    changed, self._changed = self._changed, set()
                try:
                    heard = notify(connection, changed)
                except StoreError:
                    with self._lock:
                        self._changed |= changed
                    raise
                for game in heard:
                    self._hub.heard(game)
                if self._stopping.is_set():
                    return
                if any(key.fileobj is self._awoken for key, _ in either.select()):
                    self._awoken.recv(4096)  # before looking: what changes meanwhile wakes us again
