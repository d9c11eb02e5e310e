"""The files of the golden games: batches of records, one JSON text a line, packed with gzip."""

import gzip
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from server.engine import record
from server.engine.record import Record
from server.engine.ulm1.state import State
from tests.golden import features

FOLDER = Path(__file__).parent
PATTERN = "batch-*.jsonl.gz"
TRACE = "trace"  # the key of a golden record that pins the digest of every ply


def batches() -> list[Path]:
    """Return the batch files in the order of their making."""
    return sorted(FOLDER.glob(PATTERN))


def read(path: Path) -> list[Record]:
    """Return the records of one batch. Raises `RecordError` for a line that is no record."""
    return [record.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def write(path: Path, records: Iterable[Record]) -> None:
    """Write a new batch. Raises `FileExistsError` when there is one: golden games are never made anew."""
    text = "".join(record.dumps(each) + "\n" for each in records)
    with path.open("xb") as file:
        file.write(gzip.compress(text.encode(), mtime=0))


def trace(digests: Iterable[str]) -> str:
    """Return what pins the digests of all plies in 64 characters: the SHA-256 of their texts in a row."""
    return sha256("".join(digests).encode("ascii")).hexdigest()


class Whole(NamedTuple):
    """A golden game replayed: its last state, the trace of its digests, and the features that it shows."""

    last: State
    trace: str
    features: frozenset[str]


def replay(game: Record) -> Whole:
    """Play a record from its seed, each move checked. Raises `RecordError` at the first illegal move."""
    found: set[str] = set()
    states: list[State] = []
    digests: list[str] = []
    for step, (move, seat) in zip(record.replay(game), _moves(game), strict=True):
        if move:
            found |= features.of_step(states[-1], seat, tuple(move.split()), step.events, step.state)
        states.append(step.state)
        digests.append(step.state.digest())
    found |= features.of_game(states[-1])
    return Whole(states[-1], trace(digests), frozenset(found))


def _moves(game: Record) -> Iterator[tuple[str, int]]:
    yield "", -1  # ply 0
    for entry in game.moves:
        yield entry.text, entry.seat
