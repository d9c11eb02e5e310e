"""The master: weighs the journeyman's best moves by playing on, until its own next turn has ended.

Each move is tried in the same positions, dealt anew, and with the same chance from there; the others are taken to plan
their turns as the journeyman does, with a shorter look. The worse half is given up after a part of the tries. It
decides by counts alone; `seconds` only stop it earlier.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import NamedTuple

from bots.determinise import Worlds
from bots.journeyman import Effort, obvious, ranked
from bots.search import NEVER, Searcher, whole_turn
from bots.sight import Sight
from bots.value import Value, shipped
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import END


class Foresight(NamedTuple):
    """How much is played on before a decision."""

    moves: int = 4  # that are weighed
    tries: int = 24  # of the best ones; the worse half is given up after a third of them
    width: int = 3  # of the look at each turn that is played on
    limit: int = 45  # positions that such a look takes, about
    gap: float = 5.0  # points by which a move may promise less and still be weighed
    trust: float = 0.7  # in what came of playing on; the rest is in what the move promised


USUAL, WIDE = Foresight(), Effort(worlds=4, width=3, limit=100, first=10)


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
        forced = obvious(sight.legal)
        if forced is not None:
            return forced
        stop = None if sight.seconds is None else self.clock() + sight.seconds
        worlds = Worlds(sight)
        value = self.learned(len(sight.view["players"]))
        promised = ranked(worlds.one, worlds.seat, sight.legal, value, self.effort, rng)
        best = promised[0][0]
        weighed = [(worth, move) for worth, move in promised if worth > max(NEVER, best - self.foresight.gap)]
        if len(weighed) < 2:
            return promised[0][1]
        few = {move: worth for worth, move in weighed[: self.foresight.moves]}
        return self._weigh(worlds, few, value, rng, stop)

    def _weigh(
        self, worlds: Worlds, promised: dict[Move, float], value: Value, rng: random.Random, stop: float | None
    ) -> Move:
        """Return the move that does best when it is played on."""
        left, sums, tries = list(promised), dict.fromkeys(promised, 0.0), 0

        def worth(move: Move) -> float:
            trust = self.foresight.trust if tries else 0.0
            return trust * sums[move] / max(1, tries) + (1 - trust) * promised[move]

        while tries < self.foresight.tries and len(left) > 1:
            if stop is not None and self.clock() > stop:
                break
            world, chance = worlds.one(rng), rng.randbytes(32)
            for move in left:
                sums[move] += self.played_on(world, worlds.seat, move, value, chance)
            tries += 1
            if tries * 3 in (self.foresight.tries, self.foresight.tries * 2):
                left.sort(key=worth, reverse=True)
                del left[max(2, (len(left) + 1) // 2) :]
        return max(left, key=worth)

    def played_on(self, world: State, me: int, move: Move, value: Value, chance: bytes) -> float:
        """Return the margin that comes of a move in a position, expected after this seat's next turn."""
        state, width, limit = world.copy(), self.foresight.width, self.foresight.limit
        rules, turn = state.rules, (world.round, me)
        rules.advance(state, move, [])
        if state.phase in ("draw", "keep") and state.active == me:
            state = whole_turn(state, value, width, limit)
        elif state.active == me:
            state = Searcher(value, state, me).finish(state, width, limit)[1]
            rules.advance(state, END, [])
        state.seed, state.chance = chance, 0
        while state.active is not None:
            own = state.active == me and (state.round, me) != turn
            state = whole_turn(state, value, width, limit)
            if own:
                break
        return value.margin(state, me)
