"""Arguments that several commands share, and what they make of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from replays import reading
from replays.errors import ReadError, ReplayError, Source
from replays.replay import Replay
from server.engine.errors import RecordError


def add_paths(parser: argparse.ArgumentParser) -> None:
    """PATH…: any number of records."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files, directories, streams of records, or -")


def add_file(parser: argparse.ArgumentParser) -> None:
    """FILE: one record."""
    parser.add_argument("file", metavar="FILE", help="a record, or one line of a stream: games.jsonl:17")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """--jobs N."""
    parser.add_argument("-j", "--jobs", type=positive, help="how many processes (default: one for each core)")


def add_output(parser: argparse.ArgumentParser, what: str = "where to write (default: standard output)") -> None:
    """-o OUT."""
    parser.add_argument("-o", "--output", metavar="OUT", help=what)


def add_seat(parser: argparse.ArgumentParser) -> None:
    """--seat S."""
    parser.add_argument("--seat", type=whole, help="show only what this seat (from 0) knew")


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


def printable(text: str) -> str:
    """Text from a file as it may go to a terminal: control characters, which could command it, are shown instead."""
    return "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in text)
