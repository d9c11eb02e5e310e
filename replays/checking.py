"""Work on many records, on all cores: in order, and never more in memory than the workers need. Work that takes long
tells how far it is, by `advance`."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import chain, islice
from multiprocessing.sharedctypes import Synchronized
from typing import NamedTuple, TypeVar

from bots import pools
from replays import reading
from replays.files import Item, ReadError, ReplayError, Source
from replays.reading import parse, verified

Answer = TypeVar("Answer")

BATCH, AHEAD = 32, 3
"""Records that a worker is handed at once where each takes milliseconds; batches that wait for each worker."""
ALONE, LOOK = 2.0, 0.5
"""Seconds: of work that is done here; between two looks how far the others are."""
Passed = Callable[[int], object]
"""Is told of so many steps more."""
_passed: Passed = lambda steps: None  # noqa: E731 - whoever waits for the work of this process


class Finding(NamedTuple):
    """What a check found in one record: `message` says what is wrong first, None when the record is good."""

    source: Source
    id: str | None = None
    plies: int = 0
    players: int = 0
    ply: int | None = None
    rule: str | None = None
    message: str | None = None

    def to_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "source": self.source.path, "line": self.source.line, "id": self.id, "valid": self.message is None,
            "plies": self.plies, "players": self.players, "ply": self.ply, "rule": self.rule, "message": self.message,
        }  # fmt: skip


def check(item: Item) -> Finding:
    """Check commitment, legality, digests and result of one record; name the first thing that is wrong."""
    known = Finding(item.source)
    try:
        record = parse(item)
        known = Finding(item.source, record.id, len(record.moves), len(record.players))
        verified(item.source, record)
    except ReadError as error:
        return known._replace(ply=error.ply or 0, rule=error.rule, message=error.message)
    return known


def advance(steps: int = 1) -> None:
    """Tell whoever waits for this work that so many steps of it are done."""
    _passed(steps)


def in_parallel(
    items: Iterable[Item],
    work: Callable[[Item], Answer],
    jobs: int | None = None,
    batch: int = BATCH,
    passed: Passed | None = None,
) -> Iterator[Answer]:
    """Yield `work(item)` for each item, in order, on `jobs` processes (as many as there are cores when None). `work` is
    a function of a module; what it tells by `advance`, `passed` is told. Where batches are large, what takes less than
    `ALONE` is done here: processes take about as long to start. Items are read no further ahead than the workers need.
    Raises `ReplayError` when one of them dies."""
    jobs, rest = jobs or pools.cores(), iter(items)
    end = time.monotonic() + (ALONE if batch > 1 else 0)
    while time.monotonic() < end:
        here = list(islice(rest, 1))
        if not here:
            return
        yield work(here[0])
    batches = iter(lambda: list(islice(rest, batch)), [])
    first = list(islice(batches, 2))
    waiting: deque[Future[list[Answer]]] = deque()
    done = pools.FRESH.Value("q", 0)
    try:
        with pools.workers(jobs if len(first) > 1 else 1, partial(_begin, tuple(reading.own_rulesets), done)) as pool:
            if pool is None:
                _tell(passed)
                yield from map(work, chain(*first, rest))
                return
            for piece in chain(first, batches):
                waiting.append(pool.submit(_work, work, piece))
                if len(waiting) > jobs * AHEAD:
                    yield from _result(waiting.popleft(), done, passed)
            while waiting:
                yield from _result(waiting.popleft(), done, passed)
    except BrokenProcessPool as error:
        raise ReplayError("a worker process was ended from outside, perhaps for want of memory") from error
    finally:
        _tell(None)


def _tell(passed: Passed | None) -> None:
    global _passed
    _passed = passed or (lambda steps: None)


def _begin(rulesets: Sequence[str], done: Synchronized[int]) -> None:
    """In a worker: it knows the same rulesets, and what it advances is added to what all of them share."""
    for text in rulesets:
        reading.register(text)

    def add(steps: int) -> None:
        with done.get_lock():
            done.value += steps

    _tell(add)


def _result(future: Future[list[Answer]], done: Synchronized[int], passed: Passed | None) -> list[Answer]:
    """Wait for a batch, and tell meanwhile how far the workers are."""
    finished = False
    while passed is not None and not finished:
        finished = bool(wait([future], LOOK).done)
        with done.get_lock():
            steps, done.value = done.value, 0
        passed(steps)
    return future.result()


def _work(work: Callable[[Item], Answer], batch: list[Item]) -> list[Answer]:
    return [work(item) for item in batch]
