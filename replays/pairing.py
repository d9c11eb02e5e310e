"""Who meets whom in a round of a tournament, and on which seat (docs/contests.md): the same for the same rounds before.

Entrants are numbers. Seats that they do not fill are those of bots of the house, None here: nobody sits out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, combinations, permutations
from typing import Literal, get_args

Kind = Literal["round-robin", "swiss", "knock-out"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Table = tuple[int | None, ...]
"""Entrants by seat."""
STARTS = 6
"""From so many arrangements an even round of tables of three and four is looked for."""


def usual_rounds(kind: Kind, entrants: int, seats: int) -> int:
    """How many rounds there are where nobody says otherwise: of a knock-out until one table is left, of a round robin
    until all can have met, of a Swiss tournament as many as tell one best of all."""
    tables = -(-entrants // seats)
    if kind == "knock-out":
        rounds = 1
        while tables > 1:
            tables, rounds = -(-tables // seats), rounds + 1
        return rounds
    all_met = -(-(tables * seats - 1) // (seats - 1))
    return all_met if kind == "round-robin" else min(all_met, max(3, (entrants - 1).bit_length()))


def pair(kind: Kind, seats: int, order: Sequence[int], played: Sequence[Sequence[Table]]) -> list[Table]:
    """The tables of the next round. `order`: who plays, the best first; before the first round as they entered.
    `played`: the tables of the rounds before."""
    met = Counter(
        frozenset(two) for tables in played for table in tables for two in combinations(table, 2) if two != (None, None)
    )
    apart = len(order) ** 2 * len(order) * seats  # more than all distances together
    place: dict[int | None, int] = {None: len(order), **{one: number for number, one in enumerate(order)}}

    def rematches(one: int | None, other: int | None) -> int:
        return len(played) + 1 if one is other is None else met[frozenset((one, other))]

    def far_or_met(one: int | None, other: int | None) -> int:
        return apart * rematches(one, other) + (place[one] - place[other]) ** 2

    if kind == "knock-out":
        tables = _folded(order, seats)
    elif kind == "swiss":
        tables = _swapped(_neighbours(order, seats), far_or_met)[1]
    elif seats == 2:
        tables = _circle(sorted(order), len(played))
    else:
        all_of_them = sorted(order)
        starts = (all_of_them[first:] + all_of_them[:first] for first in range(min(STARTS, len(order))))
        found = (_swapped(_folded(start, seats), rematches) for start in starts)
        tables = min(found, key=lambda one: one[0])[1]
    sat: Counter[tuple[int | None, int]] = Counter(
        (one, seat) for table in chain(*played) for seat, one in enumerate(table) if one is not None
    )
    return [
        min(permutations(table), key=lambda way: sum(sat[one, at] for at, one in enumerate(way))) for table in tables
    ]


def _neighbours(order: Sequence[int], seats: int) -> list[list[int | None]]:
    """Tables of those who are next to each other, the larger ones first, filled up with bots."""
    number = -(-len(order) // seats)
    least, more = divmod(len(order), number)
    tables: list[list[int | None]] = []
    for table in range(number):
        first = table * least + min(table, more)
        there = order[first : first + least + (table < more)]
        tables.append([*there, *[None] * (seats - len(there))])
    return tables


def _folded(order: Sequence[int], seats: int) -> list[list[int | None]]:
    """Tables dealt out to and fro, so that the best meet last, filled up with bots."""
    number = -(-len(order) // seats)
    tables: list[list[int | None]] = [[] for _ in range(number)]
    for place, one in enumerate(order):
        line, at = divmod(place, number)
        tables[number - 1 - at if line % 2 else at].append(one)
    return [table + [None] * (seats - len(table)) for table in tables]


def _circle(order: Sequence[int], turned: int) -> list[list[int | None]]:
    """The round of that number of a round robin at tables of two: one stays, the others go round."""
    rest: list[int | None] = [*order[1:], *[None] * (len(order) % 2)]
    by = turned % len(rest)
    ring = [order[0], *rest[by:], *rest[:by]]
    return [[ring[at], ring[-1 - at]] for at in range(len(ring) // 2)]


def _swapped(
    tables: list[list[int | None]], cost: Callable[[int | None, int | None], int]
) -> tuple[int, list[list[int | None]]]:
    """Let two of different tables change places as long as that makes all cheaper; what it costs then, and the tables.

    At tables of two where each has met fewer than half of the others, no rematch is left: of all other tables one at
    least takes two who meet again apart (there are more of them than whom both have met can stand in the way of)."""

    def of(table: Sequence[int | None]) -> int:
        return sum(cost(one, other) for one, other in combinations(table, 2))

    tables = [list(table) for table in tables]
    costs = [of(table) for table in tables]
    better = True
    while better:
        better = False
        for one, other in combinations(range(len(tables)), 2):
            here, there = tables[one], tables[other]
            for i, j in ((i, j) for i in range(len(here)) for j in range(len(there))):
                here[i], there[j] = there[j], here[i]
                after = of(here), of(there)
                if sum(after) < costs[one] + costs[other]:
                    costs[one], costs[other] = after
                    better = True
                else:
                    here[i], there[j] = there[j], here[i]
    return sum(costs), tables
