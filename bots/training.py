"""Learning what positions are worth: games of bots against themselves, a fit, games with what was learned, and so on.

A course is kept in a folder, a file for each batch of lessons and each round's weights; one that was broken off goes
on from there. The fit is a ridge regression of the points to come on the features, with weights that change with the
turns to come. Needs numpy (extra `training`); playing with what was learned does not.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots import arena, tally
from bots.arena import chances_of, play
from bots.determinise import seed_of
from bots.features import SIZE, features, standing, turns_left
from bots.journeyman import Effort, Journeyman
from bots.rules_of_thumb import Plain, play_random, play_steady
from bots.sight import Bot, Sight
from bots.value import TURNS, Value, from_json, to_json
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State

Table = NDArray[np.float64]
QUICK = Effort(worlds=1, width=2, limit=30, first=4)
"""How hard the games to learn from are thought over."""
BATCH = 20
"""Games of a file of lessons."""
BASIS = np.array([[1.0, t / 10, (t / 10) ** 2, float(t == 0), float(t == 1)] for t in range(TURNS)])
"""How weights change with the turns to come: smoothly, but for the last turns."""


class Lesson(NamedTuple):
    """What a game teaches: for each moment and seat the turns to come, the points made from there, and the features as
    the seat sees itself, and as the others see it."""

    turns: NDArray[np.int64]
    made: Table
    own: NDArray[np.float32]
    other: NDArray[np.float32]


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


def lesson(task: Task) -> Lesson:
    """Play a game and note what it teaches."""
    bot: Bot = Plain(play_steady)
    if task.learned is not None:
        learned = task.learned
        bot = Journeyman(QUICK, lambda _: learned)
    words = ("lesson", task.players, task.number, task.learned is None)
    noted: list[tuple[int, int, float]] = []
    own: list[list[float]] = []
    others: list[list[float]] = []
    last = -1  # whose turn was noted last

    def watch(state: State, seat: int, move: Move) -> None:
        nonlocal last
        if state.phase != "draw" or seat == last:
            return
        last = seat
        for other in range(task.players):
            noted.append((other, turns_left(state, other), standing(state, other)))
            own.append(features(state, other, True))
            others.append(features(state, other, False))

    bots = [Wavering(bot, task.rate)] * task.players
    played = play(bots, seed_of(*words), {"tower": task.advanced}, chances_of(task.players, *words), watch)
    totals = [score["total"] for score in played.scores]
    turns = np.array([turns for _, turns, _ in noted], dtype=np.int64)
    made = np.array([float(totals[seat] - points) for seat, _, points in noted])
    return Lesson(turns, made, np.array(own, dtype=np.float32), np.array(others, dtype=np.float32))


def save(path: Path, lessons: Sequence[Lesson]) -> None:
    """Keep lessons in a file, whole or not at all."""
    new = path.with_suffix(".new.npz")
    np.savez_compressed(
        new, **{f"{n} {name}": part for n, one in enumerate(lessons) for name, part in one._asdict().items()}
    )
    new.replace(path)


def load(path: Path) -> list[Lesson]:
    """Inverse of `save`."""
    with np.load(path) as kept:
        number = len(kept.files) // len(Lesson._fields)
        return [Lesson(*(kept[f"{n} {name}"] for name in Lesson._fields)) for n in range(number)]


def table(lessons: Sequence[Lesson], own: bool) -> tuple[NDArray[np.int64], Table, Table]:
    """Return turns to come, features and points made, a row for each."""
    seen = np.concatenate([lesson.own if own else lesson.other for lesson in lessons]).astype(np.float64)
    return (
        np.concatenate([lesson.turns for lesson in lessons]),
        seen,
        np.concatenate([lesson.made for lesson in lessons]),
    )


def fit(lessons: Sequence[Lesson], own: bool, ridge: float = 30.0) -> Table:
    """Return rows of weights, one for each number of turns to come."""
    turns, x, made = table(lessons, own)
    width = BASIS.shape[1]
    gram, right = np.zeros((SIZE * width, SIZE * width)), np.zeros(SIZE * width)
    for t in range(TURNS):
        rows = x[turns == t]
        if len(rows):
            gram += np.kron(np.outer(BASIS[t], BASIS[t]), rows.T @ rows)
            right += np.kron(BASIS[t], rows.T @ made[turns == t])
    gram[np.diag_indices_from(gram)] += ridge
    found = np.linalg.solve(gram, right).reshape(width, SIZE)
    return np.asarray(BASIS @ found)


def learned(lessons: Sequence[Lesson]) -> Value:
    """Return what lessons teach."""
    return Value(fit(lessons, True).tolist(), fit(lessons, False).tolist())


def explained_by(lessons: Sequence[Lesson], rows: Sequence[Sequence[float]], own: bool) -> float:
    """Return which part of the variance of the points to come the weights explain, the turns to come known."""
    turns, x, made = table(lessons, own)
    guessed = np.einsum("ij,ij->i", x, np.array(rows)[turns])
    means = np.array([made[turns == t].mean() if (turns == t).any() else 0.0 for t in range(TURNS)])[turns]
    return float(1 - ((made - guessed) ** 2).sum() / ((made - means) ** 2).sum())


class Course(NamedTuple):
    """What is to be learned, and how."""

    players: int
    rounds: int
    games: int  # of each round
    folder: Path
    word: str = "course"  # what all deals and all chance follow from
    rate: float = 0.08  # moves at random among those to learn from
    deals: int = 20  # of the contest after each round


class Step(NamedTuple):
    """What a round came to: the part of the variance that is explained, and the contest with the apprentice."""

    round: int
    lessons: int
    explained: float
    won: float
    low: float
    high: float
    points: float


def go(course: Course, pool: Executor | None, done: Callable[[int], object]) -> Iterator[Step]:
    """Yield the steps of a course, those already done first. `done` is told of games as they end."""
    course.folder.mkdir(parents=True, exist_ok=True)
    value: Value | None = None
    before: list[Lesson] = []
    for number in range(course.rounds + 1):
        weights = course.folder / f"round-{number}.json"
        lessons = list(_lessons(course, number, value, pool, done))
        if not weights.exists():
            # Lessons of rules of thumb teach little about better play: they are left behind after their round.
            kept = lessons + (before if number > 1 else [])
            held_out = max(1, len(lessons) // 10)
            explained = explained_by(lessons[:held_out], learned(kept[held_out:]).own, True)
            value = learned(kept)
            about = {
                "players": course.players, "round": number, "games": len(kept), "explained": round(explained, 4),
                "word": course.word,
            }  # fmt: skip
            weights.write_text(to_json(value, about), "utf-8")
        value = from_json(weights.read_text("utf-8"))
        before = lessons
        yield _step(course, number, weights, len(lessons), pool)


def _lessons(
    course: Course, number: int, value: Value | None, pool: Executor | None, done: Callable[[int], object]
) -> Iterator[Lesson]:
    """Yield the lessons of a round, from its files where they are there."""
    for first in range(0, course.games, BATCH):
        path = course.folder / f"lessons-{number}-{first}.npz"
        if not path.exists():
            tasks = [
                Task(course.players, f"{course.word} {number} {game}", game % 2 == 1, course.rate, value)
                for game in range(first, min(first + BATCH, course.games))
            ]
            save(path, list(map(lesson, tasks) if pool is None else pool.map(lesson, tasks)))
        found = load(path)
        done(len(found))
        yield from found


def _step(course: Course, number: int, weights: Path, lessons: int, pool: Executor | None) -> Step:
    lineup = (f"journeyman:weights={weights}", *["apprentice"] * (course.players - 1))
    wanted = arena.games([lineup], [False], course.deals, course.word)
    played = list(arena.run_all(wanted, course.folder / f"contest-{number}.jsonl", pool))
    row = tally.rows(played)[0]
    about = json.loads(weights.read_text("utf-8"))["about"]
    return Step(number, lessons, about["explained"], row.won / row.games, row.low, row.high, row.points)
