"""Who meets whom in a round of a tournament, and on which seat (docs/contests.md): the same for the same rounds before.

Entrants are numbers. Seats that they do not fill are those of bots of the house, None here: nobody sits out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, combinations, permutations, product
from typing import Literal, get_args

Kind = Literal["round-robin", "swiss", "knock-out"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Table = tuple[int | None, ...]
"""Entrants by seat."""
Cost = Callable[[int | None, int | None], int]
"""What it costs that two sit at a table."""


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
    if kind == "round-robin":
        order = sorted(order)
    if kind == "knock-out":
        tables = _folded(order, seats)
    elif kind == "round-robin" and seats == 2:
        tables = _circle(order, len(played))
    else:
        tables = _swapped(_neighbours(order, seats), _cost_of_meeting(order, seats, played))
    sat: Counter[tuple[int | None, int]] = Counter(
        (one, seat) for table in chain(*played) for seat, one in enumerate(table) if one is not None
    )
    return [
        min(permutations(table), key=lambda way: sum(sat[one, at] for at, one in enumerate(way))) for table in tables
    ]


def _cost_of_meeting(order: Sequence[int], seats: int, played: Sequence[Sequence[Table]]) -> Cost:
    """What it costs that two sit at a table: first of all how often they have met, then how far they are apart in
    `order`. Bots that fill tables keep away from each other, and from whom they have met."""
    met = Counter(frozenset(two) for table in chain(*played) for two in combinations(table, 2))
    apart = len(order) ** 2 * len(order) * seats  # more than all distances together
    place: dict[int | None, int] = {None: len(order), **{one: number for number, one in enumerate(order)}}

    def cost(one: int | None, other: int | None) -> int:
        rematches = len(played) + 1 if one is other is None else met[frozenset((one, other))]
        return apart * rematches + (place[one] - place[other]) ** 2

    return cost


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


def _swapped(tables: list[list[int | None]], cost: Cost) -> list[list[int | None]]:
    """Let two of different tables change places as long as that makes all cheaper.

    At tables of two where each has met fewer than half of the others, no rematch is left: of all other tables one at
    least takes two who meet again apart (there are more of them than whom both have met can stand in the way of)."""

    def beside(one: int | None, table: list[int | None], seat: int) -> int:
        return sum(cost(one, other) for other in (*table[:seat], *table[seat + 1 :]))

    better = True
    while better:
        better = False
        for here, there in combinations(tables, 2):
            for i, j in product(range(len(here)), range(len(there))):
                now = beside(here[i], here, i) + beside(there[j], there, j)
                if beside(there[j], here, i) + beside(here[i], there, j) < now:
                    here[i], there[j] = there[j], here[i]
                    better = True
    return tables
