"""Delivery: claim what is due, compose it, send it, note what became of it.

Nothing is composed or sent inside a transaction. What became of a mail is noted before the next is sent: a process that
dies leaves one behind of which nobody knows whether it went, and that one goes once more, as the same message. How it
goes:

    claim a batch ─→ compose ahead, in workers ─→ send one ─→ note it ─→ send the next

When the mail server or this server's own set-up is at fault, all processes leave the queue alone, and one mail at a
time tries whether that is over (`service/outbox/pauses.py`).
"""

from __future__ import annotations

import logging
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from server.notify.claims import Claims
from server.notify.compose_workers import Composing, Failed, Outcome
from server.notify.composer import Postpone, Skip
from server.notify.composing_ahead import ComposingAhead
from server.notify.delivery_errors import DeliveryError, Verdict
from server.notify.mime_message import Envelope
from server.notify.transport import Transport
from server.service.outbox import deliveries, pauses, stopped_addresses
from server.service.outbox.deliveries import Mark, Notice
from server.service.outbox.pauses import Fault
from server.storage.database import Store

log = logging.getLogger("ulm.mail")

BATCH = 200
CHUNK = 16
"""At most so many notices are composed in one go: fewer messages between processes."""
REST_AFTER = timedelta(minutes=1)
"""When there was nothing to send for so long, the processes that compose are ended."""
TALLY_EVERY = timedelta(seconds=1)
"""How often it is counted how many mails became what."""
FIRST_RETRY, LAST_RETRY = timedelta(minutes=1), timedelta(hours=6)
FIRST_PAUSE, LAST_PAUSE = timedelta(seconds=5), timedelta(minutes=5)
WITH_OTHERS_WORDS = ("message", "invitation", "rematch")
"""Mails that say what somebody else wrote: when their contents are refused, their reader must not suffer for it."""
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"]+@[^\s<>()\[\],;:\"]+")


