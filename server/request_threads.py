"""The threads that run requests, and how many of them at a time.

Python lets one thread work at a time, and a thread that asks SQLite something gives up its turn for each statement.
Where several requests run at once, each of these is a change of threads, which costs more than the statement: eight
threads took a third more of the processor for a move than one. So requests run one after the other, in the order in
which they came, as long as they are short. Whoever takes longer, because it computes much or waits for something, holds
up nobody: the next begins beside it, and soon it has not to share its CPU any more either (`shared_cpu`).
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

from server.shared_cpu import SharedCpu

Job = TypeVar("Job")

LONG = 0.003
"""Seconds after which a job counts as one that takes long. Most are done in a third of that."""

AWAY = 0.025
"""Seconds after which a job runs on any CPU. Where many wait for a database most take longer than `LONG`, and work for
as short a time."""


class RequestThreads(Generic[Job]):
    """`threads` threads that give jobs to `run`, begun in the order in which they are put.

    Of jobs that run for less than `LONG` seconds there are `at_once` at a time. The threads share `cpu`, except who
    runs for more than `AWAY` seconds. All are daemons: the patience of a server that is told to stop has an end.
    """

    def __init__(self, run: Callable[[Job], None], threads: int, at_once: int, cpu: SharedCpu) -> None:
        self._run, self._at_once, self._cpu = run, at_once, cpu
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._looking = self._watching = False
        self._workers = [_Worker[Job]() for _ in range(threads)]
        self._idle = list(self._workers)
        for number, worker in enumerate(self._workers, 1):
            threading.Thread(target=self._work, args=(worker,), name=f"request-{number}", daemon=True).start()

    def put(self, job: Job) -> None:
        """Have a job run. Called in the event loop."""
        with self._lock:
            worker = self._next()
            if worker is None:
                self._waiting.append(job)
        if worker is not None:
            worker.jobs.put(job)
        elif not self._looking:
            self._look_later()
        if not self._watching:
            self._watch_later()

    def close(self) -> None:
        """Let every thread end when it has done what it does, and what waits by now."""
        for worker in self._workers:
            worker.jobs.put(None)

    def _next(self) -> _Worker[Job] | None:
        """A worker for one job more, if one is to begin now. Called with the lock held."""
        if not self._idle or self._short() >= self._at_once:
            return None
        worker = self._idle.pop()  # the last that worked: its connection to the database remembers most
        worker.began = time.monotonic()
        return worker

    def _short(self) -> int:
        """How many jobs run that have not taken long yet."""
        latest = time.monotonic() - LONG
        return sum(worker.began > latest for worker in self._workers)

    def _look_later(self) -> None:
        self._looking = True
        asyncio.get_running_loop().call_later(LONG, self._look)

    def _look(self) -> None:
        """Begin what waits for jobs that turned out to be long. In the event loop, as long as there is such."""
        begun: list[tuple[_Worker[Job], Job]] = []
        with self._lock:
            while self._waiting and (worker := self._next()) is not None:
                begun.append((worker, self._waiting.popleft()))
            self._looking = bool(self._waiting)
        for worker, job in begun:
            worker.jobs.put(job)
        if self._looking:
            self._look_later()

    def _watch_later(self) -> None:
        self._watching = True
        asyncio.get_running_loop().call_later(AWAY, self._watch)

    def _watch(self) -> None:
        """Let go away who takes long. In the event loop, as long as there is work."""
        latest = time.monotonic() - AWAY
        with self._lock:
            for worker in self._workers:
                if 0 < worker.began < latest and not worker.away:
                    worker.away = True
                    self._cpu.leave(worker.thread)
            self._watching = any(worker.began for worker in self._workers)
        if self._watching:
            self._watch_later()

    def _work(self, worker: _Worker[Job]) -> None:
        worker.thread = threading.get_native_id()
        self._cpu.join(worker.thread)
        while (job := worker.jobs.get()) is not None:
            while job is not None:
                self._run(job)
                job = None  # bodies and answers are not kept until the next request comes
                with self._lock:
                    worker.began = 0.0
                    if worker.away:
                        worker.away = False
                        self._cpu.join(worker.thread)
                    if self._waiting and self._short() < self._at_once:
                        job = self._waiting.popleft()
                        worker.began = time.monotonic()
                    else:
                        self._idle.append(worker)


class _Worker(Generic[Job]):
    """A thread: its number in the system, what it is to do next, since when it does what it does now (0 when nothing),
    and whether it has left the CPU that the others share."""

    def __init__(self) -> None:
        self.thread = 0
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.began = 0.0
        self.away = False
