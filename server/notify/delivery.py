"""Delivery: claim what is due, compose it, send it, note what became of it.

Nothing is composed or sent inside a transaction. A process that dies has its notices taken over when its lease runs
out; what it had sent without having noted it is sent once more, as the same message. How it goes:

    claim a batch ─→ compose ahead, in workers ─→ send one after the other ─→ note a batch
"""

from __future__ import annotations

import logging
import random
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import datetime, timedelta

from server.notify.compose_workers import Composing, Failed, Outcome
from server.notify.composer import Postpone, Skip
from server.notify.delivery_errors import PermanentError, TemporaryError, UnreachableError
from server.notify.transport import Transport
from server.service.outbox import deliveries, pauses
from server.service.outbox.deliveries import Mark, Notice
from server.storage.database import Store

log = logging.getLogger("ulm.mail")

BATCH = 200
CHUNK = 16
"""At most so many notices are composed in one go: fewer messages between processes."""
NOTE_EVERY = timedelta(seconds=1)
FRESH = timedelta(seconds=5)
"""What was composed longer ago is composed again before it is sent: the game may have gone on."""
REST_AFTER = timedelta(minutes=1)
"""When there was nothing to send for so long, the processes that compose are ended."""
FIRST_RETRY, LAST_RETRY = timedelta(minutes=1), timedelta(hours=6)
FIRST_PAUSE, LAST_PAUSE = timedelta(seconds=5), timedelta(minutes=5)


def backoff(failures: int, first: timedelta, last: timedelta, rng: random.Random) -> timedelta:
    """How long to wait after so many failures: twice as long each time, up to `last`, less up to a half by chance, so
    that what failed together does not come back together."""
    return min(last, first * 2 ** min(failures - 1, 30)) * rng.uniform(0.5, 1)


@dataclass(slots=True)
class _Ahead:
    """Notices that are being composed."""

    notices: list[Notice]
    future: Future[list[Outcome]]
    done_at: datetime | None = None


