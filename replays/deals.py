"""The table of a deal: its first seats compared, by one rule (docs/contests.md) that takes nothing but results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from replays.files import Item, ReadError
from replays.reading import parse, verified
from server.engine.record import Record
from server.engine.ulm1.shapes import Result
from server.engine.ulm1.turn import END


class Standing(NamedTuple):
    """How the first seat of a game stands among those of the others. `margin` is how many points it has more than the
    best of the others at its table; `beaten` how much of the field it has beaten, in percent."""

    place: int
    points: int
    margin: int
    beaten: int


def standings(results: Sequence[Result]) -> list[Standing]:
    """The standings, in the order of the results: by points, then by margin; who is level in both shares the place.
    Beaten is who stands behind; who is level is half beaten."""
    keys = [_key(result) for result in results]
    level, others, ahead = Counter(keys), max(1, len(keys) - 1), 0
    found: dict[tuple[int, int], Standing] = {}
    for key in sorted(level, reverse=True):
        halves = 2 * (len(keys) - ahead - level[key]) + level[key] - 1
        found[key] = Standing(ahead + 1, *key, (100 * halves + others) // (2 * others))  # half a percent is rounded up
        ahead += level[key]
    return [found[key] for key in keys]


def _key(result: Result) -> tuple[int, int]:
    own, *others = [score["total"] for score in result["scores"]]
    return own, own - max(others)


def parting(one: Sequence[tuple[int, str]], other: Sequence[tuple[int, str]]) -> int | None:
    """The first ply at which two logs, pairs of seat and move, differ; None where one is the other to its end."""
    for ply, (here, there) in enumerate(zip(one, other, strict=False), 1):
        if here != there:
            return ply
    return None


class Played(NamedTuple):
    """What a table of records needs of one: whose it is, `deal` (what must be the same in all), and the result; None
    where it was resigned before as many turns ended as there are seats, which counts nowhere."""

    source: str
    id: str
    name: str
    deal: tuple[str, ...]
    result: Result | None


def played(item: Item) -> tuple[Played | None, str | None]:
    """A record that verifies, is of a finished game and has empty client seeds, as a deal's games have; else what is
    wrong with it."""
    try:
        record = parse(item)
        verified(item.source, record)
    except ReadError as error:
        return None, str(error)
    if record.result is None or any(record.client_seeds):
        why = "the game is not over" if record.result is None else "seats have given seeds: this is no game of a deal"
        return None, f"{item.source}: {why}"
    return Played(str(item.source), record.id, record.players[0]["name"], _deal(record), _counted(record)), None


def _deal(record: Record) -> tuple[str, ...]:
    options = ", ".join(f"{name} {str(value).lower()}" for name, value in sorted(record.options.items()))
    return record.server_seed.hex(), record.ruleset, options, f"{len(record.players)} seats"


def _counted(record: Record) -> Result | None:
    ended = sum(entry.read(record.rules) == END for entry in record.moves)
    return record.result if ended >= len(record.players) else None
