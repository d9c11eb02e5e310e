"""Checking records, many at a time, on all cores: in order, and never more in memory than the workers need."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import islice
from typing import NamedTuple, TypedDict, TypeVar

from bots import pools
from replays import sandbox
from replays.damage import Defect, examine
from replays.errors import ReadError, ReplayError, Source
from replays.files import Item
from replays.reading import parse, verified

Answer = TypeVar("Answer")

BATCH_RECORDS, BATCH_BYTES = 32, 1 << 20
"""What is handed to a worker at once."""


class DefectForm(TypedDict):
    """A defect as JSON."""

    ply: int
    rule: str | None
    message: str


class FindingForm(TypedDict):
    """A finding as JSON: the first defect stands at the top, too."""

    source: str
    line: int | None
    id: str | None
    valid: bool
    plies: int
    players: int
    ply: int | None
    rule: str | None
    message: str | None
    defects: list[DefectForm]


class Finding(NamedTuple):
    """What a check found in one record. `defects` is empty when the record is good."""

    source: Source
    id: str | None
    plies: int
    players: int
    defects: list[Defect]

    def to_dict(self) -> FindingForm:
        """The JSON form."""
        first = self.defects[0] if self.defects else None
        return {
            "source": self.source.path,
            "line": self.source.line,
            "id": self.id,
            "valid": not self.defects,
            "plies": self.plies,
            "players": self.players,
            "ply": first.ply if first else None,
            "rule": first.rule if first else None,
            "message": first.message if first else None,
            "defects": [{"ply": defect.ply, "rule": defect.rule, "message": defect.message} for defect in self.defects],
        }


def check(item: Item) -> Finding:
    """Check commitment, legality, digests and result of one record; name the first thing that is wrong."""
    try:
        if item.text is not None and sandbox.looks_like(item.text):
            return check_all(item)
        record = parse(item)
    except ReadError as error:
        return Finding(item.source, None, 0, 0, [Defect(error.ply or 0, error.rule, error.message)])
    plies, players = len(record.moves), len(record.players)
    try:
        verified(item.source, record)
    except ReadError as error:
        return Finding(item.source, record.id, plies, players, [Defect(error.ply or 0, error.rule, error.message)])
    return Finding(item.source, record.id, plies, players, [])


def check_all(item: Item) -> Finding:
    """As `check`, but name everything that is wrong (see `damage`)."""
    if item.text is None:
        return Finding(item.source, None, 0, 0, [Defect(0, None, item.problem or "cannot be read")])
    record, defects, _ = examine(item.text)
    if record is None:
        return Finding(item.source, None, 0, 0, defects)
    return Finding(item.source, record.id, len(record.moves), len(record.players), defects)


def in_parallel(
    items: Iterable[Item], work: Callable[[Item], Answer], jobs: int | None = None, cluster: str | None = None
) -> Iterator[Answer]:
    """Yield `work(item)` for each item, in order, on `jobs` processes (as many as there are cores when None), or on the
    Dask cluster of that address.

    `work` is a function of a module. A handful of items is not worth a process: those are worked on here. Raises
    `ReplayError` when a worker process dies, and where no cluster answers.
    """
    jobs = jobs or available_cores()
    rest = iter(items)
    first = list(islice(rest, BATCH_RECORDS))
    if cluster is None and (jobs == 1 or len(first) < BATCH_RECORDS):
        yield from map(work, first)
        yield from map(work, rest)
        return
    try:
        with pools.workers(jobs, cluster) as (pool, number):
            for found in pools.in_order(partial(_work, work), _batches([first], rest), pool, number):
                yield from found
    except BrokenProcessPool as error:
        raise ReplayError("a worker process was ended from outside, perhaps for want of memory") from error
    except pools.NoClusterError as error:
        raise ReplayError(str(error)) from error


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _work(work: Callable[[Item], Answer], batch: list[Item]) -> list[Answer]:
    return [work(item) for item in batch]


def _batches(first: Iterable[list[Item]], rest: Iterator[Item]) -> Iterator[list[Item]]:
    yield from first
    batch: list[Item] = []
    held = 0
    for item in rest:
        batch.append(item)
        held += len(item.text or b"")
        if len(batch) >= BATCH_RECORDS or held >= BATCH_BYTES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch
