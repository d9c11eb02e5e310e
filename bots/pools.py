"""Who does the work when there is much of it: this process, or several."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


FRESH = multiprocessing.get_context("spawn")
"""How processes are begun: a fork would take along threads that others may have started here."""


@contextmanager
def workers(jobs: int | None, begin: Callable[[], object] | None = None) -> Iterator[ProcessPoolExecutor | None]:
    """Yield what does the work in `jobs` processes (one for each core when None), which call `begin` first; None for
    one: it is done here. What nobody has begun when this ends is not done."""
    jobs = jobs or cores()
    if jobs < 2:
        yield None
        return
    pool = ProcessPoolExecutor(jobs, FRESH, begin)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
