"""Composing mails in processes of their own.

Drawing a board holds Python's lock for a tenth of a second and more: in the server's own process every request would
wait for it. So mails are composed in workers, which start when there is something to send, use every core that the
settings give them, and end when there has been nothing to do for a while, or when the server is gone.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import datetime
from multiprocessing.connection import wait
from typing import Protocol

from server.notify.composer import Composer, Postpone, Skip
from server.notify.mime_message import Envelope, finish
from server.service.common import own_rulesets
from server.service.outbox.deliveries import Notice
from server.settings import Settings
from server.storage.database import Store, open_database
from server.storage.unusable import StoreError


@dataclass(frozen=True, slots=True)
class Failed:
    """Composing failed. `error` says where, in a line without anything that was in the mail."""

    error: str


Outcome = Envelope | Skip | Postpone | Failed
"""What becomes of a notice when it is composed: a mail in its envelope, or why there is none (now)."""


class Composing(Protocol):
    """Turns notices into mails, in the background or at once."""

    workers: int
    """How many it composes at the same time."""

    def submit(self, notices: Sequence[Notice], now: datetime) -> Future[list[Outcome]]:
        """Begin with some notices; the answer has one item for each."""

    def close(self) -> None:
        """End the workers, if some run. `submit` starts them again."""


def compose_one(composer: Composer, store: Store, settings: Settings, notice: Notice, now: datetime) -> Outcome:
    """One notice, here and now. Whatever goes wrong comes back as `Failed`: one bad notice must not stop the others."""
    try:
        made = composer(store, settings, notice, now)
        return made if isinstance(made, Skip | Postpone) else finish(settings, notice, made)
    except Exception as error:
        return Failed(_where(error))


def _where(error: Exception) -> str:
    """The kind of error and the frames it came through; not its words, which may quote a hand, a token or a row."""
    words = f": {error}" if isinstance(error, StoreError) else ""
    frames = [
        f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name}"
        for frame in reversed(traceback.extract_tb(error.__traceback__))
    ]
    return f"composing failed with {type(error).__name__}{words} at {' < '.join(frames[:4])}"


class ComposingHere:
    """Composes in the calling thread."""

    workers = 1

    def __init__(self, composer: Composer, store: Store, settings: Settings) -> None:
        self._composer, self._store, self._settings = composer, store, settings

    def submit(self, notices: Sequence[Notice], now: datetime) -> Future[list[Outcome]]:
        """Done when it returns."""
        done: Future[list[Outcome]] = Future()
        done.set_result([compose_one(self._composer, self._store, self._settings, notice, now) for notice in notices])
        return done

    def close(self) -> None:
        """Nothing runs between two calls."""


class ComposingPool:
    """Composes in up to `workers` processes, each with its own connection to the database."""

    def __init__(self, composer: Composer, settings: Settings, workers: int) -> None:
        self.workers = workers
        self._composer, self._settings = composer, settings
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, notices: Sequence[Notice], now: datetime) -> Future[list[Outcome]]:
        """Begin with some notices in one of the workers."""
        if self._pool is None:
            # Spawned, not forked: a fork of a process with threads copies locks that nobody will open again.
            self._pool = ProcessPoolExecutor(
                self.workers, multiprocessing.get_context("spawn"), _begin_worker, (self._composer, self._settings)
            )
        try:
            return self._pool.submit(_work, notices, now)
        except BrokenProcessPool:
            self.close()
            raise

    def close(self) -> None:
        """Let the workers end; what they have begun is dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


_worker: tuple[Composer, Store, Settings] | None = None  # of a worker process, set when it begins


def _begin_worker(composer: Composer, settings: Settings) -> None:
    global _worker
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # Ctrl+C reaches all processes; the server ends its workers in order
    threading.Thread(target=_end_with_parent, daemon=True).start()
    own_rulesets.load(settings.rulesets)
    _worker = (composer, open_database(settings.database, threads=1), settings)


def _end_with_parent() -> None:
    """A killed server cannot end its workers, and they would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _work(notices: Sequence[Notice], now: datetime) -> list[Outcome]:
    if _worker is None:
        raise RuntimeError("this is no worker")
    composer, store, settings = _worker
    return [compose_one(composer, store, settings, notice, now) for notice in notices]
