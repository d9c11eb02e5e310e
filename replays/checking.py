"""Work on many records, on all cores: in order, and never more in memory than the workers need."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import chain, islice
from typing import NamedTuple, TypedDict, TypeVar

from bots import pools
from replays.errors import ReadError, ReplayError, Source
from replays.files import Item
from replays.reading import parse, verified

Answer = TypeVar("Answer")

BATCH = 32
"""Records that a worker is handed at once where each takes milliseconds."""


class FindingForm(TypedDict):
    """A finding as JSON."""

    source: str
    line: int | None
    id: str | None
    valid: bool
    plies: int
    players: int
    ply: int | None
    rule: str | None
    message: str | None


class Finding(NamedTuple):
    """What a check found in one record: `message` says what is wrong first, None when the record is good."""

    source: Source
    id: str | None = None
    plies: int = 0
    players: int = 0
    ply: int | None = None
    rule: str | None = None
    message: str | None = None

    def to_dict(self) -> FindingForm:
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


def in_parallel(
    items: Iterable[Item], work: Callable[[Item], Answer], jobs: int | None = None, batch: int = BATCH
) -> Iterator[Answer]:
    """Yield `work(item)` for each item, in order, on `jobs` processes (as many as there are cores when None).

    `work` is a function of a module. What is no more than one batch is worked on here. Raises `ReplayError` when a
    worker process dies.
    """
    jobs, rest = jobs or available_cores(), iter(items)
    first = list(islice(rest, batch + 1))
    if jobs == 1 or len(first) <= batch:
        yield from map(work, chain(first, rest))
        return
    every = chain(first, rest)
    batches = iter(lambda: list(islice(every, batch)), [])
    try:
        with pools.workers(jobs) as pool:
            for found in pools.in_order(partial(_work, work), batches, pool, jobs):
                yield from found
    except BrokenProcessPool as error:
        raise ReplayError("a worker process was ended from outside, perhaps for want of memory") from error


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _work(work: Callable[[Item], Answer], batch: list[Item]) -> list[Answer]:
    return [work(item) for item in batch]
