"""Positions to draw: random games that end their turns late, so that much happens in them."""

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from random import Random

from server.engine.ulm1 import game
from server.engine.ulm1.state import State
from server.engine.ulm2 import RULES


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


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio (1 to 21) of two `#rrggbb` colours, as WCAG 2.2 defines it."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
