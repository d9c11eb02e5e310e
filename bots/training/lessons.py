"""Games to learn from: what each seat's prospects looked like between two turns, and the points it made from there."""

from __future__ import annotations

import base64
import json
import random
import zlib
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bots.determinise import seed_of
from bots.features import features, standing, turns_left
from bots.journeyman import Effort, Journeyman
from bots.match import chances_of, play
from bots.rules_of_thumb import Plain, play_random, play_steady
from bots.sight import Bot, Sight
from bots.value import Value
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State


class Lesson(NamedTuple):
    """What a game teaches: for each moment and seat the turns to come, the points made from there, and the features."""

    turns: list[int]
    made: list[float]
    own: array[float]  # the features one after the other
    other: array[float]


class Wavering:
    """A bot that now and then plays any move, so that there is more to learn from."""

    def __init__(self, steady: Bot, rate: float) -> None:
        self.steady, self.rate = steady, rate

    def choose(self, sight: Sight, rng: random.Random) -> Move:
        """See `sight.Bot`."""
        if len(sight.legal) > 1 and rng.random() < self.rate:
            return play_random(sight.view, sight.legal, rng)
        return self.steady.choose(sight, rng)


class Task(NamedTuple):
    """A game to learn from."""

    players: int
    number: int | str  # what deal and chance follow from
    advanced: bool
    rate: float
    learned: Value | None  # None: by rules of thumb
    effort: Effort


def lesson(task: Task) -> Lesson:
    """Play a game and note what it teaches."""
    bot: Bot = Plain(play_steady)
    if task.learned is not None:
        learned = task.learned
        bot = Journeyman(task.effort, lambda _: learned)
    words = ("lesson", task.players, task.number, task.learned is None)
    noted: list[tuple[int, int, float, list[float], list[float]]] = []
    last = -1  # whose turn was noted last

    def watch(state: State, seat: int, move: Move) -> None:
        nonlocal last
        if state.phase != "draw" or seat == last:
            return
        last = seat
        noted.extend(
            (other, turns_left(state, other), standing(state, other), *both_ways(state, other))
            for other in range(task.players)
        )

    bots = [Wavering(bot, task.rate)] * task.players
    played = play(bots, seed_of(*words), {"tower": task.advanced}, chances_of(task.players, *words), watch)
    totals = [score["total"] for score in played.scores]
    found = Lesson([], [], array("f"), array("f"))
    for seat, turns, points, own, other in noted:
        found.turns.append(turns)
        found.made.append(totals[seat] - points)
        found.own.extend(own)
        found.other.extend(other)
    return found


def both_ways(state: State, seat: int) -> tuple[list[float], list[float]]:
    """Return the features of a seat as it sees itself, and as the others see it."""
    return features(state, seat, True), features(state, seat, False)


def save(path: Path, lessons: Sequence[Lesson]) -> None:
    """Keep lessons in a file, whole or not at all."""
    lines = [
        json.dumps({"turns": one.turns, "made": one.made, "own": _packed(one.own), "other": _packed(one.other)})
        for one in lessons
    ]
    new = path.with_suffix(".new")
    new.write_text("\n".join(lines), "utf-8")
    new.replace(path)


def load(path: Path) -> list[Lesson]:
    """Inverse of `save`."""
    forms = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [Lesson(form["turns"], form["made"], _unpacked(form["own"]), _unpacked(form["other"])) for form in forms]


def _packed(numbers: array[float]) -> str:
    return base64.b64encode(zlib.compress(numbers.tobytes())).decode("ascii")


def _unpacked(text: str) -> array[float]:
    numbers = array("f")
    numbers.frombytes(zlib.decompress(base64.b64decode(text)))
    return numbers
