"""The parts of which a final score consists, in words, and as a bar in the colours of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from server.board.listing import Column, column
from server.engine.ulm1.shapes import Score
from server.language import gettext as _

PARTS: tuple[Column, ...] = ("vp", "sparrows", "barge", "cathedral", "trade", "chronicle")
"""The parts, in the order of rules.md §13."""
_STEP, _HIGH = 10, 26


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


def bars(scores: Sequence[Score]) -> list[Markup]:
    """A bar for each score, all to one scale, for the eye alone: what counts against a player lies left of nothing."""
    parts = [points(score) for score in scores]
    low = min([0, *(sum(value for value in one.values() if value < 0) for one in parts)])
    high = max([1, *(sum(value for value in one.values() if value > 0) for one in parts)])
    return [_bar(one, low, high) for one in parts]


def _bar(parts: Mapping[str, int], low: int, high: int) -> Markup:
    left = right = -low * _STEP
    drawn = []
    for part, value in parts.items():
        wide = abs(value) * _STEP
        if value < 0:
            left -= wide
        if value:
            start = left if value < 0 else right
            drawn.append(f'<rect class="of-{part}" x="{start}" width="{wide}" height="{_HIGH}"/>')
        if value > 0:
            right += wide
    if low:
        drawn.append(f'<path class="nothing" d="M{-low * _STEP} 0v{_HIGH}"/>')
    size = f"0 0 {(high - low) * _STEP} {_HIGH}"
    return Markup(  # noqa: S704 - numbers and words of our own
        f'<svg class="score-bar" viewBox="{size}" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
        f"<g>{''.join(drawn)}</g></svg>"
    )
