"""Positions to draw: random games that end their turns late, so that much happens in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from random import Random

from server.engine.ulm1 import game
from server.engine.ulm1.rules import RULES
from server.engine.ulm1.state import State


def play(seed: int, players: int, tower: bool) -> Iterator[State]:
    """Every state of a random game from its seed."""
    random = Random(seed)
    state = RULES.new_game(sha256(b"board %d" % seed).digest(), players, {"tower": tower})
    yield state.copy()
    while state.active is not None:
        moves = game.legal_moves(state)
        busy = [move for move in moves if move != ("end",)]
        game.advance(state, random.choice(busy if busy and random.random() < 0.9 else moves), [])
        yield state.copy()


@lru_cache
def some_positions() -> tuple[State, ...]:
    """Setup, every 29th ply and the end of eight games: all player counts, basic and advanced."""
    positions: list[State] = []
    for seed in range(8):
        states = list(play(seed, 2 + seed % 3, tower=seed % 2 == 1))
        positions += [*states[::29], states[-1]]
    return tuple(positions)
