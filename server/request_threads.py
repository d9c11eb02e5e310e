"""The threads that run requests, and how many of them at a time.

Python lets one thread work at a time, and a thread that asks SQLite something gives up its turn for each statement.
Where several requests run at once, each of these is a change of threads, which costs more than the statement: eight
threads took a third more of the processor for a move than one. So requests run one after the other, in the order in
which they came, as long as they are short. Whoever takes longer, because it computes much or waits for something, holds
up nobody: the next begins beside it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

Job = TypeVar("Job")

LONG = 0.003
"""Seconds after which a job counts as one that takes long. Most are done in a third of that."""


class RequestThreads(Generic[Job]):
    """`threads` threads that give jobs to `run`, begun in the order in which they are put.

    Of jobs that run for less than `LONG` seconds there are `at_once` at a time. All threads are daemons: the patience
    of a server that is told to stop has an end.
    """

    def __init__(self, run: Callable[[Job], None], threads: int, at_once: int) -> None:
        self._run, self._at_once = run, at_once
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._looking = False
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

    def _work(self, worker: _Worker[Job]) -> None:
        while (job := worker.jobs.get()) is not None:
            while job is not None:
                self._run(job)
                job = None  # bodies and answers are not kept until the next request comes
                with self._lock:
                    worker.began = 0.0
                    if self._waiting and self._short() < self._at_once:
                        job = self._waiting.popleft()
                        worker.began = time.monotonic()
                    else:
                        self._idle.append(worker)


class _Worker(Generic[Job]):
    """A thread: what it is to do next, and since when it does what it does now (0 when nothing)."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.began = 0.0
