"""The fit: ridge regression of the points to come on the features, with weights that change with the turns to come."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bots.features import SIZE
from bots.training.lessons import Lesson
from bots.value import TURNS, Value

Table = NDArray[np.float64]
BASIS = np.array([[1.0, t / 10, (t / 10) ** 2, float(t == 0), float(t == 1)] for t in range(TURNS)])
"""How weights change with the turns to come: smoothly, but for the last turns."""


def table(lessons: Sequence[Lesson], own: bool) -> tuple[NDArray[np.int64], Table, Table]:
    """Return turns to come, features and points made, a row for each."""
    turns = np.concatenate([np.array(lesson.turns, dtype=np.int64) for lesson in lessons])
    made = np.concatenate([np.array(lesson.made) for lesson in lessons])
    flat = np.concatenate([np.frombuffer(lesson.own if own else lesson.other, dtype=np.float32) for lesson in lessons])
    return turns, flat.reshape(-1, SIZE).astype(np.float64), made


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


def explained(lessons: Sequence[Lesson], rows: Sequence[Sequence[float]], own: bool) -> float:
    """Return which part of the variance of the points to come the weights explain, the turns to come known."""
    turns, x, made = table(lessons, own)
    guessed = np.einsum("ij,ij->i", x, np.array(rows)[turns])
    means = np.array([made[turns == t].mean() if (turns == t).any() else 0.0 for t in range(TURNS)])[turns]
    return float(1 - ((made - guessed) ** 2).sum() / ((made - means) ** 2).sum())
