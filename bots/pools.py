"""Who does the work when there is much of it: this process, several of them, or a cluster of machines."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar, cast

Item = TypeVar("Item")
Answer = TypeVar("Answer")

AHEAD = 3
"""Pieces of work that are handed out for each worker before the first of them is done."""


class NoClusterError(ValueError):
    """There is no cluster to be had. The message says why."""


@contextmanager
def workers(jobs: int, cluster: str | None) -> Iterator[tuple[Executor | None, int]]:
    """Yield what does the work, and how many pieces at once; None does it here.

    `cluster` is the address of a Dask scheduler (extra `cluster`). Raises `NoClusterError`.
    """
    if cluster is not None:
        try:
            from distributed import Client  # an extra
        except ImportError as error:
            raise NoClusterError("--cluster needs the extra `cluster`: pip install 'ulm-by-mail[cluster]'") from error
        try:
            client = cast("Callable[[str], Any]", Client)(cluster)
        except (OSError, ValueError) as error:
            raise NoClusterError(f"no cluster answers at {cluster}") from error
        with client:
            yield client.get_executor(), max(1, sum(client.nthreads().values()))
    elif jobs < 2:
        yield None, 1
    else:
        # Fresh processes: a fork would take along threads that others may have started here.
        with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
            yield pool, jobs


def in_order(
    work: Callable[[Item], Answer], items: Iterable[Item], pool: Executor | None, number: int
) -> Iterator[Answer]:
    """Yield `work(item)` for each item, in order; items are read no further ahead than the workers need."""
    if pool is None:
        yield from map(work, items)
        return
    waiting: deque[Future[Answer]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > number * AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
