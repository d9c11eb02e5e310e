"""The journeyman: plans its turn to the end, in a few positions as they may be, by what has been learned.

Every legal move is followed to the end of the turn; the better half of them is looked at again in another position
that may be the true one, and wider, and so on. It decides by counts alone, never by the clock.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bots.determinise import Worlds
from bots.search import NEVER, Searcher
from bots.sight import Sight
from bots.value import Value, shipped
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW, MONEY


class Effort(NamedTuple):
    """How much is looked at before a decision."""

    worlds: int = 3  # positions that may be the true one
    width: int = 2  # of the first look; each further one is wider by one
    limit: int = 60  # positions looked at behind each move, until the beam is narrowed to one
    first: int = 6  # moves that come to the first look
    keep: int = 2  # moves that are looked at in every position


class Journeyman:
    """A player of one seat."""

    def __init__(self, effort: Effort = Effort(), learned: Callable[[int], Value] = shipped) -> None:  # noqa: B008
        self.effort = effort
        self.learned = learned

    def choose(self, sight: Sight, rng: random.Random) -> Move:
        """See `sight.Bot`."""
        forced = obvious(sight)
        if forced is not None:
            return forced
        worlds = Worlds(sight)
        value = self.learned(len(sight.view["players"]))
        return ranked(worlds, sight.legal, value, self.effort, rng)[0][1]


def obvious(sight: Sight) -> Move | None:
    """Return the move that needs no thought, if there is one."""
    legal = sight.legal
    if len(legal) == 1:
        return legal[0]
    if MONEY in legal:
        return MONEY
    if DRAW in legal and not any(_picks(rulesets.rules_for(sight.view["ruleset"]), move) for move in legal):
        return DRAW
    return None


def _picks(rules: Rules, move: Move) -> bool:
    """Say whether a move takes the tile of the turn out of the bag, or plays a card that allows it (B11, V11)."""
    return move[0] == "pick" or (move[0] == "play" and rules.top_has(move[1], ("bag",)))


def ranked(
    worlds: Worlds,
    legal: Sequence[Move],
    value: Value,
    effort: Effort,
    rng: random.Random,
) -> list[tuple[float, Move]]:
    """Return moves with the margins that they promise, the best first; those given up early are at the end."""
    left = [move for move in legal if move[0] != "exchange"] or list(legal)
    if left[0][0] == "draw" or left[0][0] == "pick":
        left = [move for move in left if move == DRAW or _picks(worlds.masked.rules, move)]
    sums = dict.fromkeys(left, 0.0)
    given_up: list[Move] = []
    for number in range(effort.worlds):
        world = worlds.one(rng)
        searcher = Searcher(value, world, worlds.seat)
        if number == 0 and len(left) > effort.first:
            left, late = sifted(world, searcher, left, effort.first)
            given_up = late + given_up
        for move in left:
            sums[move] += explore(world, searcher, move, effort.width + number, effort.limit)
        left.sort(key=sums.__getitem__, reverse=True)
        if number + 1 < effort.worlds and len(left) > effort.keep:
            keep = max(effort.keep, (len(left) + 1) // 2)
            given_up = left[keep:] + given_up
            del left[keep:]
    return [(sums[move] / effort.worlds, move) for move in left] + [(NEVER, move) for move in given_up]


def explore(world: State, searcher: Searcher, move: Move, width: int, limit: int) -> float:
    """Return the best margin that the turn can come to after a move."""
    child = world.copy()
    child.rules.advance(child, move, [])
    if child.active == searcher.me and child.phase == "keep":
        answers = child.rules.legal_moves(child)
        return max([explore(child, searcher, answer, width, limit) for answer in answers])
    return searcher.best(child, width, limit)


def sifted(world: State, searcher: Searcher, moves: list[Move], number: int) -> tuple[list[Move], list[Move]]:
    """Part moves by a first glance into so many that are looked at, and the others, the best first in each."""
    seen: list[tuple[float, int]] = []
    for index, move in enumerate(moves):
        child = world.copy()
        child.rules.advance(child, move, [])
        here = child.active == searcher.me and child.phase not in ("draw", "over")
        seen.append((-(searcher.glance(child) if here else searcher.after(child)), index))
    seen.sort()
    order = [moves[index] for _, index in seen]
    return order[:number], order[number:]
