"""What a bot is asked, and what a bot is: it gets what its seat may see, its own chance, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from server.engine.ulm1.notation import Move
from server.engine.ulm1.shapes import View


class Sight(NamedTuple):
    """What the seat to move may know when it is asked for a move."""

    view: View  # as record.md §4 has it, of the seat to move
    legal: list[Move]  # never empty
    log: Sequence[tuple[int, str]] = ()  # seat and text of every move so far, as this seat may read it
    seconds: float | None = None  # how long the answer may take; None leaves it to the bot


class Bot(Protocol):
    """Whatever answers with a legal move."""

    def choose(self, sight: Sight, rng: random.Random) -> Move:
        """Return one of `sight.legal`. `rng` is the bot's own chance: the same sight and chance, the same move."""
