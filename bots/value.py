"""What a position is worth to a seat: the points as they stand, and what has been learned of those to come.

The learned part is a sum of `features` times weights, which differ by the number of turns that the seat still has. A
file of weights is plain JSON, checked when it is read: it must have been made for these features.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from operator import mul

from bots.features import (
    BLOCKS,
    NAMES,
    SIZE,
    UNSEEN,
    area,
    cards,
    context,
    purse,
    seals,
    standing,
    supply,
    town,
    turns_left,
)
from server.engine.ulm1.state import State

FORMAT = "ulm-bot-weights/1"
KEPT_MOST = 20_000
"""So many parts are kept of a row, before they are forgotten."""
TURNS = 11
"""Rows of weights: for 0 to 10 turns to come."""
EVENNESS = 6.0
"""With several rivals all count, the more the nearer they are to the best, in points."""


class WeightsError(ValueError):
    """A file of weights cannot be used. The message says why."""


class Row:
    """The weights for a number of turns to come, of one's own seat or of another. What it says is the sum of the
    weights times `features`; it keeps what parts of them say, because from one position to the next most stay the same.
    Of the position before it keeps these by the very objects that they were read from, which is sooner found out than
    whether they are equal."""

    def __init__(self, weights: Sequence[float], own: bool) -> None:
        self.weights, self.own = list(weights), own
        ends = (*BLOCKS[1:], SIZE)
        self.parts = [self.weights[first:end] for first, end in zip(BLOCKS, ends, strict=True)]
        self.known: dict[object, float] = {}
        self.around: tuple[object, object, float] = (None, None, 0.0)  # changed as a whole, for others' threads
        self.when: tuple[object, object, float] = (None, None, 0.0)

    def to_come(self, state: State, seat: int) -> float:
        """Return the points that `seat` is expected to make from here."""
        player, known = state.players[seat], self.known
        if len(known) > KEPT_MOST:
            known.clear()
        goods = (player.coins, player.sparrows, player.seals, player.crests)
        part = known.get(goods)
        if part is None:
            part = dot(self.parts[0], purse(player.coins, player.sparrows))
            part = known[goods] = part + dot(self.parts[2], seals(player.seals, player.crests))
        worth: float = part
        tiles = tuple(player.tiles)
        part = known.get(tiles)
        if part is None:
            part = known[tiles] = dot(self.parts[1], supply(tiles))
        worth += part
        place = (
            seat, tuple([other.barge for other in state.players]), state.quarters, state.crests, state.coat_seals,
            player.descendants,
        )  # fmt: skip
        part = known.get(place)
        if part is None:
            part = known[place] = dot(self.parts[3], town(state, seat))
        worth += part
        hand = player.hand if self.own else (UNSEEN,) * len(player.hand)
        played = player.played if "siege" in player.table else 0
        held = (hand, player.table, tiles if self.own and hand else (), played)
        part = known.get(held)
        if part is None:
            part = known[held] = dot(self.parts[4], cards(state.rules, hand, player.table, tiles, played))
        worth += part
        around = self.around
        if state.grid is not around[0] or state.outer is not around[1]:
            lying = (state.grid, state.outer)
            part = known.get(lying)
            if part is None:
                part = known[lying] = dot(self.parts[5], area(state.grid, state.outer))
            around = self.around = (state.grid, state.outer, part)
        worth += around[2]
        when, moment = self.when, (seat, state.active, state.phase == "draw", state.round, state.start, state.advanced)
        if state.tower is not when[0] or moment != when[1]:
            when = self.when = (state.tower, moment, dot(self.parts[6], context(state, seat)))
        return worth + when[2]


def dot(weights: Sequence[float], numbers: Sequence[float]) -> float:
    """Return the sum of the products."""
    total: float = sum(map(mul, weights, numbers))
    return total


class Value:
    """What has been learned for a number of players. `own` and `other` have a row of weights for each turn to come."""

    def __init__(self, own: list[list[float]], other: list[list[float]]) -> None:
        self.own = own
        self.other = other
        self.rows = {True: [Row(row, True) for row in own], False: [Row(row, False) for row in other]}

    def __reduce__(self) -> tuple[type[Value], tuple[list[list[float]], list[list[float]]]]:
        """What is kept for speed does not travel to other processes."""
        return Value, (self.own, self.other)

    def prospects(self, state: State, seat: int, own: bool) -> float:
        """Return the points with which a seat is expected to end; its hand counts only if it is one's own."""
        return standing(state, seat) + self.rows[own][turns_left(state, seat)].to_come(state, seat)


def soft_max(values: list[float]) -> float:
    """Return a little more than the greatest value, the more the nearer the others are; of none, 0."""
    if len(values) < 2:
        return values[0] if values else 0.0
    most = max(values)
    return most + EVENNESS * math.log(sum([math.exp((value - most) / EVENNESS) for value in values]))


def names_digest() -> str:
    """Return what tells one set of features from another."""
    return sha256("\n".join(NAMES).encode()).hexdigest()[:16]


def to_json(value: Value, about: Mapping[str, object]) -> str:
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
