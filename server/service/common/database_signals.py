"""Signals between all processes that share a PostgreSQL, on whichever machines: NOTIFY, and a connection that LISTENs.

Each process has one connection beside its pool and a thread that hears by it; another thread tells what changed here,
after its commit. What changed elsewhere wakes those who wait here. A signal is the id of a game, behind a word for who
tells; it may be lost (the process dies in between, the connection breaks), which the look that everybody takes now and
then makes good for.

Not in the transaction of the change itself: PostgreSQL lets transactions that notify commit one after the other only.
"""

from __future__ import annotations

import logging
import secrets
import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from server.service.common import change_signal
from server.storage import sql
from server.storage.database import Store
from server.storage.pools import CONNECT_SECONDS
from server.storage.unusable import StoreError, reason

log = logging.getLogger("ulm.signals")

# It waits for no disk: a signal that a power cut takes is missed by nobody.
_NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify('ulm_changes', ?)"
_LISTEN = "LISTEN ulm_changes"
# Who only listens would never find out that the other machine is gone.
_STILL_THERE: dict[str, Any] = {
    "application_name": "ulm signals", "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3,
}  # fmt: skip
_FIRST_BREATH, _LONGEST_BREATH = 0.5, 30.0  # seconds between two attempts to connect
_LOOK_SECONDS = 0.3  # so soon it is noticed that this is to end


class DatabaseSignals:
    """Tells other processes on the same PostgreSQL what changes here, and hears of theirs, until `close`."""

    def __init__(self, store: Store) -> None:
        self._store, self._hub = store, change_signal.changes(store)
        self._own = secrets.token_hex(4)
        self._stopping = threading.Event()
        self._changed: SimpleQueue[str | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        if not store.is_sqlite:
            self._hub.teller = self._changed.put
            self._threads = [threading.Thread(target=work, daemon=True) for work in (self._tell, self._listen)]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Tell what is still to be told, and end."""
        self._hub.teller = None
        self._stopping.set()
        self._changed.put(None)
        for thread in self._threads:
            thread.join()

    def _tell(self) -> None:
        """Tell what changes here: no move waits for that."""
        while (game := self._changed.get()) is not None:
            with suppress(StoreError):  # whoever follows it looks by themselves
                sql.row(self._store, _NOTIFY, f"{self._own} {game}")

    def _listen(self) -> None:
        import psycopg

        breath, address = _FIRST_BREATH, self._store.database.database
        while not self._stopping.is_set():
            try:
                with psycopg.connect(
                    address, autocommit=True, connect_timeout=CONNECT_SECONDS, **_STILL_THERE
                ) as connection:
                    connection.execute(_LISTEN)
                    log.info("listening to the database")
                    self._hub.is_told, breath = True, _FIRST_BREATH
                    while not self._stopping.is_set():
                        for one in connection.notifies(timeout=_LOOK_SECONDS):
                            self._hear(one.payload)
                    return
            except psycopg.Error as error:
                if breath == _FIRST_BREATH:
                    fields = {"why": f"{self._store.name}: {reason(error)}", "again_in": breath}
                    log.warning("changes of other processes are looked for, not heard", extra={"fields": fields})
            finally:
                self._hub.is_told = False
            self._stopping.wait(breath)
            breath = min(2 * breath, _LONGEST_BREATH)

    def _hear(self, told: str) -> None:
        whose, _, game = told.partition(" ")
        if whose != self._own:
            self._hub.heard(game)
