"""The master: weighs the journeyman's best moves by playing on, until its own next turn has ended.

Each move is tried in the same positions, dealt anew, and with the same chance from there; the others are taken to plan
their turns as the journeyman does, with a shorter look. What is asked at the end is the chance to win. Moves that fall
behind by more than luck explains are given up, and the thought ends when nothing is left to be found out. It decides
by counts alone; `seconds` only stop it earlier.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from bots.determinise import Worlds
from bots.features import turns_left
from bots.journeyman import Effort, obvious, ranked
from bots.search import NEVER, Searcher, key, whole_turn
from bots.sight import Sight
from bots.value import Value, shipped
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import END


class Foresight(NamedTuple):
    """How much is played on before a decision."""

    moves: int = 8  # that are weighed
    tries: int = 400  # at most, of all moves together, in a game of two; of four half as many, each twice as long
    ahead: int = 1  # own turns that are played on
    width: int = 3  # of the look at each turn that is played on
    limit: int = 45  # positions that such a look takes, about
    gap: float = 8.0  # points by which a move may promise less and still be weighed
    prior: float = 8.0  # tries that the chance before playing on counts for
    sure: float = 2.2  # standard errors by which a move that is given up lies behind


USUAL, WIDE = Foresight(), Effort(worlds=3, width=3, limit=60, first=12, keep=8)
LEAST, EVERY = 8, 4
"""So many tries come before any move is given up, and between two looks at that."""
ALIKE = 0.008
"""A move that can only be better by such a chance is not worth more thought."""
SPREAD = (2.1, 2.8, 3.8, 4.5, 5.2, 5.6, 5.9, 6.2, 6.4, 6.7, 6.9)
"""By how many points a seat ends otherwise than expected, by its turns to come: what the weights do not explain of the
margins in games of two, a deviation over the root of two."""
LUCK = (-1.15, -0.32, 0.32, 1.15)
"""Four fortunes that are equally likely, in such deviations."""
POINT = 0.002
"""What a point is worth beside the chance to win, so that it counts in games that are lost or won, too."""


class Master:
    """A player of one seat."""

    def __init__(
        self,
        foresight: Foresight = USUAL,
        effort: Effort = WIDE,
        learned: Callable[[int], Value] = shipped,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.foresight, self.effort, self.learned, self.clock = foresight, effort, learned, clock

    def choose(self, sight: Sight, rng: random.Random) -> Move:
        """See `sight.Bot`."""
        forced = obvious(sight)
        if forced is not None:
            return forced
        stop = None if sight.seconds is None else self.clock() + sight.seconds
        worlds = Worlds(sight)
        value = self.learned(len(sight.view["players"]))
        promised = ranked(worlds, sight.legal, value, self.effort, rng)
        weighed = self.worth_a_try(promised, worlds.one(rng), worlds.seat, value)
        if len(weighed) < 2:
            return promised[0][1]
        return self._weigh(worlds, weighed, value, rng, stop)

    def worth_a_try(
        self, promised: Sequence[tuple[float, Move]], world: State, me: int, value: Value
    ) -> dict[Move, float]:
        """Return the moves to be weighed, with what they promise: those that lead to turns that end differently."""
        least, seen, found = max(NEVER, promised[0][0] - self.foresight.gap), set[object](), dict[Move, float]()
        for worth, move in promised:
            if worth <= least or len(found) == self.foresight.moves:
                break
            child = world.copy()
            child.rules.advance(child, move, [])
            if child.active == me and child.phase not in ("draw", "keep"):
                end = key(Searcher(value, child, me).finish(child, self.effort.width, self.effort.limit)[1], me)
                if end in seen:
                    continue
                seen.add(end)
            found[move] = worth
        return found

    def _weigh(
        self, worlds: Worlds, promised: dict[Move, float], value: Value, rng: random.Random, stop: float | None
    ) -> Move:
        """Return the move that does best when it is played on."""
        me, fore, start = worlds.seat, self.foresight, worlds.masked
        came: dict[Move, list[float]] = {move: [] for move in promised}
        hoped = dict.fromkeys(promised, 0.0)
        left, tries, spent, most = list(promised), 0, 0, fore.tries * 2 // len(start.players)

        def worth(move: Move) -> float:
            return (sum(came[move]) + fore.prior * hoped[move] / max(1, tries)) / (tries + fore.prior)

        while len(left) > 1 and (spent + len(left) <= most or not tries):
            if stop is not None and self.clock() > stop:
                break
            world, chance = worlds.one(rng), rng.randbytes(32)
            for move in left:
                first, last = self._chances(world, me, move, value, chance)
                hoped[move] += first
                came[move].append(last)
            tries, spent = tries + 1, spent + len(left)
            if tries >= LEAST and tries % EVERY == 0:
                left.sort(key=worth, reverse=True)
                best = left[0]
                left[1:] = [
                    move
                    for move in left[1:]
                    if worth(move) + fore.sure * error(came[best], came[move], fore.prior) > worth(best) + ALIKE
                ]
        return max(left, key=worth)

    def _chances(self, world: State, me: int, move: Move, value: Value, chance: bytes) -> tuple[float, float]:
        """Return the chance to win after the turn of a move, and the one that comes of it after own turns more."""
        after = played_on(world, me, move, value, chance, self.foresight)
        found = [chance_to_win(state, me, value) for state in islice(after, self.foresight.ahead + 1)]
        return found[0], found[-1]


def played_on(
    world: State, me: int, move: Move, value: Value, chance: bytes, foresight: Foresight = USUAL
) -> Iterator[State]:
    """Yield the positions that come of a move: after the turn of `me`, after each next one, and at the end. Each is
    used up when the next is asked for."""
    state, width, limit = world.copy(), foresight.width, foresight.limit
    rules = state.rules
    rules.advance(state, move, [])
    if state.active == me and state.phase not in ("draw", "keep"):
        state = Searcher(value, state, me).finish(state, width, limit)[1]
        rules.advance(state, END, [])
    elif state.active == me:
        state = whole_turn(state, value, width, limit)
    state.seed, state.chance = chance, 0
    yield state
    while state.active is not None:
        own = state.active == me
        state = whole_turn(state, value, width, limit)
        if own or state.active is None:
            yield state


def chance_to_win(state: State, me: int, value: Value) -> float:
    """Return the chance of `me` to win, between two turns or at the end, and a little for points."""
    rivals = [seat for seat, player in enumerate(state.players) if seat != me and not player.resigned]
    if not rivals:
        return 1.0
    if state.scores is not None:
        ranks = [score["rank"] for score in state.scores]
        won = 1 / ranks.count(1) if ranks[me] == 1 else 0.0
        return won + POINT * (state.scores[me]["total"] - max([state.scores[seat]["total"] for seat in rivals]))
    mine, own = value.prospects(state, me, True), SPREAD[turns_left(state, me)]
    theirs = [(value.prospects(state, seat, False), SPREAD[turns_left(state, seat)]) for seat in rivals]
    chance = 0.0
    for luck in LUCK:
        alone = 1.0
        for points, spread in theirs:
            alone /= 1 + math.exp(min(50.0, 1.7 * (points - mine - luck * own) / spread))
        chance += alone / len(LUCK)
    return chance + POINT * (mine - max([points for points, _ in theirs]))


def error(one: Sequence[float], other: Sequence[float], more: float) -> float:
    """Return the standard error of the mean difference of two moves in the same tries, and so many `more`."""
    apart = [a - b for a, b in zip(one, other, strict=True)]
    mean = sum(apart) / len(apart)
    variance = sum([(each - mean) ** 2 for each in apart]) / max(1, len(apart) - 1)
    return math.sqrt(variance / (len(apart) + more))
