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

from server import metering, request_ids
from server.notify.claims import Claims
from server.notify.compose_workers import Composing, Failed, Outcome
from server.notify.composer import Postpone, Skip
from server.notify.composing_ahead import ComposingAhead
from server.notify.delivery_errors import DeliveryError, Verdict
from server.notify.mime_message import Envelope
from server.notify.transport import Transport
from server.service.outbox import deliveries, pauses, stopped_addresses
from server.service.outbox.deliveries import LAST_RETRY, Mark, Notice, Schedule
from server.service.outbox.pauses import LAST_PAUSE, Fault
from server.storage.database import Store
from server.storage.times import parse_utc

log = logging.getLogger("ulm.mail")

BATCH = 200
CHUNK = 16
"""At most so many notices are composed in one go: fewer messages between processes."""
REST_AFTER = timedelta(minutes=1)
"""When there was nothing to send for so long, the processes that compose are ended."""
TALLY_EVERY = timedelta(seconds=1)
"""How often it is counted how many mails became what."""
FIRST_RETRY, FIRST_PAUSE = timedelta(minutes=1), timedelta(seconds=5)
DOUBT_MAX = timedelta(days=5)
"""So long a mail is tried whose refusals may be the mail server's fault, where none is taken that would tell: RFC 5321
§4.5.4.1."""
WITH_OTHERS_WORDS = ("message", "invitation", "rematch")
"""Mails that say what somebody else wrote: when their contents are refused, that tells nothing of their reader."""
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"]+@[^\s<>()\[\],;:\"]+")


def backoff(failures: int, first: timedelta, last: timedelta, rng: random.Random) -> timedelta:
    """How long to wait after so many failures: twice as long each time, up to `last`, less up to a half by chance, so
    that what failed together does not come back together."""
    return min(last, first * 2 ** min(failures - 1, 30)) * rng.uniform(0.5, 1)


