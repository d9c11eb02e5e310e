"""Composing mails a little ahead of sending them, in processes of their own: drawing a board holds Python's lock for a
tenth of a second. What `compose(store, settings, mail, now)` prints depends on no clock, so a repeat has the same
bytes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from multiprocessing.connection import wait

from server.logs import places
from server.notify.mail_content import Postpone, Skip
from server.notify.mime_message import OutgoingMail, finish
from server.service.common import own_rulesets
from server.service.outbox.deliveries import QueuedMail
from server.settings import Settings
from server.storage.database import Store, open_database
from server.storage.unusable import StoreError

FRESH = timedelta(seconds=5)
"""What was composed longer ago is composed again before it is sent: the game may have gone on."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Composing failed. `error` says where, in a line without anything that was in the mail."""

    error: str


Composer = Callable[[Store, Settings, QueuedMail, datetime], EmailMessage | Skip | Postpone]
Outcome = OutgoingMail | Skip | Postpone | Failed
"""What becomes of a mail when it is composed: a mail in its envelope, or why there is none (now)."""


def compose_one(composer: Composer, store: Store, settings: Settings, queued: QueuedMail, now: datetime) -> Outcome:
    """One mail, here and now. Whatever goes wrong comes back as `Failed`: one bad mail must not stop the others."""
    try:
        made = composer(store, settings, queued, now)
        return made if isinstance(made, Skip | Postpone) else finish(settings, queued, made)
    except Exception as error:
        words = f": {error}" if isinstance(error, StoreError) else ""
        return Failed(f"composing failed with {type(error).__name__}{words} at {places(error)}")


class Composing:
    """Composes mails in their order, some ahead of who takes them, in up to `workers` processes (0: in the calling
    thread), each with its own connection to the database. `clock` gives the time (aware)."""

    def __init__(
        self, composer: Composer, store: Store, settings: Settings, clock: Callable[[], datetime], workers: int = 0
    ) -> None:
        self._composer, self._store, self._settings = composer, store, settings
        self._clock, self._workers = clock, workers
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: deque[QueuedMail] = deque()
        self._begun: deque[tuple[QueuedMail, datetime, Future[Outcome]]] = deque()

    def outcomes(
        self, claim: Callable[[], list[QueuedMail]], stop: Callable[[], bool]
    ) -> Iterator[tuple[QueuedMail, Outcome]]:
        """Each mail with what it was composed to, until `claim` has no more or `stop()`."""
        more = True
        while not stop():
            if not self._waiting and more:
                claimed = claim()
                more = bool(claimed)
                self._waiting.extend(claimed)
            while self._waiting and len(self._begun) < max(1, 2 * self._workers):
                queued = self._waiting.popleft()
                self._begun.append((queued, self._clock(), self._begin(queued)))
            if not self._begun:
                return
            queued, began, future = self._begun[0]
            outcome = self._result(queued, future)
            if self._clock() - began > FRESH:
                outcome = self._result(queued, self._begin(queued))
            self._begun.popleft()
            yield queued, outcome

    def left(self) -> list[QueuedMail]:
        """Take out what was claimed and given to nobody."""
        left = [*(queued for queued, _began, _future in self._begun), *self._waiting]
        self._waiting.clear()
        self._begun.clear()
        return left

    def close(self) -> None:
        """Let the workers end, if some run; what they have begun is dropped. The next mail starts them again."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _begin(self, queued: QueuedMail) -> Future[Outcome]:
        done: Future[Outcome] = Future()
        if not self._workers:
            done.set_result(compose_one(self._composer, self._store, self._settings, queued, self._clock()))
            return done
        if self._pool is None:
            # Spawned, not forked: a fork of a process with threads copies locks that nobody will open again.
            self._pool = ProcessPoolExecutor(
                self._workers, multiprocessing.get_context("spawn"), _begin_worker, (self._composer, self._settings)
            )
        try:
            return self._pool.submit(_work, queued, self._clock())
        except BrokenProcessPool as error:
            done.set_exception(error)
            return done

    def _result(self, queued: QueuedMail, future: Future[Outcome]) -> Outcome:
        """What a mail was composed to. When a worker died, all that was under way died with it: then this one alone,
        to find out whether it was that."""
        for attempt in (future, None):
            try:
                return (attempt or self._begin(queued)).result()
            except (BrokenProcessPool, CancelledError):
                self.close()
        return Failed("the process that composed this mail died of it")


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


def _work(queued: QueuedMail, now: datetime) -> Outcome:
    if _worker is None:
        raise RuntimeError("this is no worker")
    composer, store, settings = _worker
    return compose_one(composer, store, settings, queued, now)
