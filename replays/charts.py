"""Charts as SVG text: lines over the plies of a game, bars of a statistic. Pure functions, no library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

# By seat (rules.md C1), each dark enough to be read on white, each with its own dash besides its colour.
COLORS = ("#b3261e", "#2e7d32", "#1f5fa8", "#8a6100")
DASHES = ("", "8 3", "2 3", "10 3 2 3")
_FONT = 'font-family="DejaVu Sans, sans-serif"'


def line_chart(
    title: str,
    series: Mapping[str, Sequence[float]],
    marks: Mapping[int, str] | None = None,
    size: tuple[int, int] = (900, 360),
) -> str:
    """One line for each of `series` (up to four), its values over 0, 1, 2 …; `marks` label places on that axis.

    Raises `ValueError` for more than four series or none.
    """
    if not 0 < len(series) <= len(COLORS):
        raise ValueError("a line chart shows one to four series")
    width, height = size
    left, top, right, bottom = 50, 40, width - 130, height - 36
    longest = max(2, *(len(values) for values in series.values()))
    values = [value for line in series.values() for value in line] or [0]
    low, high = min(0, *values), max(1, *values)
    step = _step(high - low)

    def x(index: float) -> float:
        return left + (right - left) * index / (longest - 1)

    def y(value: float) -> float:
        return bottom - (bottom - top) * (value - low) / (high - low)

    parts = []
    tick = -(-low // step) * step
    while tick <= high:
        at = y(tick)
        parts.append(f'<path d="M{left} {at:.1f}H{right}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end" font-size="12">{tick + 0.0:g}</text>')
        tick += step
    for index, label in (marks or {}).items():
        parts.append(f'<path d="M{x(index):.1f} {top}V{bottom}" stroke="#ccc" stroke-dasharray="3 3"/>')
        parts.append(f'<text x="{x(index) + 3:.1f}" y="{bottom + 16}" font-size="11">{escape(label)}</text>')
    for number, (name, line) in enumerate(series.items()):
        color, dash = COLORS[number], DASHES[number]
        points = " ".join(f"{x(index):.1f},{y(value):.1f}" for index, value in enumerate(line))
        look = f'stroke="{color}" stroke-width="2" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{points}" fill="none" {look}/>')
        at = top + 18 * number + 10
        parts.append(f'<path d="M{right + 10} {at - 4}h24" {look}/>')
        parts.append(f'<text x="{right + 38}" y="{at}" font-size="12">{escape(_short(name, 12))}</text>')
    return _document(title, width, height, parts)


def bar_charts(panels: Sequence[tuple[str, Mapping[str, float], str]], title: str, width: int = 900) -> str:
    """Panels of horizontal bars, one below the other: each its title, its values by label, and how to format one."""
    parts: list[str] = []
    top = 50
    for heading, bars, style in panels:
        parts.append(f'<text x="20" y="{top}" font-size="15" font-weight="bold">{escape(heading)}</text>')
        top += 12
        most = max([abs(value) for value in bars.values()] or [1]) or 1
        for name, value in bars.items():
            long = (width - 320) * abs(value) / most
            color = COLORS[2] if value >= 0 else COLORS[0]
            label = escape(_short(name, 26))
            parts.append(f'<text x="200" y="{top + 14}" text-anchor="end" font-size="12">{label}</text>')
            parts.append(f'<rect x="208" y="{top + 2}" width="{long:.1f}" height="15" fill="{color}"/>')
            parts.append(f'<text x="{214 + long:.1f}" y="{top + 14}" font-size="12">{format(value, style)}</text>')
            top += 20
        top += 28
    return _document(title, width, top, parts)


def _document(title: str, width: int, height: int, parts: Sequence[str]) -> str:
    name = escape(_short(title, 90))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" {_FONT}><title>{name}</title><rect width="100%" height="100%" fill="#fff"/>'
        f'<g fill="#222"><text x="20" y="26" font-size="17">{name}</text>{"".join(parts)}</g></svg>\n'
    )


def _short(text: str, most: int) -> str:
    clean = "".join(char if char.isprintable() else "?" for char in text)
    return clean if len(clean) <= most else clean[: most - 1] + "…"


def _step(span: float) -> float:
    """A round distance that parts `span` into four to ten."""
    step = 1.0
    while span / step > 10:
        step *= 2.5 if str(step).startswith("2") else 2
    return step