class Delivery:
    """Sends what is due, from one thread of one process; any number of processes may do it at once.

    `clock` gives the time (aware), `owner` names the process, `tries` is after how many failures a notice is dead,
    `lease` how long a claim holds without a sign of life, `chunk` how many notices are composed in one go.
    """

    def __init__(
        self,
        store: Store,
        composing: Composing,
        transport: Transport,
        clock: Callable[[], datetime],
        rng: random.Random,
        owner: str,
        tries: int,
        lease: timedelta,
        chunk: int = CHUNK,
    ) -> None:
        self._store, self._composing, self._transport = store, composing, transport
        self._clock, self._rng, self._owner = clock, rng, owner
        self._tries, self._lease, self._chunk = tries, lease, chunk
        self._marks: list[Mark] = []
        self._noted_at = self._worked_at = clock()
        self._held: set[int] = set()  # ids of what is claimed, as far as this process knows
        self._held_until = clock()
        self._failures = 0
        self._blocked_until: datetime | None = None

    def run(self, stop: Callable[[], bool] = lambda: False) -> Counter[str]:
        """Send until nothing is due or `stop()`; how many notices became what (sent, skipped, failed, …)."""
        done: Counter[str] = Counter()
        self._note()  # what a busy database did not take the last time
        if self._blocked_until is not None and self._clock() < self._blocked_until:
            return done
        if pauses.current(self._store) is not None or not deliveries.anything_due(self._store, self._clock()):
            if self._clock() - self._worked_at > REST_AFTER:
                self._composing.close()
            return done
        ahead: deque[_Ahead] = deque()
        fresh: deque[Notice] = deque()
        self._held = set()
        try:
            for notice, outcome in self._outcomes(fresh, ahead, stop):
                done[self._deliver(notice, outcome)] += 1
                if self._clock() - self._noted_at >= NOTE_EVERY or len(self._marks) >= BATCH:
                    self._note()
        except UnreachableError as error:
            self._pause(error)
            done["unreachable"] += 1
        finally:
            left = [*fresh, *(notice for item in ahead for notice in item.notices)]
            self._marks += [Mark(notice.id, "pending", counts=False) for notice in left]
            self._transport.close()
            self._worked_at = self._clock()
            self._note()
        return done

    def close(self) -> None:
        """End connection and workers."""
        self._transport.close()
        self._composing.close()

    def _outcomes(
        self,
        fresh: deque[Notice],
        ahead: deque[_Ahead],
        stop: Callable[[], bool],
    ) -> Iterator[tuple[Notice, Outcome]]:
        """Each claimed notice with what it was composed to, some composed ahead. What is left in `fresh` and `ahead`
        was claimed and not yielded."""
        more = True
        while not stop():
            if not fresh and more:
                now = self._clock()
                until = now + self._lease
                claimed = deliveries.claim(self._store, self._owner, now, until, BATCH)
                self._held_until = min(until, self._held_until) if self._held else until
                more = len(claimed) == BATCH
                fresh.extend(claimed)
                self._held |= {notice.id for notice in claimed}
            while fresh and len(ahead) < 2 * self._composing.workers:
                share = max(1, len(fresh) // (2 * self._composing.workers))
                notices = [fresh.popleft() for _ in range(min(self._chunk, share))]
                ahead.append(self._submit(notices))
            if not ahead:
                return
            first = ahead[0]
            for outcome in self._results(first):
                notice = first.notices.pop(0)
                if first.done_at is not None and self._clock() - first.done_at > FRESH:
                    [outcome] = self._results(self._submit([notice]))
                yield notice, outcome
                if stop():
                    return
            ahead.popleft()

    def _submit(self, notices: list[Notice]) -> _Ahead:
        try:
            item = _Ahead(notices, self._composing.submit(notices, self._clock()))
        except BrokenProcessPool as error:
            item = _Ahead(notices, Future())
            item.future.set_exception(error)
        item.future.add_done_callback(lambda _: setattr(item, "done_at", self._clock()))
        return item

    def _results(self, item: _Ahead) -> list[Outcome]:
        try:
            return item.future.result()
        except (BrokenProcessPool, CancelledError):
            # A worker died, and all that was under way with it. Each of these alone, to find the one that it died of.
            self._composing.close()
            return [self._result_alone(notice) for notice in item.notices]

    def _result_alone(self, notice: Notice) -> Outcome:
        try:
            [outcome] = self._submit([notice]).future.result()
            return outcome
        except (BrokenProcessPool, CancelledError):
            self._composing.close()
            return Failed("the process that composed this mail died of it")

    def _deliver(self, notice: Notice, outcome: Outcome) -> str:
        """Send one mail and remember what became of it; the word for it. Raises `UnreachableError`."""
        if not self._still_held(notice):
            return "lost"
        if notice.attempts >= self._tries:
            # Claimed that often and never finished: whoever tried it died of it.
            return self._bury(notice, "given up: the server ended each time it tried to send this", counts=False)
        if isinstance(outcome, Skip):
            self._marks.append(Mark(notice.id, "skipped", error=outcome.reason))
            return "skipped"
        if isinstance(outcome, Postpone):
            self._marks.append(Mark(notice.id, "pending", counts=False, due=outcome.until))
            return "postponed"
        if isinstance(outcome, Failed):
            return self._retry(notice, outcome.error)
        try:
            self._transport.send(outcome)
        except PermanentError as error:
            return self._bury(notice, str(error))
        except TemporaryError as error:
            return self._retry(notice, str(error))
        except UnreachableError as error:
            self._marks.append(Mark(notice.id, "pending", counts=False, error=str(error)))
            raise
        self._failures, self._blocked_until = 0, None
        self._marks.append(Mark(notice.id, "sent", message_id=outcome.message_id))
        return "sent"

    def _still_held(self, notice: Notice) -> bool:
        """Whether the notice is still this process's to send; makes sure that it stays so for the time it takes."""
        now = self._clock()
        if self._held_until - now <= self._lease / 2:
            # It took long. Others take over what has run out, and what they took is theirs.
            self._note()
            self._held_until = now + self._lease
            self._held = deliveries.renew(self._store, self._owner, self._held_until)
        return notice.id in self._held

    def _retry(self, notice: Notice, error: str) -> str:
        tried = notice.attempts + 1
        if tried >= self._tries:
            return self._bury(notice, error)
        again = self._clock() + backoff(tried, FIRST_RETRY, LAST_RETRY, self._rng)
        self._marks.append(Mark(notice.id, "pending", again=again, error=error))
        log.warning(
            "mail failed, tried again later", extra={"fields": {"mail": notice.id, "kind": notice.kind, "try": tried}}
        )
        return "failed"

    def _bury(self, notice: Notice, error: str, counts: bool = True) -> str:
        self._marks.append(Mark(notice.id, "dead", counts=counts, error=error))
        log.error(
            "mail given up; see `ulm mail list --state dead`",
            extra={"fields": {"mail": notice.id, "kind": notice.kind, "tries": notice.attempts + counts}},
        )
        return "dead"

    def _pause(self, error: UnreachableError) -> None:
        """No mail can be sent: leave all of them alone for a while, which is no fault of theirs."""
        self._failures += 1
        wait = backoff(self._failures, FIRST_PAUSE, LAST_PAUSE, self._rng)
        self._blocked_until = self._clock() + wait
        log.error("no mail can be sent", extra={"fields": {"why": error, "again_in_seconds": wait.seconds}})

    def _note(self) -> None:
        """Store what became of the notices since the last time. What cannot be stored is kept for the next time."""
        marks, self._noted_at = self._marks, self._clock()
        if marks:
            deliveries.mark(self._store, self._owner, marks, self._noted_at)
            self._marks = self._marks[len(marks) :]
            self._held -= {item.id for item in marks}
