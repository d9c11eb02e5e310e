"""Threads that run requests: one after the other as long as they are short, side by side as soon as one takes long."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

import pytest

from server import request_threads
from server.request_threads import RequestThreads
from server.shared_cpu import SharedCpu

SOON = 60.0
"""Seconds within which a thread that may go on has done so, on a machine that has much else to do."""


async def _done(ended: threading.Semaphore, jobs: int) -> None:
    """Wait until so many jobs are done, while the loop goes on."""
    for _ in range(jobs):
        assert await asyncio.to_thread(ended.acquire, timeout=SOON)


async def _run(jobs: list[Callable[[], None]], threads: int, at_once: int) -> None:
    ended = threading.Semaphore(0)

    def run(job: Callable[[], None]) -> None:
        job()
        ended.release()

    pool = RequestThreads(run, threads, at_once, SharedCpu())
    for job in jobs:
        pool.put(job)
    try:
        await _done(ended, len(jobs))
    finally:
        pool.close()


def test_short_requests_run_one_after_the_other_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_threads, "LONG", SOON)
    running, seen, most = [0], [], [0]

    def job(number: int) -> None:
        running[0] += 1
        most[0] = max(most[0], running[0])
        seen.append(number)
        time.sleep(0)  # any other thread may go on
        running[0] -= 1

    asyncio.run(_run([lambda number=number: job(number) for number in range(500)], 8, 1))
    assert seen == list(range(500))
    assert most == [1]


@pytest.mark.parametrize("at_once", [1, 2, 4])
def test_whoever_takes_long_holds_up_nobody(at_once: int) -> None:
    """All threads have to be at work together before the first job ends; it waits for the last."""
    together = threading.Barrier(4, timeout=SOON)
    asyncio.run(_run([lambda: (together.wait(), None)[1]] * 8, 4, at_once))


def test_as_many_as_may_run_at_once_wait_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_threads, "LONG", SOON * 2)  # nobody is looked after while this test lasts
    together = threading.Barrier(3, timeout=SOON)
    asyncio.run(_run([lambda: (together.wait(), None)[1]] * 9, 8, 3))


def test_what_waits_behind_long_ones_on_all_threads_is_run_when_one_ends() -> None:
    go_on = threading.Event()
    done: list[str] = []

    def short() -> None:
        done.append("short")

    async def play() -> None:
        ended = threading.Semaphore(0)

        def run(job: Callable[[], None]) -> None:
            job()
            ended.release()

        pool = RequestThreads(run, 2, 1, SharedCpu())
        for _ in range(2):
            pool.put(lambda: (go_on.wait(SOON), None)[1])
        for _ in range(3):
            pool.put(short)
        await asyncio.sleep(request_threads.LONG * 10)
        assert not done  # there is no third thread
        go_on.set()
        await _done(ended, 5)
        pool.close()

    asyncio.run(play())
    assert done == ["short"] * 3


def test_every_thread_ends_when_it_is_told_to() -> None:
    before = set(threading.enumerate())
    asyncio.run(_run([lambda: None] * 20, 5, 1))
    for thread in set(threading.enumerate()) - before:
        thread.join(SOON)
        assert not thread.is_alive()
