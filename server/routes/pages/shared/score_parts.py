"""The parts of which a final score consists, in words and points."""

from __future__ import annotations

from collections.abc import Sequence

from server.board.listing import Column, column
from server.engine.ulm1.shapes import Score
from server.language import gettext as _

PARTS: tuple[Column, ...] = ("vp", "sparrows", "barge", "cathedral", "trade", "chronicle")
"""The parts, in the order of rules.md §13."""


def labels() -> dict[str, str]:
    """What each of `PARTS` is called, in that order."""
    return {
        "vp": _("During the game"),
        "sparrows": _("Sparrows"),
        "barge": _("Barge"),
        "cathedral": _("Cards (Cathedral)"),
        "trade": _("Cards (Trade)"),
        "chronicle": _("Cards (Chronicle)"),
    }


def points(score: Score) -> dict[str, int]:
    """The points of each of `PARTS`; together they are the total."""
    return {part: column(score, part) for part in PARTS}


def extent(scores: Sequence[Score]) -> tuple[int, int]:
    """How far the bars of these scores reach, all to one scale: what counts against a player lies left of nothing."""
    parts = [points(score).values() for score in scores]
    low = min([0, *(sum(value for value in one if value < 0) for one in parts)])
    return low, max([1, *(sum(value for value in one if value > 0) for one in parts)])
