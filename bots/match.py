"""One game among bots, each shown what its seat may see."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bots.determinise import seed_of
from bots.sight import Bot, Sight
from server.engine.game import Game, new_game
from server.engine.ulm1.notation import Move
from server.engine.ulm1.shapes import Score
from server.engine.ulm1.state import State

MOVES_MOST = 5000


class Match(NamedTuple):
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
) -> Match:
    """Play a game of the seed to its end; bot and chance of each seat are given. `watch` sees each move before it.
    Raises `ValueError` when a bot answers with a move that is not legal."""
    begun = new_game(["bot"] * len(bots), seed, options=options)
    game = Game(begun.record, first=begun.rules.new_game(seed, len(bots), options))  # dealt by the seed itself
    moves, seconds, slowest = [0] * len(bots), [0.0] * len(bots), [0.0] * len(bots)
    logs: list[list[tuple[int, str]]] = [[] for _ in bots]
    while (seat := game.active) is not None and game.plies < MOVES_MOST:
        sight = Sight(game.view(seat=seat), game.legal_moves(), logs[seat])
        began = time.thread_time()
        move = bots[seat].choose(sight, chances[seat])
        took = time.thread_time() - began
        moves[seat] += 1
        seconds[seat] += took
        slowest[seat] = max(slowest[seat], took)
        if watch is not None:
            watch(game.state(), seat, move)
        for viewer, log in enumerate(logs):
            log.append((seat, game.rules.log_entry(move, seat, viewer)))
        game.push(move)
    scores = game.state().scores
    if scores is None:
        raise ValueError(f"no end after {MOVES_MOST} moves")
    return Match(scores, moves, seconds, slowest)


def chances_of(seats: int, *words: object) -> list[random.Random]:
    """Return a chance for each seat that follows from `words`."""
    return [random.Random(seed_of(*words, "seat", seat)) for seat in range(seats)]  # noqa: S311 - repeated
