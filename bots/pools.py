"""Who does the work when there is much of it: this process, or several."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")

AHEAD = 3
"""Pieces of work that are handed out for each worker before the first of them is done."""


@contextmanager
def workers(jobs: int) -> Iterator[Executor | None]:
    """Yield what does the work in `jobs` processes; None for one: it is done here."""
    if jobs < 2:
        yield None
        return
    # Fresh processes: a fork would take along threads that others may have started here.
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        yield pool


def in_order(
    work: Callable[[Item], Answer], items: Iterable[Item], pool: Executor | None, jobs: int
) -> Iterator[Answer]:
    """Yield `work(item)` for each item, in order; items are read no further ahead than the workers need."""
    if pool is None:
        yield from map(work, items)
        return
    waiting: deque[Future[Answer]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > jobs * AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
