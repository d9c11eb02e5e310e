"""The CPU that the threads of a server share while requests are short.

Python lets one thread work at a time. Where the system puts its threads on several CPUs, each change from one thread to
the next has to wake another CPU, in which nothing of what it needs is cached: on two CPUs a move took half as much
again of their time on SQLite as on one, and twice as much on PostgreSQL. So the event loop and the threads that run
requests share one. Which one the system says: every few seconds it may put the loop wherever there is least to do, and
the others follow. Who takes long, because it computes much without Python's lock or waits for something, may go
anywhere meanwhile.

Other threads and processes have all CPUs, except those that a sharing thread begins: the system has them begin where
that may be.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys
import threading
from collections.abc import Callable

STAY = 2.0
"""Seconds on a CPU before the system is asked for a better one."""
CHOOSE = 0.01
"""Seconds that the system has for that."""


class SharedCpu:
    """Where threads of this process may run. It does nothing where there is one CPU, or a system that does not let a
    process choose."""

    def __init__(self) -> None:
        self._all = allowed()
        self._here: set[int] = set()
        """The shared CPU; empty before one is chosen."""
        self.sharing: set[int] = set()
        """The threads that share it."""
        self._lock = threading.Lock()

    def join(self, thread: int) -> None:
        """Let a thread (`threading.get_native_id`) share the CPU from now on. From any thread."""
        with self._lock:
            self.sharing.add(thread)
            self._put(thread, self._here)

    def leave(self, thread: int) -> None:
        """Let a thread run anywhere from now on. From any thread."""
        with self._lock:
            self.sharing.discard(thread)
            self._put(thread, self._all)

    async def follow(self, others: Callable[[], set[int]]) -> None:
        """Let the thread of this event loop choose the CPU, for `others` too, until this is cancelled."""
        if len(self._all) < 2:
            return
        loop = threading.get_native_id()
        try:
            while True:
                self._put(loop, self._all)
                await asyncio.sleep(CHOOSE)
                self.gather(current(), others())
                self._put(loop, self._here)
                await asyncio.sleep(STAY)
        finally:
            self._put(loop, self._all)

    def gather(self, cpu: int, others: set[int]) -> None:
        """Have all that share, and `others`, use this CPU, and every other thread of Python's all of them."""
        with self._lock:
            self._here = {cpu} & self._all
            self.sharing |= others
            for thread in list(self.sharing):
                self._put(thread, self._here)
            for each in threading.enumerate():
                # One that a request began is where that was.
                if each.native_id is not None and each.native_id not in self.sharing:
                    self._put(each.native_id, self._all)

    def _put(self, thread: int, cpus: set[int]) -> None:
        """Nothing comes of it when the thread has ended, or the process has lost a CPU: where it runs is no matter of
        right and wrong."""
        if sys.platform != "linux" or len(self._all) < 2 or not cpus:
            return
        try:
            os.sched_setaffinity(thread, cpus)
        except OSError:
            self.sharing.discard(thread)


def allowed() -> set[int]:
    """The CPUs that this process may use, where the system lets it say which thread uses which."""
    try:
        return os.sched_getaffinity(0) if sys.platform == "linux" else set()
    except OSError:  # a container may forbid the question
        return set()


def current() -> int:
    """The CPU on which the calling thread is; -1 where the C library does not tell."""
    try:
        return int(ctypes.CDLL(None).sched_getcpu())
    except AttributeError:
        return -1
