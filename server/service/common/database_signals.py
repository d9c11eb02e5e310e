"""Signals between all processes that share a PostgreSQL, on whichever machines: NOTIFY, and a connection that LISTENs.

Each process has one connection beside its pool and a thread for it. What changed here is told after its commit, what
changed elsewhere wakes those who wait here. A signal is the id of a game and nothing else; it may be lost (the process
dies in between, the connection breaks), which the look that everybody takes now and then makes good for.

Not in the transaction of the change itself: PostgreSQL lets transactions that notify commit one after the other only.
"""

from __future__ import annotations

import logging
import selectors
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from server.service.common import change_signal
from server.storage.database import Store
from server.storage.pools import CONNECT_SECONDS
from server.storage.unusable import reason

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger("ulm.signals")

CHANNEL = "ulm_changes"
_NOTIFY = "SELECT pg_notify(%s, game) FROM unnest(%s::text[]) AS game"
# Who only listens would never find out that the other machine is gone.
_STILL_THERE: dict[str, Any] = {
    "application_name": "ulm signals", "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3,
}  # fmt: skip
_FIRST_BREATH, _LONGEST_BREATH = 0.5, 30.0  # seconds between two attempts to connect
_MOST = 10_000  # games that may wait to be told while there is no connection; whoever follows them looks by themselves


class DatabaseSignals:
    """Tells other processes on the same PostgreSQL what changes here, and hears of theirs, until `close`."""

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
        import psycopg

        breath, address = _FIRST_BREATH, self._store.database.database
        while not self._stopping.is_set():
            try:
                with psycopg.connect(
                    address, autocommit=True, connect_timeout=CONNECT_SECONDS, **_STILL_THERE
                ) as connection:
                    # A signal that a power cut takes is missed by nobody: no move of anybody waits for it.
                    connection.execute("SET synchronous_commit = off")
                    connection.execute(f"LISTEN {CHANNEL}")
                    log.info("listening to the database")
                    self._hub.is_told, breath = True, _FIRST_BREATH
                    self._serve(connection)
            except psycopg.Error as error:
                if breath == _FIRST_BREATH:
                    fields = {"why": f"{self._store.name}: {reason(error)}", "again_in": breath}
                    log.warning("changes of other processes are looked for, not heard", extra={"fields": fields})
            finally:
                self._hub.is_told = False
            self._stopping.wait(breath)
            breath = min(2 * breath, _LONGEST_BREATH)

    def _serve(self, connection: psycopg.Connection) -> None:
        """Tell and hear until this is to stop."""
        own = connection.info.backend_pid
        with selectors.DefaultSelector() as either:
            either.register(connection.fileno(), selectors.EVENT_READ)
            either.register(self._awoken, selectors.EVENT_READ)
            while True:
                with self._lock:
                    changed, self._changed = self._changed, set()
                try:
                    if changed:
                        connection.execute(_NOTIFY, (CHANNEL, sorted(changed)))
                    heard = {one.payload for one in connection.notifies(timeout=0) if one.pid != own}
                except BaseException:
                    with self._lock:
                        self._changed |= changed
                    raise
                for game in heard:
                    self._hub.heard(game)
                if self._stopping.is_set():
                    return
                if any(key.fileobj is self._awoken for key, _ in either.select()):
                    self._awoken.recv(4096)  # before looking: what changes meanwhile wakes us again
