"""Chances to win, one for each seat, that add up to one: from the points with which each is expected to end.

Every hand is looked at, nothing of what is hidden from all: what a spectator can believe who sees all hands. Positions
between two turns are judged; those within a turn are worth what the turn can make of them (`replays.analysis`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from bots import value
from bots.features import turns_left
from bots.value import Value
from server.engine.ulm1.state import State

FORMAT = "ulm-chances/1"
BLUR = 1.2
"""Of a game that was played on in thought the result is not taken for more than it is: so many points of spread."""


class Spread(NamedTuple):
    """How far results lie from what was expected, in points, with so many rounds to come: √(a + b·rounds + c·rounds²).
    The chance is a logistic one (softmax) of the expected points, divided by that."""

    a: float
    b: float
    c: float

    def points(self, rounds: float) -> float:
        """Return the spread with so many rounds to come."""
        return math.sqrt(max(BLUR * BLUR, self.a + self.b * rounds + self.c * rounds * rounds))

    def chances(self, points: Sequence[float], rounds: float) -> list[float]:
        """Return the chance of each of those who are expected to end with `points`."""
        spread, most = self.points(rounds), max(points)
        weights = [math.exp((each - most) / spread) for each in points]
        total = sum(weights)
        return [weight / total for weight in weights]


class Odds:
    """What judges positions for a number of players."""

    def __init__(self, learned: Value, spread: Spread) -> None:
        self.value, self.spread = learned, spread

    def of(self, state: State) -> list[float]:
        """Return the chance to win of each seat: 1, 0 or a share of it when the game is over."""
        if state.scores is not None:
            return shares([score["rank"] for score in state.scores])
        return self.blurred(state)

    def blurred(self, state: State) -> list[float]:
        """Return the same of a position that was only thought of: of a game that is over there, by its points."""
        if state.scores is not None:
            points, rounds = [score["total"] + 0.1 * score["quarters"] for score in state.scores], 0.0
        else:
            points, rounds = outlook(state, self.value)
        playing = [seat for seat, player in enumerate(state.players) if not player.resigned]
        found = [0.0] * len(points)
        for seat, chance in zip(playing, self.spread.chances([points[seat] for seat in playing], rounds), strict=True):
            found[seat] = chance
        return found


def outlook(state: State, learned: Value) -> tuple[list[float], float]:
    """Return the points with which each seat is expected to end, and how many rounds are still to come."""
    seats = range(len(state.players))
    points = [learned.prospects(state, seat, True) for seat in seats]
    return points, sum(turns_left(state, seat) for seat in seats) / len(points)


def shares(ranks: Sequence[int]) -> list[float]:
    """Return what each has of a victory that is over: those who share it have equal parts."""
    first = ranks.count(1)
    return [1 / first if rank == 1 else 0.0 for rank in ranks]


@lru_cache(8)
def shipped(players: int) -> Odds:
    """Return what judges positions for a number of players with what comes with the program."""
    text = resources.files("bots").joinpath("chances", f"{players}-players.json").read_text("utf-8")
    return Odds(value.shipped(players), Spread(*json.loads(text)["spread"]))
