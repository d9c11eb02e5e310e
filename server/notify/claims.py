"""Which mails are a process's own to send. A mail server may take ten minutes for one answer, and a killed process is
to be missed within one: so claims are short, and a thread renews them while the process lives."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from types import TracebackType

from server.service.outbox import deliveries
from server.service.outbox.deliveries import QueuedMail
from server.storage.database import Store
from server.storage.unusable import StoreError

log = logging.getLogger("ulm.mail")


class Claims:
    """Mails that `owner` has claimed, renewed within `with claims:`; `also` is then told their new end."""

    def __init__(
        self,
        store: Store,
        owner: str,
        lease: timedelta,
        clock: Callable[[], datetime],
        also: Callable[[datetime], None] = lambda until: None,
    ) -> None:
        self._store, self._owner, self._lease, self._clock, self._also = store, owner, lease, clock, also
        self._guard = threading.Lock()
        self._held: set[int] = set()
        self._until = clock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Claims:
        self._held = set()
        self._over.clear()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def take(self, limit: int, probing: bool = False) -> list[QueuedMail]:
        """Claim up to `limit` more that are due; `probing`: to try whether a fault is over."""
        with self._guard:
            now = self._clock()
            until = now + self._lease
            claimed = deliveries.claim(self._store, self._owner, now, until, limit, probing)
            self._until = min(until, self._until) if self._held else until
            self._held |= {queued.id for queued in claimed}
        if claimed and self._thread is None:
            self._thread = threading.Thread(target=self._beat, name="ulm-mail-claims", daemon=True)
            self._thread.start()
        return claimed

    def holds(self, queued: QueuedMail) -> bool:
        """Whether the mail is still this process's to send; makes sure that it stays so for a while."""
        with self._guard:
            if not self._lease / 2 < self._until - self._clock() <= self._lease:
                # It slept, or the clock was set back. Others take over what has run out, and what they took is theirs.
                self._renew()
            return queued.id in self._held

    def done(self, notices: Iterable[int]) -> None:
        """These are noted, and nobody's any more."""
        with self._guard:
            self._held -= set(notices)

    def _renew(self) -> None:
        until = self._clock() + self._lease
        self._held &= deliveries.renew(self._store, self._owner, until)
        self._until = until

    def _beat(self) -> None:
        while not self._over.wait(self._lease.total_seconds() / 3):
            try:
                with self._guard:
                    self._renew()
                    until = self._until
                self._also(until)
            except StoreError as error:
                log.warning("claims could not be renewed", extra={"fields": {"why": error}})
            except Exception:
                log.exception("claims could not be renewed")