def backoff(failures: int, first: timedelta, last: timedelta, rng: random.Random) -> timedelta:
    """How long to wait after so many failures: twice as long each time, up to `last`, less up to a half by chance, so
    that what failed together does not come back together."""
    return min(last, first * 2 ** min(failures - 1, 30)) * rng.uniform(0.5, 1)


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
        self._store, self._transport, self._clock, self._rng = store, transport, clock, rng
        self._owner, self._tries, self._lease = owner, tries, lease
        self._ahead = ComposingAhead(composing, clock, chunk)
        self._claims = Claims(store, owner, lease, clock, self._keep_probing)
        self._marks: list[Mark] = []
        self._tally: Counter[str] = Counter()
        self._tallied_at = self._worked_at = clock()
        self._probing = self._paused = self._more = False
        self._refused: set[str] = set()  # addresses put off one after the other, since the last mail that was taken

    def run(self, stop: Callable[[], bool] = lambda: False) -> Counter[str]:
        """Send until nothing is due or `stop()`; how many notices became what (sent, skipped, failed, …)."""
        done: Counter[str] = Counter()
        self._note()  # what a busy database did not take the last time
        if not self._may_begin():
            if self._clock() - self._worked_at > REST_AFTER:
                self._ahead.close()
            return done
        self._more = True
        try:
            with self._claims:
                for notice, outcome in self._ahead.outcomes(self._claim, lambda: self._paused or stop()):
                    done[self._deliver(notice, outcome, stop)] += 1
                    if len(self._marks) >= CHUNK:
                        self._note()
        finally:
            self._marks += [Mark(notice.id, "pending", counts=False) for notice in self._ahead.left()]
            self._transport.close()
            self._worked_at = self._clock()
            self._note(last=True)
            if self._probing:
                pauses.not_probed(self._store, self._clock())
        return done

    def abort(self) -> None:
        """From another thread: do not wait for the mail server any longer."""
        self._transport.abort()

    def close(self) -> None:
        """End connection and workers."""
        self._transport.close()
        self._ahead.close()

    def _may_begin(self) -> bool:
        """Whether there is something to send that may be sent; during a fault, to one process at a time."""
        self._probing = self._paused = False
        now = self._clock()
        paused = pauses.current(self._store)
        if paused is not None and (paused.until is None or paused.until > now):
            return False
        if not deliveries.anything_due(self._store, now):
            return False
        if paused is not None:
            self._probing = pauses.probe(self._store, now, now + self._lease)
            return self._probing
        return True

    def _keep_probing(self, until: datetime) -> None:
        if self._probing:
            pauses.probe_on(self._store, until)

    def _claim(self) -> list[Notice]:
        if not self._more:
            return []
        limit = 1 if self._probing else BATCH
        claimed = self._claims.take(limit)
        self._more = len(claimed) == limit
        return claimed

    def _deliver(self, notice: Notice, outcome: Outcome, stop: Callable[[], bool]) -> str:
        """Send one mail and note what became of it; the word for it."""
        if not self._claims.holds(notice):
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
            return self._retry(notice, Mark(notice.id, "pending", error=outcome.error, fault="ours"))
        try:
            self._transport.send(outcome)
        except DeliveryError as error:
            return self._failed(notice, outcome, error, stop)
        self._refused.clear()
        self._marks.append(Mark(notice.id, "sent", message_id=outcome.message_id, to=outcome.to))
        self._tally["sent"] += 1
        self._note()
        return "sent"

    def _failed(self, notice: Notice, envelope: Envelope, error: DeliveryError, stop: Callable[[], bool]) -> str:
        """The mail server did not take it: do what its verdict says."""
        words, verdict = str(error), error.verdict
        self._tally["failed"] += 1
        if verdict in (Verdict.PAUSE, Verdict.SUSPECT):
            return self._pause(notice, words, verdict, told_to_stop=stop())
        tried = Mark(
            notice.id,
            "pending",
            error=words,
            fault="ours" if error.ours else "theirs",
            to=None if error.lost else envelope.to,
        )
        fault = None
        if verdict is Verdict.LATER:
            self._refused.add(envelope.to)
            word = self._retry(notice, tried)
            if len(self._refused) >= stopped_addresses.IN_A_ROW:
                why = f"the mail server took nothing for {len(self._refused)} different addresses: {words}"
                fault = Fault(why, self._resume, only_success=True, probing=self._probing)
        else:
            stops = verdict is Verdict.STOP and not (error.contents and notice.kind in WITH_OTHERS_WORDS)
            word = self._bury(notice, words, fault=tried.fault, to=envelope.to, refused=words if stops else None)
        self._note(fault)
        if self._probing and not self._paused:
            # An answer, but not the proof that was wanted.
            self._note(Fault(words, self._resume, only_success=True, probing=True))
        return word

    def _pause(self, notice: Notice, words: str, verdict: Verdict, told_to_stop: bool) -> str:
        """No mail can be sent: leave all of them alone for a while, which is no fault of theirs."""
        suspect = verdict is Verdict.SUSPECT
        if told_to_stop:
            self._marks.append(Mark(notice.id, "pending", counts=False))
            return "stopped"
        if suspect and notice.attempts + 1 >= self._tries:
            word = self._bury(notice, words, fault="theirs")  # others are taken: it is not this side, after all
            self._note()
            return word
        again = self._again(notice.attempts + 1) if suspect else None  # others first, to see whose fault it is
        self._marks.append(Mark(notice.id, "pending", counts=False, again=again, error=words, fault="ours"))
        self._note(Fault(words, self._resume, notice.id if suspect else None, probing=self._probing))
        return "unreachable"

    def _retry(self, notice: Notice, tried: Mark) -> str:
        count = notice.attempts + 1
        if count >= self._tries:
            return self._bury(notice, tried.error or "", fault=tried.fault, to=tried.to)
        self._marks.append(replace(tried, again=self._again(count)))
        log.warning(
            "mail failed, tried again later", extra={"fields": {"mail": notice.id, "kind": notice.kind, "try": count}}
        )
        return "failed"

    def _bury(
        self,
        notice: Notice,
        error: str,
        counts: bool = True,
        fault: deliveries.Whose | None = "ours",
        to: str | None = None,
        refused: str | None = None,
    ) -> str:
        dead = Mark(notice.id, "dead", counts=counts, error=error, fault=fault, to=to, refused=refused)
        self._marks.append(dead)
        self._tally["dead"] += 1
        log.error(
            "mail given up; see `ulm mail list --state dead`",
            extra={"fields": {"mail": notice.id, "kind": notice.kind, "tries": notice.attempts + counts}},
        )
        return "dead"

    def _again(self, tries: int) -> datetime:
        """When to try again a mail that has failed so often."""
        return self._clock() + backoff(tries, FIRST_RETRY, LAST_RETRY, self._rng)

    def _resume(self, failures: int) -> datetime:
        """When to try whether a fault is over that was found so often."""
        return self._clock() + backoff(failures, FIRST_PAUSE, LAST_PAUSE, self._rng)

    def _note(self, fault: Fault | None = None, last: bool = False) -> None:
        """Store what became of the notices since the last time. What cannot be stored is kept for the next time."""
        now = self._clock()
        if not self._marks and fault is None and not (last and self._tally):
            return
        marks, tally = self._marks, self._tally
        if not last and now - self._tallied_at < TALLY_EVERY:
            tally = Counter()
        noted = deliveries.mark(self._store, self._owner, marks, now, self._again, fault, tally)
        self._marks = self._marks[len(marks) :]
        if tally:
            self._tally, self._tallied_at = Counter(), now
        self._claims.done(item.id for item in marks)
        if noted.ended:
            self._probing, self._more = False, True
            log.warning("mail is sent again")
        if noted.fault is not None:
            self._probing = False  # it is over: found once more
            if noted.alarm:
                log.error("no mail can be sent", extra={"fields": {"why": _ADDRESS.sub("…", noted.fault.why)}})
        self._paused = noted.paused is not None and not self._probing
