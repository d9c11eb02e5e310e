"""Places in a tournament, from its games alone, by one rule (docs/contests.md).

Points come from one's own table, duplicate points from those who held the same seat of the same deal at others.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple, TypeVar

from replays.files import Item, ReadError
from replays.pairing import Table
from replays.reading import parse, verified
from server.board.measure import cut, pad
from server.engine.canonical import Json
from server.engine.errors import RecordError
from server.engine.ulm1.state import State

TOURNAMENT = "tournament"
"""The key of a record that says of which tournament it is: `{"id", "kind", "round", "entrants": [numbers by seat]}`;
null is a bot that filled a table."""
GONE, ALONE = -math.inf, math.inf
"""What stands for the points of who resigned, and in a game that ended because nobody else was left."""
T = TypeVar("T")


class Sat(NamedTuple):
    """What came of a seat."""

    entrant: int | str | None
    total: int
    rank: int
    resigned: bool


class Played(NamedTuple):
    """A game that is over: the round, which deal it was of, and what came of each seat."""

    round: int
    deal: str
    seats: Sequence[Sat]


class Measure(NamedTuple):
    """By what places are given: each where all before are equal."""

    points: int = 0
    duplicate: int = 0
    margin: int = 0


class Line(NamedTuple):
    """A line of the table. Of a knock-out `measure` is that of the last round that the entrant was in."""

    place: int
    entrant: int | str
    measure: Measure
    rounds: int  # the last one that the entrant was in


def seats_of(state: State, entrants: Sequence[int | str | None]) -> list[Sat]:
    """What came of each seat of a game that is over."""
    if state.scores is None:
        raise ValueError("the game is not over")
    return [
        Sat(entrant, score["total"], score["rank"], player.resigned)
        for entrant, score, player in zip(entrants, state.scores, state.players, strict=True)
    ]


def standings(games: Iterable[Played], knock_out: bool = False, entrants: Iterable[int | str] = ()) -> list[Line]:
    """The table, the best first; who is equal in all shares a place, by number. `entrants`: who is in it in any case.
    In a knock-out whoever came further is before all others."""
    games = list(games)
    rounds: defaultdict[int | str, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    held: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    for game in games:
        for number, sat in enumerate(game.seats):
            held[game.deal, number].append(_compared_by(game, sat))
    for at_all_tables in held.values():
        at_all_tables.sort()
    for game in games:
        for number, sat in enumerate(game.seats):
            if sat.entrant is None:
                continue
            others = [*game.seats[:number], *game.seats[number + 1 :]]
            own, sums = _compared_by(game, sat), rounds[sat.entrant][game.round]
            sums[0] += sum((other.rank > sat.rank) + (other.rank >= sat.rank) for other in others)
            sums[1] += _duplicate(own, held[game.deal, number])
            if math.isfinite(own):
                sums[2] += sum(sat.total - other.total for other in others if not other.resigned)
    found = []
    for entrant in sorted({*rounds, *entrants}, key=lambda one: (isinstance(one, str), one)):
        each = rounds[entrant]
        last = max(each, default=0)
        counted = [each[last]] if knock_out and each else list(each.values())
        measure = Measure(*map(sum, zip(*counted, strict=True)))
        found.append(((last if knock_out else 0, measure), Line(0, entrant, measure, last)))
    found.sort(key=lambda one: one[0], reverse=True)  # stable: by number where all is equal
    keys = [key for key, _line in found]
    return [line._replace(place=keys.index(key) + 1) for key, line in found]


def _compared_by(game: Played, sat: Sat) -> float:
    """By what a seat is compared with the same seat of the same deal at other tables."""
    alone = sum(not one.resigned for one in game.seats) < 2
    return GONE if sat.resigned else ALONE if alone else sat.total


def _duplicate(own: float, at_all_tables: Sequence[float]) -> int:
    """2 for each whom a seat is compared with and who is behind it, 1 for each who is level. `at_all_tables` is in
    order, and the seat is among them: both bisections count who is behind, one of them who is level."""
    if own == ALONE:
        return len(at_all_tables) - 1 + bisect_right(at_all_tables, GONE)
    alone = 0 if own == GONE else len(at_all_tables) - bisect_left(at_all_tables, ALONE)
    return bisect_left(at_all_tables, own) + bisect_right(at_all_tables, own) - 1 + alone


def going_on(order: Sequence[int], tables: Sequence[Table], seats: int) -> list[int]:
    """Who plays in the next round of a knock-out: the best of each table, and, where these do not fill tables, the next
    of all; none behind the last one. `order`: the table of places, `tables`: those of the round that is over."""
    if len(tables) < 2:
        return []
    best = {next(one for one in order if one in table) for table in tables}
    others = [one for one in order if one not in best and any(one in table for table in tables)]
    on = best.union(others[: -len(tables) % seats])
    return [one for one in order if one in on]


def next_season(divisions: Sequence[Sequence[T]], size: int) -> list[list[T]]:
    """The divisions of a league's next season from those of the last, the highest first, each the best first. A quarter
    of a division (one at least, half at most) change places with as many of the next; then all are cut in order into
    divisions of `size`, the last of which has half of that at least."""
    found = [list(one) for one in divisions]
    for upper, lower in pairwise(found):
        moved = min(max(1, len(upper) // 4), len(upper) // 2, len(lower) // 2)
        stay = len(upper) - moved
        upper[stay:], lower[:moved] = lower[:moved], upper[stay:]
    order = [*chain(*found)]
    last = max(0, (len(order) + size // 2) // size - 1)
    return [*(order[size * at : size * (at + 1)] for at in range(last)), order[size * last :]]


def printed(lines: Iterable[tuple[int, str, Measure]]) -> Iterator[str]:
    """The table for a terminal, of places, names and measures."""
    yield " " * 31 + "".join(f"{measure:>11}" for measure in Measure._fields)
    for place, name, measure in lines:
        yield f"{place:>3}  {pad(cut(name, 26), 26)}{''.join(f'{one:>11}' for one in measure)}"


class Told(NamedTuple):
    """What a record tells: of which tournament it is, the game where it was played to an end, and the entrants' names.
    A record of none counts as of a single round of those who are named in it."""

    id: str
    tournament: tuple[str, str]  # id and kind
    played: Played | None
    names: dict[int | str, str]


def told_by(item: Item) -> Told | str:
    """What one text tells, or what is wrong with it; for `checking.in_parallel`."""
    try:
        record = parse(item)
        last = verified(item.source, record)
        tag = record.extra.get(TOURNAMENT)
        named = [player["name"] for player in record.players]
        found = _checked({"id": "", "kind": "", "round": 1, "entrants": named} if tag is None else tag, len(named))
    except ReadError as error:
        return str(error)
    except RecordError as error:
        return f"{item.source}: {error}"
    entrants, deal = found["entrants"], (record.first_state().seed or b"").hex()
    played = None if last.scores is None else Played(found["round"], deal, seats_of(last, entrants))
    names = {one: name for one, name in zip(entrants, named, strict=True) if one is not None}
    return Told(record.id, (found["id"], found["kind"]), played, names)


def _checked(tag: Json, seats: int) -> dict[str, Json]:
    """What a tournament says of its game. Raises `RecordError`."""
    match tag:
        case {"id": str(), "kind": str(), "round": int(), "entrants": [*entrants]}:
            if len(entrants) == seats and all(one is None or isinstance(one, (int, str)) for one in entrants):
                return dict(tag)
    raise RecordError(0, f"`{TOURNAMENT}` is not what a tournament says of its games")
