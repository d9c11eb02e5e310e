"""A position for pictures that show what the game looks like: the middle of a game of three that nobody ever played."""

from __future__ import annotations

import random
from functools import lru_cache
from hashlib import sha256

from bots.rules_of_thumb import play_steady
from server.engine import rulesets
from server.engine.ulm1.shapes import View
from server.engine.ulm1.state import State

_SEED = sha256(b"the board on the first page").digest()
_CHANCE = 3
_ROUND = 6
NAMES = ("Anna", "Ben", "Clara")


def position() -> View:
    """What a spectator sees of it. Always the same; each caller has a copy of their own."""
    state = _state()
    return state.rules.view(state, None)


@lru_cache(maxsize=1)
def _state() -> State:
    rules = rulesets.NEWEST
    state = rules.new_game(_SEED, len(NAMES), {"rotate_start": False, "tower": True})
    rng = random.Random(_CHANCE)  # noqa: S311 - the same game every time is what is wanted
    while state.active is not None and state.round < _ROUND:
        rules.advance(state, play_steady(rules.view(state, state.active), rules.legal_moves(state), rng), [])
    return state
