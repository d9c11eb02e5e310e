"""Moves as numbers. What a model has learned hangs on this list: it never changes, at most it grows at its end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from server.engine import rulesets
from server.engine.ulm1.notation import Move

Mask = NDArray[np.int8]

MOVES: Final[tuple[Move, ...]] = tuple(
    dict.fromkeys(move for name in ("ulm/1", "ulm/2") for move in rulesets.rules_for(name).notation.moves.values())
)
"""Action → move: all moves of docs/record.md, section 3, under these rulesets. `resign` is among them, and never legal
here."""
ACTIONS: Final[dict[Move, int]] = {move: action for action, move in enumerate(MOVES)}
"""Move → action."""


def mask_of(legal: Iterable[Move]) -> Mask:
    """Return `int8` of shape `(len(MOVES),)`: 1 for the action of each of the moves `legal`, 0 for all others."""
    mask = bytearray(len(MOVES))
    for move in legal:
        mask[ACTIONS[move]] = 1
    return np.frombuffer(mask, np.int8)
