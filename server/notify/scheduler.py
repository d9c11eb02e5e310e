"""What the server does by the clock: `jobs.JOBS`, some under a lease. APScheduler plans by the wall clock, so a thread
beside it looks whether that was set back."""

from __future__ import annotations

import contextlib
import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import NamedTuple

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.date import DateTrigger

from server import metering
from server.notify.delivery import Delivery
from server.settings import Settings
from server.storage import leases
from server.storage.database import Store
from server.storage.unusable import StoreError

log = logging.getLogger("ulm.jobs")

LEASE = timedelta(minutes=5)  # how long a process that says nothing keeps its jobs: one at rest hardly writes
LONGEST_WAIT = 30.0  # seconds after which a job is looked at again that could not be done, whatever came before
SHARE = 4  # a gentle job works in one part of so many of its time, and leaves the others to whoever asks
REST = 1.0  # seconds that it rests at most between two steps
WATCH = 1.0  # seconds between two looks whether the clock was set back


@dataclass(frozen=True, slots=True)
class Context:
    """What a job works with."""

    store: Store
    settings: Settings
    rng: random.Random
    clock: Callable[[], datetime]
    delivery: Delivery
    keep: Callable[[], bool]
    """For jobs that may take long: call it between two steps. It holds the lease; False means stop, because another
    process has the job now or this one is to end."""


class Job(NamedTuple):
    """Something to do again so long after it was done; a `shared` job is done by every process, without a lease."""

    name: str
    seconds: float
    run: Callable[[Context, datetime], object]
    shared: bool = False
    gentle: bool = False
    """It rests whenever it asks whether to go on: nobody waits for what it does."""
    lease: str = ""
    """Which it needs, several jobs perhaps the same; one of its own name where it says none."""


