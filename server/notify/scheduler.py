"""What the server does by itself, by the clock: delivering mail, and whatever else `jobs.JOBS` lists.

Every process that runs jobs looks at each of them in its interval. A job that only one may do is guarded by a lease:
the process that has it does the job, the others stand by and take over when it dies. Jobs get the time from the
scheduler's clock and read none of their own.

Each job has a thread, which waits by a clock that nobody sets: a wall clock that is set back or forward stops none.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from server import metering
from server.notify.delivery import Delivery
from server.settings import Settings
from server.storage import leases
from server.storage.database import Store
from server.storage.unusable import StoreError

log = logging.getLogger("ulm.jobs")

LEASE = timedelta(seconds=60)
"""How long a process that says nothing keeps its jobs."""


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
    """Something to do again so many seconds after it was done. A `shared` job is done by every process at once, without
    a lease."""

    name: str
    seconds: float
    run: Callable[[Context, datetime], object]
    shared: bool = False


class Scheduler:
    """Runs `jobs` in threads of its own from `start` to `stop`.

    `owner` names the process (`leases.new_owner()`); `lease` is how long it keeps a job without a sign of life; `grace`
    is how many seconds a mail server may let `stop` wait.
    """

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
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Begin; each job is looked at once right away."""
        for job in self._jobs:
            thread = threading.Thread(target=self._again_and_again, args=(job,), name=f"ulm-{job.name}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """End: wait for what runs (jobs see that they are to stop), then give the leases back."""
        self._stopping.set()
        patience = threading.Timer(self._grace, self._delivery.abort)
        patience.start()
        for thread in self._threads:
            thread.join()
        patience.cancel()
        self._threads = []
        self._delivery.close()
        for name in list(self._held):
            try:
                leases.release(self._store, name, self._owner)
            except StoreError as error:
                log.warning("a lease could not be given back", extra={"fields": {"job": name, "why": error}})
        self._held.clear()

    def _again_and_again(self, job: Job) -> None:
        while not self._stopping.is_set():
            self.look(job)
            self._stopping.wait(job.seconds)

    def look(self, job: Job) -> bool:
        """Do `job` once if it is this process's to do; whether it was done to its end."""
        began, done = None, False
        try:
            if not self._keep(job):
                return False
            began = time.perf_counter()
            job.run(
                Context(self._store, self._settings, self._rng, self._clock, self._delivery, lambda: self._keep(job)),
                self._clock(),
            )
            done = True
        except StoreError as error:
            log.warning("job put off", extra={"fields": {"job": job.name, "why": error}})
            return False
        except Exception:
            log.exception("job failed", extra={"fields": {"job": job.name}})
            return False
        finally:
            if began is not None:
                metering.meters().worked(job.name, time.perf_counter() - began, failed=not done)
        return True

    def _keep(self, job: Job) -> bool:
        """Take the job's lease or hold it; written only when half of it has run out."""
        if self._stopping.is_set() or self._store.closing.is_set():
            return False
        if job.shared:
            return True
        now = self._clock()
        # Longer than a lease is: the clock went back, and for all others it is none any more.
        if self._lease / 2 < self._held.get(job.name, now) - now <= self._lease:
            return True
        until = now + self._lease
        if leases.take(self._store, job.name, self._owner, now, until):
            self._held[job.name] = until
            return True
        if self._held.pop(job.name, None) is not None:
            log.warning("another process has taken over", extra={"fields": {"job": job.name}})
        return False
