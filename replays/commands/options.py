"""What a command is, the arguments that several share, and what they make of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from typing import IO, Any, NamedTuple, Never, cast

from tqdm import tqdm

from replays import reading
from replays.files import STANDARD_INPUT, STDIN, Item, ReadError, ReplayError, printable, require, texts
from server.engine.game import Game

Add = Callable[[Any], object]
"""Adds an argument to a parser."""
Run = Callable[[argparse.Namespace], int | None]


class Command(NamedTuple):
    """One command: its name, what the help says of it, its arguments, and what it does (an exit code; None is 0)."""

    name: str
    about: str
    arguments: tuple[Add, ...]
    run: Run


def command(name: str, about: str, *arguments: Add) -> Callable[[Run], Command]:
    """Make a command of the function below."""
    return lambda run: Command(name, about, arguments, run)


def argument(*names: str, **how: Any) -> Add:  # noqa: ANN401 - as argparse has it
    """An argument of a command, as argparse wants it."""
    return lambda parser: parser.add_argument(*names, **how)


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


PATHS = argument("paths", nargs="+", metavar="PATH", help="files, directories, streams of records, or -")
FILE = argument("file", metavar="FILE", help="a record, or one line of a stream: games.jsonl:17")
JOBS = argument("-j", "--jobs", type=positive, help="how many processes (default: one for each core)")
QUIET = argument("-q", "--quiet", action="store_true", help="no summary, no progress bar")
OUTPUT = argument("-o", "--output", metavar="OUT", help="where to write (default: standard output)")
SEAT = argument("--seat", type=whole, help="show only what this seat (from 0) knew")
BAR_DELAY = 1.0
"""Seconds before a progress bar shows: what is done sooner needs none."""


def json_lines(each: str) -> Add:
    """--json, for an object for each `each`."""
    return argument("--json", action="store_true", help=f"one JSON object for each {each} on a line")


def progress(name: str, unit: str, total: int | None = None, quiet: bool = False) -> tqdm[Never]:
    """A bar for a terminal alone, on stderr: what is piped stays clean."""
    hidden = quiet or not sys.stderr.isatty()
    return tqdm(desc=name, total=total, unit=unit, delay=BAR_DELAY, leave=False, disable=hidden)


class Corpus:
    """The records of some paths, and a bar that counts them, or their plies where each takes long: of these it is known
    beforehand how many there are, so that the bar tells the time that is left."""

    def __init__(self, name: str, paths: Sequence[str], quiet: bool = False, plies: bool = False) -> None:
        """Raises `ReadError` for a path that there is no reading."""
        require(paths)
        self._paths = paths
        self._bar = progress(name, " plies" if plies else " records", quiet=quiet)
        if plies and not self._bar.disable and STDIN not in paths:
            self._bar.reset(sum(map(_plies, texts(paths))))

    def __enter__(self) -> Corpus:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    @property
    def items(self) -> Iterator[Item]:
        """The texts, as of `files.texts`. Raises `ReplayError` at the end when there was none at all."""
        found = False
        for item in texts(self._paths):
            found = True
            yield item
        if not found:
            names = ", ".join(STANDARD_INPUT if path == STDIN else path for path in self._paths)
            raise ReplayError(f"{names}: there is no record here")

    def passed(self, steps: int = 1) -> None:
        """One more is done, or so many."""
        self._bar.update(steps)

    def say(self, text: str, error: bool = False) -> None:
        """Print a line beside the bar."""
        with self._bar.external_write_mode(sys.stdout):
            print(text, file=sys.stderr if error else sys.stdout)


def _plies(item: Item) -> int:
    """How many plies there are in the record of a finished game."""
    try:
        record = reading.parse(item)
    except ReadError:
        return 0
    return len(record.moves) if record.result is not None else 0


def load(path: str, seat: int | None = None) -> Game:
    """The game of the one record that `path` names, verified. Raises `ReplayError`."""
    source, record = reading.one(path)
    reading.verified(source, record)
    if seat is not None and seat >= len(record.players):
        raise ReplayError(f"{source}: has the seats 0 to {len(record.players) - 1}, there is no seat {seat}")
    return Game(record)


def require_ply(game: Game, ply: int | None) -> int:
    """`ply`, the last one when None. Raises `ReplayError` when the record has no such ply."""
    if ply is not None and ply > game.plies:
        raise ReplayError(f"the record has the plies 0 to {game.plies}, there is no ply {ply}")
    return game.plies if ply is None else ply


@contextmanager
def output(target: str | None, *endings: str) -> Iterator[IO[bytes]]:
    """Where a command writes bytes: a file that takes its name only when complete, or standard output. Raises
    `ReplayError` for a name with an ending that is none of `endings`, where there are such."""
    if target in (None, "-"):
        yield cast("IO[bytes]", _Terminal()) if sys.stdout.isatty() else sys.stdout.buffer
        sys.stdout.flush()
        sys.stdout.buffer.flush()
        return
    suffix = Path(str(target)).suffix.lower()
    if endings and suffix and suffix not in endings:
        raise ReplayError(f"{target}: this command writes no {suffix}, but {' or '.join(endings)}")
    half = Path(f"{target}.part")
    try:
        with half.open("wb") as file:
            yield file
        half.replace(str(target))
    finally:
        half.unlink(missing_ok=True)


class _Terminal:
    """Standard output where it is a terminal: names in a record must not command it."""

    def write(self, data: bytes) -> int:
        return sys.stdout.write(printable(data.decode("utf-8", "backslashreplace")))

    def writelines(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self.write(line)


def wrapped(text: str) -> list[str]:
    """Text in lines for a terminal, below a line that begins with two spaces."""
    return wrap(text, 98, initial_indent="    ", subsequent_indent="      ")