class Scheduler:
    """Runs `jobs` in threads of its own from `start` to `stop`. `lease` is how long the process keeps a job without a
    sign of life; `grace` is how many seconds a mail server may let `stop` wait."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        delivery: Delivery,
        jobs: Sequence[Job],
        owner: str,
        clock: Callable[[], datetime],
        rng: random.Random,
        lease: timedelta = LEASE,
        grace: float = 10,
    ) -> None:
        self._store, self._settings, self._delivery = store, settings, delivery
        self._jobs, self._owner, self._clock, self._rng, self._lease = tuple(jobs), owner, clock, rng, lease
        self._grace = grace
        self._held: dict[str, datetime] = {}
        self._failed: dict[str, list[type]] = {}  # by which kinds of errors, since a job was done last
        self._stopping = threading.Event()
        # APScheduler holds a lock while it waits for what runs: whoever plans then, and needs it, would wait for ever.
        self._planning = threading.Lock()
        self._scheduler: BackgroundScheduler | None = None
        self._watching: threading.Thread | None = None

    def start(self) -> None:
        """Begin; each job is looked at once right away."""
        self._scheduler = BackgroundScheduler(
            timezone=UTC,
            executors={"default": ThreadPoolExecutor(len(self._jobs))},
            job_defaults={"misfire_grace_time": None},
        )
        for job in self._jobs:
            self._plan(job, 0)
        self._scheduler.start()
        self._watching = threading.Thread(target=self._watch, name="ulm-jobs-clock", daemon=True)
        self._watching.start()

    def stop(self) -> None:
        """End: wait for what runs (jobs see that they are to stop), then give the leases back."""
        with self._planning:
            self._stopping.set()
        if self._watching is not None:
            self._watching.join()
            self._watching = None
        if self._scheduler is not None:
            patience = threading.Timer(self._grace, self._delivery.abort)
            patience.start()
            self._scheduler.shutdown(wait=True)
            patience.cancel()
            self._scheduler = None
        self._delivery.close()
        for name in list(self._held):
            try:
                leases.release(self._store, name, self._owner)
            except StoreError as error:
                log.warning("a lease could not be given back", extra={"fields": {"job": name, "why": error}})
        self._held.clear()

    def _plan(self, job: Job, seconds: float) -> None:
        """Look at the job once, so long from now. Not in fixed intervals: a job that takes longer than its own would be
        found running each time, and APScheduler would say so each time. Nor is it made up for, then, what a clock that
        is set forward leaps over."""
        if self._scheduler is not None:
            when = DateTrigger(datetime.now(UTC) + timedelta(seconds=seconds), UTC)
            self._scheduler.add_job(self._turn, when, (job,), name=job.name)

    def _turn(self, job: Job) -> None:
        try:
            self.look(job)
        finally:
            with self._planning:
                if not self._stopping.is_set():
                    self._plan(job, self._interval(job))

    def _interval(self, job: Job) -> float:
        """Seconds until the job is looked at again: more and more while it cannot be done."""
        failures = len(self._failed.get(job.name, ()))
        return max(job.seconds, min(2.0 ** min(failures - 1, 9), LONGEST_WAIT) if failures else 0)

    def _watch(self) -> None:
        """Have done at once what is planned for later than its interval from now: the clock was set back. APScheduler
        is woken by that, too, which else sleeps until the old time has come again."""
        while not self._stopping.wait(WATCH):
            with self._planning:
                if self._stopping.is_set() or self._scheduler is None:
                    return
                now = datetime.now(UTC)
                for planned in self._scheduler.get_jobs():
                    (job,) = planned.args
                    if planned.next_run_time > now + timedelta(seconds=self._interval(job) + WATCH):
                        with contextlib.suppress(JobLookupError):  # it has just begun
                            planned.modify(next_run_time=now)

    def look(self, job: Job) -> bool:
        """Do `job` once if it is this process's to do; whether it was done to its end."""
        began, done = None, False
        try:
            if not self._keep(job):
                return False
            began = time.perf_counter()
            keep = partial(self._go_on, job, [began])
            job.run(Context(self._store, self._settings, self._rng, self._clock, self._delivery, keep), self._clock())
            done = True
        except StoreError as error:
            if self._is_new(job, StoreError):
                log.warning("job put off", extra={"fields": {"job": job.name, "why": error}})
            return False
        except Exception as error:
            if self._is_new(job, type(error)):
                log.exception("job failed", extra={"fields": {"job": job.name}})
            return False
        finally:
            if began is not None:
                meters = metering.meters()
                meters.jobs.labels(job.name).observe(time.perf_counter() - began)
                if not done:
                    meters.failed.labels(job.name).inc()
        failures = self._failed.pop(job.name, ())
        if len(failures) > 1:
            log.info("job done again", extra={"fields": {"job": job.name, "failures": len(failures)}})
        return True

    def _is_new(self, job: Job, kind: type) -> bool:
        """Note that the job could not be done; whether for another reason than since it was done last."""
        before = self._failed.setdefault(job.name, [])
        before.append(kind)
        return kind not in before[:-1]

    def _go_on(self, job: Job, since: list[float]) -> bool:
        """Whether a job goes on with its next step; a gentle one rests first, the longer the last one took."""
        if job.gentle:
            self._stopping.wait(min((SHARE - 1) * (time.perf_counter() - since[0]), REST))
            since[0] = time.perf_counter()
        return self._keep(job)

    def _keep(self, job: Job) -> bool:
        """Take the job's lease or hold it; written only when most of it has run out."""
        if self._stopping.is_set() or self._store.closing.is_set():
            return False
        if job.shared:
            return True
        now, name = self._clock(), job.lease or job.name
        # Longer than a lease is: the clock went back, and for all others it is none any more.
        if self._lease / 5 < self._held.get(name, now) - now <= self._lease:
            return True
        until = now + self._lease
        if leases.take(self._store, name, self._owner, now, until):
            self._held[name] = until
            return True
        if self._held.pop(name, None) is not None:
            log.warning("another process has taken over", extra={"fields": {"job": name}})
        return False
