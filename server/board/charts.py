"""Charts for pages, as SVG: what became of something over time, and bars with their names.

Pure functions. Each is one picture with a title, and a description that says in words what it shows; colours are
classes, which `charts.css` fills in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from server.board.canvas import escape, num
from server.board.measure import clean, fit, width

WIDTH: int = 320
"""So that on a phone, too, letters are as large as they are drawn."""
_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 150, 44, 10, 12, 24
_SIZE = 12
_FOOT = _HEIGHT - _BOTTOM
_ROW, _NAMES = 24, 150
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 5000, 10_000, 10**6)


class Bar(NamedTuple):
    """A bar: what it is of, how long it is, what stands at its end, and where on the same scale a mark stands."""

    name: str
    value: float
    told: str
    mark: float | None = None


def curve(
    values: Sequence[float],
    title: str,
    description: str,
    ends: tuple[str, str],
    band: Sequence[float] | None = None,
    level: float | None = None,
) -> str:
    """A line through values in their order; `ends` stand below the first and the last. `band` is how far each may be
    off, `level` a line to compare with. Raises `ValueError` without values."""
    upper = [value + off for value, off in zip(values, band or [0.0] * len(values), strict=True)]
    lower = [2 * value - high for value, high in zip(values, upper, strict=True)]
    heights = [*upper, *lower, *([] if level is None else [level])]
    step = _step((max(heights) - min(heights)) / 4)
    low, high = min(heights) // step * step, -(-max(heights) // step) * step
    high = max(high, low + step)
    room = (WIDTH - _LEFT - _RIGHT - 8) / max(len(values) - 1, 1)

    def line(heights: Sequence[float]) -> list[str]:
        scale = (_FOOT - _TOP) / (high - low)
        return [f"{num(_LEFT + 4 + room * x)} {num(_FOOT - scale * (y - low))}" for x, y in enumerate(heights)]

    parts = _grid(low, high, step)
    if level is not None:
        parts.append(f'<path class="level" d="M{"L".join(line([level] * len(values)))}"/>')
    if band is not None and len(values) > 1:
        parts.append(f'<path class="band" d="M{"L".join([*line(upper), *reversed(line(lower))])}Z"/>')
    points = line(values)
    parts.append(f'<path class="curve" d="M{"L".join(points)}"/>')
    across, down = points[-1].split()
    parts.append(f'<circle cx="{across}" cy="{down}" r="3.5"/>')
    parts.append(_text(_LEFT, _HEIGHT - 8, ends[0]))
    parts.append(_text(WIDTH - _RIGHT, _HEIGHT - 8, ends[1], "end"))
    return _chart(title, description, _HEIGHT, parts)


def bars(rows: Sequence[Bar], title: str) -> str:
    """A bar below the other, from a common line: what is less than nothing goes to the left of it."""
    low = min([0.0, *(min(row.value, row.mark or 0.0) for row in rows)])
    high = max([0.0, *(max(row.value, row.mark or 0.0) for row in rows)])
    behind = max((width(row.told, _SIZE) for row in rows), default=0.0) + 16
    names = min(_NAMES, max((width(clean(row.name), _SIZE) for row in rows), default=0.0) + 9)
    unit = (WIDTH - names - behind) / ((high - low) or 1.0)
    zero = names - low * unit
    parts = []
    for number, row in enumerate(rows):
        y, left, right = number * _ROW, zero + min(row.value, 0.0) * unit, zero + max(row.value, 0.0) * unit
        parts.append(_text(names - 8, y + 16, fit(clean(row.name), _SIZE, names - 8), "end", "name"))
        parts.append(f'<rect x="{num(left)}" y="{y + 4}" width="{num(right - left)}" height="{_ROW - 8}" rx="2"/>')
        if row.mark is not None:
            parts.append(f'<path class="level" d="M{num(zero + row.mark * unit)} {y + 1}v{_ROW - 2}"/>')
        furthest = max(right, zero if row.mark is None else zero + row.mark * unit)
        parts.append(_text(furthest + 6, y + 16, row.told, look="name"))
    parts.append(f'<path class="grid" d="M{num(zero)} 0v{len(rows) * _ROW}"/>')
    return _chart(title, "; ".join(f"{row.name}: {row.told}" for row in rows), len(rows) * _ROW, parts)


def _chart(title: str, description: str, height: int, parts: Sequence[str]) -> str:
    told = escape(clean(f"{title}. {description}" if description else title))
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{told}" font-size="{_SIZE}">'
        f"{''.join(parts)}</svg>"
    )


def _step(least: float) -> int:
    return next((step for step in _STEPS if step >= least), _STEPS[-1])


def _grid(low: float, high: float, step: int) -> list[str]:
    parts, tick = [], low
    while tick <= high:
        y = _FOOT - (_FOOT - _TOP) * (tick - low) / (high - low)
        parts.append(f'<path class="grid" d="M{_LEFT} {num(y)}H{WIDTH - _RIGHT}"/>')
        parts.append(_text(_LEFT - 6, y + 4, str(round(tick)), "end"))
        tick += step
    return parts


def _text(x: float, y: float, text: str, anchor: str = "start", look: str = "tick") -> str:
    to = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{look}" x="{num(x)}" y="{num(y)}"{to}>{escape(clean(text))}</text>'
