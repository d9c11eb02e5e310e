"""Arguments that several commands share, and what they make of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from textwrap import wrap
from typing import IO, TypeVar

from tqdm import tqdm

from bots import pools
from replays import reading
from replays.checking import available_cores
from replays.errors import ReadError, ReplayError, Source
from replays.files import STANDARD_INPUT, STDIN, Item, Meter, require, texts
from replays.replay import Replay, Step
from server.engine.errors import RecordError

Answer = TypeVar("Answer")


def add_paths(parser: argparse.ArgumentParser) -> None:
    """PATH…: any number of records."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files, directories, streams of records, or -")


def add_file(parser: argparse.ArgumentParser) -> None:
    """FILE: one record."""
    parser.add_argument("file", metavar="FILE", help="a record, or one line of a stream: games.jsonl:17")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """--jobs N."""
    parser.add_argument("-j", "--jobs", type=positive, help="how many processes (default: one for each core)")


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """--cluster ADDRESS."""
    parser.add_argument("--cluster", metavar="ADDRESS", help="scheduler of a Dask cluster (extra `cluster`)")


def add_thinking(parser: argparse.ArgumentParser, each: str) -> None:
    """What commands take that think about many records: paths, --jobs, --cluster, --quiet, and --json, which writes an
    object for each `each`."""
    add_paths(parser)
    add_jobs(parser)
    add_cluster(parser)
    parser.add_argument("--json", action="store_true", help=f"one JSON object for each {each} on a line")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def add_output(parser: argparse.ArgumentParser, what: str = "where to write (default: standard output)") -> None:
    """-o OUT."""
    parser.add_argument("-o", "--output", metavar="OUT", help=what)


def add_seat(parser: argparse.ArgumentParser) -> None:
    """--seat S."""
    parser.add_argument("--seat", type=whole, help="show only what this seat (from 0) knew")


BAR_DELAY = 1.0
"""Seconds before a progress bar shows: what is done sooner needs none."""


class Corpus:
    """The records of some paths, and a bar that tells how many bytes of them have been read.

    The bar is for a terminal alone, on stderr: what is piped stays clean.
    """

    def __init__(self, name: str, paths: Sequence[str], quiet: bool = False) -> None:
        """Raises `ReadError` for a path that there is no reading."""
        require(paths)
        self._paths, self._meter, self._passed = paths, Meter(paths), 0
        known = {"unit": "B", "unit_scale": True} if self._meter.total else {"unit": " records"}
        self.bar = tqdm(desc=name, total=self._meter.total or None, delay=BAR_DELAY, leave=False,
                        disable=quiet or not sys.stderr.isatty(), **known)  # fmt: skip

    def __enter__(self) -> Corpus:
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.close()

    @property
    def items(self) -> Iterator[Item]:
        """The texts, as of `files.texts`. Raises `ReadError` at the end when there was none at all."""
        found = False
        for item in texts(self._paths, meter=self._meter):
            found = True
            yield item
        if not found:
            names = ", ".join(STANDARD_INPUT if path == STDIN else path for path in self._paths)
            raise ReplayError(f"{names}: there is no record here")

    def passed(self) -> None:
        """One more is done."""
        self._passed += 1
        if self._meter.total:
            self.bar.set_postfix_str(f"{self._passed} records", refresh=False)
            self.bar.update(self._meter.done - self.bar.n)
        else:
            self.bar.update()


class Passing(Replay):
    """A replay that tells whenever a ply is passed, in order or again."""

    def __init__(self, replay: Replay, passed: Callable[[], object]) -> None:
        self.__dict__.update(replay.__dict__)
        self._passed = passed

    def steps(self, first: int = 1, last: int | None = None) -> Iterator[Step]:
        """As of `Replay`."""
        for step in super().steps(first, last):
            self._passed()
            yield step


def spread(
    work: Callable[[Item], Answer],
    items: Iterator[Item],
    args: argparse.Namespace,
    alone: Callable[[Item], Answer] | None = None,
) -> Iterator[Answer]:
    """Yield what `work`, a function of a module, makes of each item, in order: of several as --jobs and --cluster say,
    of a single one here, by `alone` where that is given. Raises `ReplayError` where no cluster answers."""
    first = list(islice(items, 2))
    if len(first) < 2 and args.cluster is None:
        yield from map(alone or work, first)
        return
    try:
        with pools.workers(args.jobs or available_cores(), args.cluster) as (pool, number):
            yield from pools.in_order(work, chain(first, items), pool, number)
    except pools.NoClusterError as error:
        raise ReplayError(str(error)) from error


@contextmanager
def watched(name: str, replay: Replay, times: int) -> Iterator[Replay]:
    """The replay, and a bar as of `Corpus` that tells how far it is while each of its plies is passed `times` times."""
    with tqdm(desc=name, total=times * replay.plies, unit=" plies", delay=BAR_DELAY, leave=False,
              disable=not sys.stderr.isatty()) as bar:  # fmt: skip
        yield Passing(replay, bar.update)


def positive(text: str) -> int:
    """A whole number from 1 on."""
    number = whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def whole(text: str) -> int:
    """A whole number from 0 on."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a whole number")
    return int(text)


def load(path: str, seat: int | None = None) -> Replay:
    """The replay of the one record that `path` names, verified. Raises `ReplayError`."""
    source, record = reading.one(path)
    reading.verified(source, record)
    if seat is not None and seat >= len(record.players):
        raise ReplayError(f"{source}: has the seats 0 to {len(record.players) - 1}, there is no seat {seat}")
    return Replay(record)


def require_ply(replay: Replay, ply: int | None) -> int:
    """`ply`, the last one when None. Raises `ReplayError` when the record has no such ply."""
    if ply is None:
        return replay.plies
    if ply > replay.plies:
        raise ReplayError(f"the record has the plies 0 to {replay.plies}, there is no ply {ply}")
    return ply


@contextmanager
def refusing(source: Source) -> Iterator[None]:
    """Turn a `RecordError` inside into one that names the file."""
    try:
        yield
    except RecordError as error:
        raise ReadError(source, error.message, error.ply) from error


@contextmanager
def output(target: str | None) -> Iterator[IO[bytes]]:
    """Where a command writes bytes: a file that takes its name only when complete, or standard output."""
    if target in (None, "-"):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    half = Path(f"{target}.part")
    try:
        with half.open("wb") as file:
            yield file
        half.replace(str(target))
    finally:
        half.unlink(missing_ok=True)


def wrapped(text: str) -> list[str]:
    """Text in lines for a terminal, below a line that begins with two spaces."""
    return wrap(text, 98, initial_indent="    ", subsequent_indent="      ")


def printable(text: str) -> str:
    """Text from a file as it may go to a terminal: control characters, which could command it, are shown instead."""
    return "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in text)
