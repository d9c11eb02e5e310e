"""Delivery: claim what is due, compose it, send it, note what became of it; never inside a transaction. A process that
dies leaves one mail that goes once more, the same. While the mail server is at fault one mail at a time tries
(`pauses`)."""

from __future__ import annotations

import logging
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from server import metering, request_ids
from server.notify.claims import Claims
from server.notify.composing import Composing, Failed, Outcome
from server.notify.mail_content import Postpone, Skip
from server.notify.smtp_verdicts import DeliveryError, Verdict
from server.notify.transport import Transport
from server.service.outbox import deliveries, pauses
from server.service.outbox.deliveries import LAST_RETRY, Mark, QueuedMail
from server.service.outbox.pauses import LAST_PAUSE, Fault
from server.storage.database import Store
from server.storage.times import parse_utc

log = logging.getLogger("ulm.mail")

BATCH = 200
UNSENT = 16  # so many mails that need no mail are noted at once
REST_AFTER = timedelta(minutes=1)
"""When there was nothing to send for so long, the processes that compose are ended."""
TALLY_EVERY = timedelta(seconds=1)  # how often it is counted how many mails became what
FIRST_RETRY, FIRST_PAUSE = timedelta(minutes=1), timedelta(seconds=5)
REFUSED_MAX = timedelta(days=5)  # so long a mail is tried that is refused: RFC 5321 §4.5.4.1
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"]+@[^\s<>()\[\],;:\"]+")


def backoff(failures: int, first: timedelta, last: timedelta, rng: random.Random) -> timedelta:
    """How long to wait after so many failures: twice as long each time, up to `last`, less up to a half by chance, so
    that what failed together does not come back together."""
    return min(last, first * 2 ** min(failures - 1, 30)) * rng.uniform(0.5, 1)


def _without_addresses(words: str) -> str:
    return _ADDRESS.sub("…", words)


class Delivery:
    """Sends what is due, from one thread; any number of processes may do it at once. `owner` names the process, `tries`
    is after how many failures a mail is dead, `lease` how long a claim holds without a sign of life."""

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
    ) -> None:
        self._store, self._composing, self._transport = store, composing, transport
        self._clock, self._rng = clock, rng
        self._owner, self._tries, self._lease = owner, tries, lease
        self._claims = Claims(store, owner, lease, clock, self._keep_probing)
        self._marks: list[Mark] = []
        self._tally: Counter[str] = Counter()
        self._tallied_at = self._worked_at = clock()
        self._probing = self._paused = self._more = False

    def run(self, stop: Callable[[], bool] = lambda: False) -> Counter[str]:
        """Send until nothing is due or `stop()`; how many mails became what (sent, skipped, failed, …)."""
        done: Counter[str] = Counter()
        self._note()  # what a busy database did not take the last time
        if not self._may_begin():
            if self._clock() - self._worked_at > REST_AFTER:
                self._composing.close()
            return done
        self._more = True
        try:
            with self._claims:
                for queued, outcome in self._composing.outcomes(self._claim, lambda: self._paused or stop()):
                    with request_ids.caused_by(queued.request):
                        done[self._deliver(queued, outcome, stop)] += 1
                    if len(self._marks) >= UNSENT:
                        self._note()
        finally:
            self._marks += [Mark(queued.id, "pending", counts=False) for queued in self._composing.left()]
            self._transport.close()
            self._worked_at = self._clock()
            self._note(last=True)
            if self._probing:
                pauses.try_at(self._store, self._clock())
        return done

    def abort(self) -> None:
        """From another thread: do not wait for the mail server any longer."""
        self._transport.abort()

    def close(self) -> None:
        """End connection and workers."""
        self._transport.close()
        self._composing.close()

    def _may_begin(self) -> bool:
        """Whether there is something to send that may be sent; during a fault, to one process at a time."""
        self._probing = self._paused = False
        now = self._clock()
        paused = pauses.current(self._store)
        if paused is not None and paused.lasts(now):
            return False
        if not deliveries.anything_due(self._store, now, self._lease):
            return False
        if paused is not None:
            self._probing = pauses.probe(self._store, now, now + self._lease)
            return self._probing
        return True

    def _keep_probing(self, until: datetime) -> None:
        if self._probing:
            pauses.try_at(self._store, until)

    def _claim(self) -> list[QueuedMail]:
        if not self._more:
            return []
        limit = 1 if self._probing else BATCH
        claimed = self._claims.take(limit, self._probing)
        self._more = len(claimed) == limit
        return claimed

    def _deliver(self, queued: QueuedMail, outcome: Outcome, stop: Callable[[], bool]) -> str:
        """Send one mail and note what became of it; the word for it."""
        if not self._claims.holds(queued):
            return "lost"
        if queued.attempts >= self._tries:
            # Claimed that often and never finished: whoever tried it died of it.
            why = "given up: the server ended each time it tried to send this"
            return self._bury(queued, Mark(queued.id, "pending", counts=False, error=why, fault="ours"))
        if isinstance(outcome, Skip):
            self._marks.append(Mark(queued.id, "skipped", error=outcome.reason))
            return "skipped"
        if isinstance(outcome, Postpone):
            self._marks.append(Mark(queued.id, "pending", counts=False, due=outcome.until))
            return "postponed"
        if isinstance(outcome, Failed):
            return self._retry(queued, Mark(queued.id, "pending", error=outcome.error, fault="ours"))
        try:
            self._transport.send(outcome)
        except DeliveryError as error:
            return self._failed(queued, outcome.to, error, stop)
        self._marks.append(Mark(queued.id, "sent", message_id=outcome.message_id, to=outcome.to))
        self._tally["sent"] += 1
        late = (self._clock() - parse_utc(queued.due_at)).total_seconds()
        metering.meters().mails.observe(max(late, 0.0))
        log.info("mail sent", extra={"fields": {"mail": queued.id, "kind": queued.kind}})
        self._note()
        return "sent"

    def _failed(self, queued: QueuedMail, to: str, error: DeliveryError, stop: Callable[[], bool]) -> str:
        """The mail server did not take it: do what its verdict says."""
        words = str(error)
        self._tally["failed"] += 1
        if error.lost and stop():
            self._marks.append(Mark(queued.id, "pending", counts=False))
            return "stopped"
        if error.verdict is Verdict.PAUSE and not error.offered:
            self._marks.append(Mark(queued.id, "pending", counts=False, error=words, fault="ours"))
            word, pauses_queue = "unreachable", True
        else:
            word, pauses_queue = self._refused(queued, to, error)
        self._note(Fault(words, self._probing) if pauses_queue else None)
        return word

    def _refused(self, queued: QueuedMail, to: str, error: DeliveryError) -> tuple[str, bool]:
        """It was about this mail: its own fault, its reader's, or that of a mail server that refuses everybody. So it
        counts only where mail to others was taken since the try before, is final only where that was so since it was
        refused for good, and waits for five days at most. The word for it, and whether no mail can be sent."""
        unreachable = error.verdict is Verdict.PAUSE
        for_good = error.verdict in (Verdict.REFUSED, Verdict.STOP)
        fault: deliveries.Whose = "ours" if error.ours else "theirs"
        tried = Mark(queued.id, "pending", error=str(error), fault=fault, refused=for_good)
        tried = replace(tried, to=None if unreachable else to)
        if error.verdict is Verdict.GIVE_UP:
            return self._bury(queued, tried), False
        if error.verdict is Verdict.LATER and error.ours:  # lost after the dot: it may have arrived, each time
            return self._retry(queued, tried), False
        if for_good and self._others_taken(queued, queued.refused_at):
            return self._bury(queued, replace(tried, stops=error.verdict is Verdict.STOP)), False
        if self._others_taken(queued, queued.tried_at):
            return self._retry(queued, replace(tried, fault="theirs")), unreachable
        if queued.tried_at is not None and self._clock() - queued.due > REFUSED_MAX:
            return self._bury(queued, tried), unreachable
        pauses_queue = unreachable or deliveries.refuses_everybody(self._store, queued, self._clock())
        tried = replace(tried, counts=False, to=None if pauses_queue else to)
        wait = (FIRST_RETRY if queued.tried_at is None else LAST_PAUSE) * self._rng.uniform(0.5, 1)
        word = self._retry(queued, tried, wait)
        return "unreachable" if unreachable else word, pauses_queue

    def _others_taken(self, queued: QueuedMail, since: str | None) -> bool:
        return since is not None and deliveries.others_taken(self._store, since, queued.player_id)

    def _retry(self, queued: QueuedMail, tried: Mark, wait: timedelta | None = None) -> str:
        count = queued.attempts + tried.counts
        if count >= self._tries:
            return self._bury(queued, tried)
        wait = wait or backoff(count, FIRST_RETRY, LAST_RETRY, self._rng)
        self._marks.append(replace(tried, again=self._clock() + wait))
        fields = {"mail": queued.id, "kind": queued.kind, "try": count, "why": _without_addresses(tried.error or "")}
        log.warning("mail failed, tried again later", extra={"fields": fields})
        return "failed"

    def _bury(self, queued: QueuedMail, tried: Mark) -> str:
        self._marks.append(replace(tried, state="dead"))
        self._tally["dead"] += 1
        fields = {"mail": queued.id, "kind": queued.kind, "tries": queued.attempts + tried.counts}
        log.error("mail given up; see `ulm mail list --state dead`", extra={"fields": fields})
        return "dead"

    def _resume(self, failures: int) -> datetime:
        """When to try whether a fault is over that was found so often."""
        return self._clock() + backoff(failures, FIRST_PAUSE, LAST_PAUSE, self._rng)

    def _note(self, fault: Fault | None = None, last: bool = False) -> None:
        """Store what became of the mails since the last time. What cannot be stored is kept for the next time."""
        now = self._clock()
        if not self._marks and fault is None and not (last and self._tally):
            return
        marks, tally = self._marks, self._tally
        if not last and now - self._tallied_at < TALLY_EVERY:
            tally = Counter()
        noted = deliveries.mark(self._store, self._owner, marks, now, fault, self._resume, tally)
        self._marks = self._marks[len(marks) :]
        if tally:
            self._tally, self._tallied_at = Counter(), now
        self._claims.done(item.id for item in marks)
        if noted.ended:
            self._probing, self._more = False, True
            log.warning("mail is sent again")
        if fault is not None:
            self._probing = False  # it is over: found once more
            if noted.alarm:
                log.error("no mail can be sent", extra={"fields": {"why": _without_addresses(fault.why)}})
        self._paused = noted.paused is not None and not self._probing
