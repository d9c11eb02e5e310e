"""The threads that run requests, on a CPU that they share while these are short (`shared_cpu`)."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

from server.shared_cpu import SharedCpu

Job = TypeVar("Job")

AWAY = 0.025
"""Seconds after which a job runs on any CPU. Most are done in a twentieth of that, or wait for a database."""


class RequestThreads(Generic[Job]):
    """`threads` threads that give jobs to `run`, begun in the order in which they are put.

    They share `cpu`, except who runs for more than `AWAY` seconds. All are daemons: the patience of a server that is
    told to stop has an end.
    """

    def __init__(self, run: Callable[[Job], None], threads: int, cpu: SharedCpu) -> None:
        self._run, self._cpu = run, cpu
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._began: dict[int, float] = {}
        """Since when each thread that works does what it does now."""
        self._away: set[int] = set()
        """Those that have left the CPU that the others share."""
        self._watching = False
        self._threads = threads
        for number in range(1, threads + 1):
            threading.Thread(target=self._work, name=f"request-{number}", daemon=True).start()

    def put(self, job: Job) -> None:
        """Have a job run. Called in the event loop."""
        self._jobs.put(job)
        if not self._watching:
            self._watch_later()

    def close(self) -> None:
        """Let every thread end when it has done what it does, and what waits by now."""
        for _ in range(self._threads):
            self._jobs.put(None)

    def _watch_later(self) -> None:
        self._watching = True
        asyncio.get_running_loop().call_later(AWAY, self._watch)

    def _watch(self) -> None:
        """Let go away who takes long. In the event loop, as long as there is work."""
        latest = time.monotonic() - AWAY
        with self._lock:
            for thread in [each for each, began in self._began.items() if began < latest]:
                if thread not in self._away:
                    self._away.add(thread)
                    self._cpu.leave(thread)
            self._watching = bool(self._began) or not self._jobs.empty()
        if self._watching:
            self._watch_later()

    def _work(self) -> None:
        thread = threading.get_native_id()
        self._cpu.join(thread)
        while (job := self._jobs.get()) is not None:
            with self._lock:
                self._began[thread] = time.monotonic()
            self._run(job)
            del job  # bodies and answers are not kept until the next request comes
            with self._lock:
                del self._began[thread]
                if thread in self._away:
                    self._away.discard(thread)
                    self._cpu.join(thread)
