"""Threads that run requests side by side, in the order in which they came."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from server.request_threads import RequestThreads
from server.shared_cpu import SharedCpu

SOON = 60.0
"""Seconds within which a thread that may go on has done so, on a machine that has much else to do."""


async def _done(ended: threading.Semaphore, jobs: int) -> None:
    """Wait until so many jobs are done, while the loop goes on."""
    for _ in range(jobs):
        assert await asyncio.to_thread(ended.acquire, timeout=SOON)


async def _run(jobs: list[Callable[[], None]], threads: int) -> None:
    ended = threading.Semaphore(0)

    def run(job: Callable[[], None]) -> None:
        job()
        ended.release()

    pool = RequestThreads(run, threads, SharedCpu())
    for job in jobs:
        pool.put(job)
    try:
        await _done(ended, len(jobs))
    finally:
        pool.close()


def test_requests_begin_in_their_order() -> None:
    seen: list[int] = []
    asyncio.run(_run([lambda number=number: seen.append(number) for number in range(500)], 1))
    assert seen == list(range(500))


def test_whoever_takes_long_holds_up_nobody() -> None:
    """All threads have to be at work together before the first job ends; it waits for the last."""
    together = threading.Barrier(4, timeout=SOON)
    asyncio.run(_run([lambda: (together.wait(), None)[1]] * 8, 4))


def test_what_waits_for_a_thread_is_run_when_one_is_free() -> None:
    go_on = threading.Event()
    done: list[str] = []

    async def play() -> None:
        began, ended = threading.Semaphore(0), threading.Semaphore(0)

        def run(job: Callable[[], None]) -> None:
            began.release()
            job()
            ended.release()

        pool = RequestThreads(run, 2, SharedCpu())
        for _ in range(2):
            pool.put(lambda: (go_on.wait(SOON), None)[1])
        for _ in range(3):
            pool.put(lambda: done.append("short"))
        await _done(began, 2)
        assert not done  # there is no third thread
        go_on.set()
        await _done(ended, 5)
        pool.close()

    asyncio.run(play())
    assert done == ["short"] * 3


def test_every_thread_ends_when_it_is_told_to() -> None:
    before = set(threading.enumerate())
    asyncio.run(_run([lambda: None] * 20, 5))
    for thread in set(threading.enumerate()) - before:
        thread.join(SOON)
        assert not thread.is_alive()
