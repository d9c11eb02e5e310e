"""Errors of the log, in whichever process, kept for `ulm admin errors`: our own message, the kind and the place, and
the request's id; no words of the error, which could be somebody's."""

from __future__ import annotations

import logging
import queue
import threading
from datetime import UTC, datetime
from typing import TypedDict, cast

from server import request_ids
from server.logs import places
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc
from server.storage.unusable import StoreError

KEPT = 200
"""So many are kept, the newest."""
_WAITING = 100
"""So many wait to be stored at most; of a flood the first tell what it is."""
_END = None


class RecentError(TypedDict):
    """An error."""

    id: int
    at: str
    process: str
    logger: str
    message: str
    cause: str
    request: str | None


_PRUNE = "DELETE FROM trouble WHERE id <= (SELECT max(id) FROM trouble) - ?"
_NEWEST = "SELECT id, at, process, logger, message, cause, request FROM trouble ORDER BY id DESC LIMIT ?"


class Recorder(logging.Handler):
    """A handler that stores errors of the log, from a thread of its own: whoever logs may stand in a transaction, and
    the database may be what is in trouble. `process` names this one."""

    def __init__(self, store: Store, process: str) -> None:
        super().__init__(logging.ERROR)
        self._store, self._process = store, process
        self._waiting: queue.Queue[dict[str, object] | None] = queue.Queue(_WAITING)
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Put it into the line."""
        row: dict[str, object] = {
            "at": utc(datetime.fromtimestamp(record.created, UTC)), "process": self._process[:64],
            "logger": record.name[:60], "message": record.getMessage()[:200], "cause": _cause(record)[:200],
            "request": request_ids.present(),
        }  # fmt: skip
        try:
            self._waiting.put_nowait(row)
        except queue.Full:
            return
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._store_all, name="recent errors", daemon=True)
                self._thread.start()

    def end(self) -> None:
        """Store what waits, if the database lets that happen soon, and take no more."""
        logging.getLogger().removeHandler(self)
        if self._thread is not None:
            self._waiting.put(_END)
            self._thread.join(5)

    def _store_all(self) -> None:
        while (row := self._waiting.get()) is not _END:
            try:
                with self._store.write(power_cut_safe=False):
                    sql.insert(self._store, "trouble", **row)
                    sql.execute(self._store, _PRUNE, KEPT)
            except StoreError:
                continue  # the log has it


def record(store: Store, process: str) -> Recorder:
    """Keep the errors that this process logs from now on, until `Recorder.end`."""
    made = Recorder(store, process)
    logging.getLogger().addHandler(made)
    return made


def newest(store: Store, limit: int = 20) -> list[RecentError]:
    """The last errors, the newest first."""
    return cast("list[RecentError]", sql.dicts(store, _NEWEST, limit))


def _cause(record: logging.LogRecord) -> str:
    """Kind and place of the error, without its words."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return ""
    place = places(error, 1)
    return f"{type(error).__qualname__} at {place}" if place else type(error).__qualname__
