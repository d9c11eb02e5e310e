"""The table of a deal: its first seats compared, by one rule (docs/contests.md) that takes nothing but results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from replays.files import ReadError
from replays.reading import Read
from replays.sandbox import BRANCH, Sandbox
from server.engine.record import Record
from server.engine.ulm1.shapes import Options
from server.engine.ulm1.turn import END


class Standing(NamedTuple):
    """How a first seat stands among those of the other games: `beaten` is how much of them has fewer points, in
    percent; who is level is half beaten, and shares the place."""

    place: int
    points: int
    beaten: int


def standings(points: Sequence[int]) -> list[Standing]:
    """The standings by the points of the first seats, in their order."""
    level, others, ahead = Counter(points), max(1, len(points) - 1), 0
    found: dict[int, Standing] = {}
    for own in sorted(level, reverse=True):
        halves = 2 * (len(points) - ahead - level[own]) + level[own] - 1
        found[own] = Standing(ahead + 1, own, (100 * halves + others) // (2 * others))  # half a percent is rounded up
        ahead += level[own]
    return [found[own] for own in points]


def parting(one: Sequence[tuple[int, str]], other: Sequence[tuple[int, str]]) -> int | None:
    """The first ply at which two logs, pairs of seat and move, differ; None where one is the other to its end."""
    both = enumerate(zip(one, other, strict=False), 1)
    return next((ply for ply, (here, there) in both if here != there), None)


def table(found: Iterable[Read]) -> list[tuple[Standing, Record]]:
    """The table of records that verify, the best first. Games that were resigned before as many turns ended as there
    are seats count nowhere. Raises `ReadError` for one that is of no deal, or not of that of the first."""
    games: dict[str, Record] = {}
    for source, record in found:
        first = next(iter(games.values()), record)
        fits = record.result is not None and not any(record.client_seeds) and _dealt(record) == _dealt(first)
        if not fits or isinstance(record, Sandbox) or BRANCH in record.extra:
            raise ReadError(source, "this is no game that was played to its end, of the same deal as the first")
        games[record.id] = record
    counted = [record for record in games.values() if _turns(record) >= len(record.players)]
    points = [record.result["scores"][0]["total"] for record in counted if record.result is not None]
    return sorted(zip(standings(points), counted, strict=True), key=lambda one: one[0].place)


def _dealt(record: Record) -> tuple[bytes, str, Options, int]:
    """What is the same in all games of a deal."""
    return record.server_seed, record.ruleset, record.options, len(record.players)


def _turns(record: Record) -> int:
    return sum(entry.read(record.rules) == END for entry in record.moves)
