"""A course: round after round of games by what was learned so far, a fit, and a contest with the apprentice.

All of it is kept in a folder, a file for each batch of lessons and for each round's weights; a course that was broken
off goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple

from bots import arena, tally
from bots.journeyman import Effort
from bots.training import fitting
from bots.training.lessons import Lesson, Task, lesson, load, save
from bots.value import Value, from_json, to_json

QUICK = Effort(worlds=1, width=2, limit=30, first=4)
"""How hard the games to learn from are thought over."""
BATCH = 20
"""Games of a file of lessons."""


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
            explained = fitting.explained(lessons[:held_out], fitting.learned(kept[held_out:]).own, True)
            value = fitting.learned(kept)
            about = {
                "players": course.players,
                "round": number,
                "games": len(kept),
                "explained": round(explained, 4),
                "word": course.word,
            }
            weights.write_text(to_json(value, about), "utf-8")
        value = from_json(weights.read_text("utf-8"))
        before = lessons
        yield _step(course, number, weights, len(lessons), pool)


def _lessons(
    course: Course, number: int, value: Value | None, pool: Executor | None, done: Callable[[int], object]
) -> Iterator[Lesson]:
    """Yield the lessons of a round, from its files where they are there."""
    for first in range(0, course.games, BATCH):
        path = course.folder / f"lessons-{number}-{first}.json"
        if not path.exists():
            tasks = [
                Task(course.players, f"{course.word} {number} {game}", game % 2 == 1, course.rate, value, QUICK)
                for game in range(first, min(first + BATCH, course.games))
            ]
            save(path, list(map(lesson, tasks) if pool is None else pool.map(lesson, tasks)))
        found = load(path)
        done(len(found))
        yield from found


def _step(course: Course, number: int, weights: Path, lessons: int, pool: Executor | None) -> Step:
    lineup = (f"journeyman:weights={weights}", *["apprentice"] * (course.players - 1))
    wanted = arena.games([lineup], [False], course.deals, course.word)
    played = list(arena.run_all(wanted, course.folder / f"contest-{number}.jsonl", pool, 2))
    row = tally.rows(played)[0]
    about = json.loads(weights.read_text("utf-8"))["about"]
    return Step(number, lessons, about["explained"], row.won / row.games, row.low, row.high, row.points)
