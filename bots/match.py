"""One game among bots, each shown what its seat may see."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bots.determinise import seed_of
from bots.sight import Bot, Sight
from server.engine import rulesets
from server.engine.ulm1.notation import Move
from server.engine.ulm1.shapes import Score
from server.engine.ulm1.state import State

MOVES_MOST = 5000


class Played(NamedTuple):
    """How a game went: the final scores, and what each seat took to think."""

    scores: list[Score]
    moves: list[int]
    seconds: list[float]
    slowest: list[float]


def play(
    bots: Sequence[Bot],
    seed: bytes,
    options: Mapping[str, bool],
    chances: Sequence[random.Random],
    watch: Callable[[State, int, Move], None] | None = None,
) -> Played:
    """Play a game of the seed to its end; bot and chance of each seat are given. `watch` sees each move before it.

    Raises `ValueError` when a bot answers with a move that is not legal.
    """
    rules = rulesets.NEWEST
    state = rules.new_game(seed, len(bots), options)
    moves, seconds, slowest = [0] * len(bots), [0.0] * len(bots), [0.0] * len(bots)
    logs: list[list[tuple[int, str]]] = [[] for _ in bots]
    for _ in range(MOVES_MOST):
        seat = state.active
        if seat is None:
            return Played(state.scores or [], moves, seconds, slowest)
        legal = rules.legal_moves(state)
        sight = Sight(rules.view(state, seat), legal, logs[seat])
        began = time.thread_time()
        move = bots[seat].choose(sight, chances[seat])
        took = time.thread_time() - began
        if move not in legal:
            raise ValueError(f"{move} is not legal")
        moves[seat] += 1
        seconds[seat] += took
        slowest[seat] = max(slowest[seat], took)
        if watch is not None:
            watch(state, seat, move)
        for viewer, log in enumerate(logs):
            log.append((seat, rules.log_entry(move, seat, viewer)))
        state = rules.apply(state, seat, move).state
    raise ValueError(f"no end after {MOVES_MOST} moves")


def chances_of(seats: int, *words: object) -> list[random.Random]:
    """Return a chance for each seat that follows from `words`."""
    return [random.Random(seed_of(*words, "seat", seat)) for seat in range(seats)]  # noqa: S311 - repeated
