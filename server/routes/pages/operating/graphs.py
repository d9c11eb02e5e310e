"""Graphs of the operator's page: bars by the hour, as values for a picture that the template draws."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

WIDE, HIGH = 336, 72
_STEP_EVERY = 12
"""Under every bar of so many hours stands its hour."""
_MARK_HOURS = 5
"""An hour's words are as wide as so many bars."""


class Bar(NamedTuple):
    """A bar and what it says."""

    x: float
    y: float
    width: float
    height: float
    words: str


class Chart(NamedTuple):
    """A graph: what it is about, its bars, the hours below it (place and words), the highest and the last value."""

    title: str
    bars: list[Bar]
    marks: list[tuple[float, str]]
    highest: int
    last: int


def bars(title: str, hours: Sequence[datetime], values: Sequence[int]) -> Chart:
    """The graph of a value by the hour (UTC). Where nothing was there is no bar."""
    highest, step = max(values, default=0), WIDE / max(len(values), 1)
    drawn, marks = [], []
    for number, (hour, value) in enumerate(zip(hours, values, strict=True)):
        high = HIGH * value / highest if highest else 0.0
        if value:
            words = f"{hour:%Y-%m-%d %H}:00 – {value}"
            drawn.append(
                Bar(round(number * step + 1, 1), round(HIGH - high, 1), round(step - 2, 1), round(high, 1), words)
            )
        if hour.hour % _STEP_EVERY == 0 and number + _MARK_HOURS <= len(hours):
            marks.append((round(number * step, 1), f"{hour:%H}:00"))
    return Chart(title, drawn, marks, highest, values[-1] if values else 0)