def _without_addresses(words: str) -> str:
    return _ADDRESS.sub("…", words)


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
        self._schedule = Schedule(self._again, self._resume)
        self._marks: list[Mark] = []
        self._tally: Counter[str] = Counter()
        self._tallied_at = self._worked_at = clock()
        self._probing = self._paused = self._more = False

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
                    with request_ids.caused_by(notice.request):
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
            pauses.probe_on(self._store, until)

    def _claim(self) -> list[Notice]:
        if not self._more:
            return []
        limit = 1 if self._probing else BATCH
        claimed = self._claims.take(limit, self._probing)
        self._more = len(claimed) == limit
        return claimed

    def _deliver(self, notice: Notice, outcome: Outcome, stop: Callable[[], bool]) -> str:
        """Send one mail and note what became of it; the word for it."""
        if not self._claims.holds(notice):
            return "lost"
        if notice.attempts >= self._tries:
            # Claimed that often and never finished: whoever tried it died of it.
            why = "given up: the server ended each time it tried to send this"
            return self._bury(notice, Mark(notice.id, "pending", counts=False, error=why, fault="ours"))
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
        self._marks.append(Mark(notice.id, "sent", message_id=outcome.message_id, to=outcome.to))
        self._tally["sent"] += 1
        metering.meters().mailed((self._clock() - parse_utc(notice.due_at)).total_seconds())
        log.info("mail sent", extra={"fields": {"mail": notice.id, "kind": notice.kind}})
        self._note()
        return "sent"

    def _failed(self, notice: Notice, envelope: Envelope, error: DeliveryError, stop: Callable[[], bool]) -> str:
        """The mail server did not take it: do what its verdict says."""
        words, verdict = str(error), error.verdict
        self._tally["failed"] += 1
        told_to_stop = stop()
        if verdict in (Verdict.PAUSE, Verdict.SUSPECT) and told_to_stop:
            self._marks.append(Mark(notice.id, "pending", counts=False))
            return "stopped"
        if verdict is Verdict.PAUSE and not error.offered:
            self._marks.append(Mark(notice.id, "pending", counts=False, error=words, fault="ours"))
            word = "unreachable"
        else:
            word = self._refused(notice, envelope, error)
        fault = None
        if verdict is Verdict.PAUSE or self._probing:
            # Any other answer to the one mail that tries it is not the proof that was wanted.
            fault = Fault(words, of_reader=verdict is not Verdict.PAUSE, probing=self._probing)
        self._note(fault)
        return word

    def _refused(self, notice: Notice, envelope: Envelope, error: DeliveryError) -> str:
        """It was about this mail: its own fault, its reader's or, as the next mail may show, the mail server's."""
        verdict, fault = error.verdict, self._own_fault(notice)
        whose: deliveries.Whose = "ours" if error.ours else "theirs"
        tried = Mark(notice.id, "pending", error=str(error), fault=whose, to=envelope.to, doubted=fault is None)
        if verdict is Verdict.STOP and error.contents and not self._disliked_before(notice, envelope):
            verdict = Verdict.GIVE_UP
        if verdict is Verdict.GIVE_UP:
            return self._bury(notice, replace(tried, doubted=False))
        if verdict is Verdict.STOP and (fault is not None or not self._probing):
            return self._bury(notice, replace(tried, refused=tried.error))
        if fault is not None:
            return self._bury(notice, replace(tried, fault=fault))
        if verdict is Verdict.LATER and not self._probing:
            return self._retry(notice, tried)
        whose = "theirs" if notice.doubts and not self._probing else "ours"
        tried = replace(tried, counts=False, fault=whose)
        if verdict is Verdict.PAUSE:
            self._marks.append(tried)
            return "unreachable"
        self._marks.append(replace(tried, again=self._doubted_again(notice)))
        log.warning(
            "mail refused: its own fault, or the mail server's",
            extra={"fields": {"mail": notice.id, "kind": notice.kind, "why": _without_addresses(str(error))}},
        )
        return "doubted"

    def _own_fault(self, notice: Notice) -> deliveries.Whose | None:
        """Whose fault it is for sure that this mail is refused: others were taken each time, or it is so for days.

        None: nobody knows.
        """
        if notice.doubts >= self._tries:
            return "theirs"
        if notice.doubted_since is None or self._clock() - parse_utc(notice.doubted_since) < DOUBT_MAX:
            return None
        return "ours" if self._probing else "theirs"

    def _disliked_before(self, notice: Notice, envelope: Envelope) -> bool:
        """Whether the reader's mail server takes nothing at all, whatever is in it."""
        if notice.player_id is None or notice.kind in WITH_OTHERS_WORDS:
            return False
        about = notice.game_id or notice.key
        return stopped_addresses.disliked_before(self._store, notice.player_id, envelope.to, notice.id, about)

    def _retry(self, notice: Notice, tried: Mark) -> str:
        count = notice.attempts + 1
        if count >= self._tries:
            return self._bury(notice, tried)
        self._marks.append(replace(tried, again=self._again(count)))
        log.warning(
            "mail failed, tried again later", extra={"fields": {"mail": notice.id, "kind": notice.kind, "try": count}}
        )
        return "failed"

    def _bury(self, notice: Notice, tried: Mark) -> str:
        self._marks.append(replace(tried, state="dead"))
        self._tally["dead"] += 1
        log.error(
            "mail given up; see `ulm mail list --state dead`",
            extra={
                "fields": {
                    "mail": notice.id,
                    "kind": notice.kind,
                    "tries": notice.attempts + notice.doubts + tried.counts,
                }
            },
        )
        return "dead"

    def _again(self, tries: int) -> datetime:
        """When to try again a mail that has failed so often."""
        return self._clock() + backoff(tries, FIRST_RETRY, LAST_RETRY, self._rng)

    def _doubted_again(self, notice: Notice) -> datetime:
        """When to try again a mail that is refused while no other is taken: that may be over soon."""
        now = self._clock()
        lasts = timedelta() if notice.doubted_since is None else now - parse_utc(notice.doubted_since)
        return now + min(LAST_PAUSE, max(FIRST_RETRY, lasts)) * self._rng.uniform(0.5, 1)

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
        noted = deliveries.mark(self._store, self._owner, marks, now, self._schedule, fault, tally)
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
                log.error("no mail can be sent", extra={"fields": {"why": _without_addresses(noted.fault.why)}})
        self._paused = noted.paused is not None and not self._probing
