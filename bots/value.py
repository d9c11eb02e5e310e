"""What a position is worth to a seat: the points as they stand, and what has been learned of those to come.

The learned part is a sum of `features` times weights, which differ by the number of turns that the seat still has. A
file of weights is plain JSON, checked when it is read: it must have been made for these features.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from operator import mul
from typing import Any

from bots.features import NAMES, SIZE, features, standing, turns_left
from server.engine.ulm1.state import State

FORMAT = "ulm-bot-weights/1"
TURNS = 11
"""Rows of weights: for 0 to 10 turns to come."""
EVENNESS = 6.0
"""With several rivals all count, the more the nearer they are to the best, in points."""


class WeightsError(ValueError):
    """A file of weights cannot be used. The message says why."""


class Value:
    """What has been learned for a number of players. `own` and `other` have a row of weights for each turn to come."""

    def __init__(self, own: list[list[float]], other: list[list[float]]) -> None:
        self.own = own
        self.other = other

    def prospects(self, state: State, seat: int, own: bool) -> float:
        """Return the points with which a seat is expected to end; its hand counts only if it is one's own."""
        row = (self.own if own else self.other)[turns_left(state, seat)]
        return standing(state, seat) + sum(map(mul, row, features(state, seat, own)))

    def to_come(self, row: list[float], state: State, seat: int) -> float:
        """Return the points that a seat that sees its hand is still expected to make, by a row of weights."""
        return sum(map(mul, row, features(state, seat, True)))

    def rivals(self, state: State, me: int) -> float:
        """Return with how many points one has to reckon against the others."""
        others = [
            self.prospects(state, seat, False)
            for seat, player in enumerate(state.players)
            if seat != me and not player.resigned
        ]
        return soft_max(others)

    def margin(self, state: State, me: int) -> float:
        """Return by how many points `me` is expected to end ahead of the others."""
        if state.scores is not None:
            return final_margin(state, me)
        return self.prospects(state, me, True) - self.rivals(state, me)


def final_margin(state: State, me: int) -> float:
    """Return the margin at the end of a game, the tie broken (E5)."""
    scores = state.scores or []
    keys = [score["total"] + 0.1 * score["quarters"] for score in scores]
    others = [key for seat, key in enumerate(keys) if seat != me and not state.players[seat].resigned]
    return keys[me] - soft_max(others)


def soft_max(values: list[float]) -> float:
    """Return a little more than the greatest value, the more the nearer the others are; of none, 0."""
    if len(values) < 2:
        return values[0] if values else 0.0
    most = max(values)
    return most + EVENNESS * math.log(sum([math.exp((value - most) / EVENNESS) for value in values]))


def names_digest() -> str:
    """Return what tells one set of features from another."""
    return sha256("\n".join(NAMES).encode()).hexdigest()[:16]


def to_json(value: Value, about: dict[str, Any]) -> str:
    """Return the text of a file of weights; `about` says where they come from."""
    rows = {"own": value.own, "other": value.other}
    form = {"format": FORMAT, "features": names_digest(), "about": about}
    lines = [json.dumps(form)[:-1]]
    for name, table in rows.items():
        text = ",\n".join("[" + ",".join(f"{weight:.4g}" for weight in row) + "]" for row in table)
        lines.append(f', "{name}": [\n{text}\n]')
    return "".join(lines) + "}\n"


def from_json(text: str) -> Value:
    """Inverse of `to_json`. Raises `WeightsError`."""
    try:
        form = json.loads(text)
        found, digest = form["format"], form["features"]
        rows = [[list(map(float, row)) for row in form[name]] for name in ("own", "other")]
    except (ValueError, TypeError, KeyError) as error:
        raise WeightsError(f"no file of weights: {error!r}") from error
    if found != FORMAT:
        raise WeightsError(f"weights of format {found!r}, not {FORMAT!r}")
    if digest != names_digest():
        raise WeightsError("weights for other features: they have to be learned again (ulm train)")
    if any(len(table) != TURNS or any(len(row) != SIZE for row in table) for table in rows):
        raise WeightsError(f"weights of another size: {TURNS} rows of {SIZE} numbers are needed")
    return Value(rows[0], rows[1])


@lru_cache(8)
def shipped(players: int) -> Value:
    """Return what was learned for a number of players and comes with the program."""
    return from_json(resources.files("bots").joinpath("weights", f"{players}-players.json").read_text("utf-8"))
