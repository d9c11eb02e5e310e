"""The plain Monte-Carlo player, a reference: positions dealt anew, random playouts to the end, the best mean margin."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from bots.determinise import Worlds
from bots.sight import Sight
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State


class Flat:
    """Tries every legal move in turn and plays on at random. By `playouts` it can be repeated, by `seconds` not."""

    def __init__(
        self, seconds: float | None = None, playouts: int | None = None, clock: Callable[[], float] = time.thread_time
    ) -> None:
        if (seconds is None) == (playouts is None):
            raise ValueError("give seconds or playouts")
        self.seconds, self.playouts, self.clock = seconds, playouts, clock

    def choose(self, sight: Sight, rng: random.Random) -> Move:
        """See `sight.Bot`."""
        legal = sight.legal
        if len(legal) == 1:
            return legal[0]
        stop = None if self.seconds is None else self.clock() + self.seconds
        worlds = Worlds(sight)
        sums, rounds, played = [0.0] * len(legal), 0, 0
        while rounds == 0 or (self.clock() < stop if stop is not None else played < (self.playouts or 0)):
            world = worlds.one(rng)
            for index, move in enumerate(legal):
                after = world.copy()
                after.rules.advance(after, move, [])
                sums[index] += playout(after, worlds.seat, rng)
            played += len(legal)
            rounds += 1
        return legal[max(range(len(legal)), key=sums.__getitem__)]


def playout(state: State, seat: int, rng: random.Random) -> float:
    """Play `state` to its end at random, in place; return the points by which a seat is ahead of the best other."""
    rules, choose = state.rules, rng.choice
    while state.active is not None:
        rules.advance(state, choose(rules.legal_moves(state)), [])
    scores = state.scores or []
    others = [score["total"] for other, score in enumerate(scores) if other != seat]
    return float(scores[seat]["total"] - max(others))
