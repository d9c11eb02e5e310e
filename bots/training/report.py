"""The report of a course as a picture: how much was won and how many points were made, round after round."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from bots.training.course import Step

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 320, 56, 56, 40, 44
POINTS_STEP = 20


def curve(steps: Sequence[Step], title: str) -> str:
    """Return the learning curve as SVG: the rate of wins with its interval on the left scale, points on the right."""
    most = max([POINTS_STEP, *(step.points for step in steps)])
    top = POINTS_STEP * -(-int(most) // POINTS_STEP)
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    apart = wide / max(1, len(steps) - 1)

    def x(index: int) -> float:
        return round(LEFT + index * apart, 1)

    def y(rate: float) -> float:
        return round(TOP + high * (1 - rate), 1)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-size="12">',
        f'<title>{escape(title)}</title><g font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="20" font-size="14">{escape(title)}</text>',
    ]
    for part in range(5):
        rate = part / 4
        lines += [
            f'<path d="M{LEFT} {y(rate)}H{WIDTH - RIGHT}" stroke="#ddd"/>',
            f'<text x="{LEFT - 8}" y="{y(rate) + 4}" text-anchor="end" fill="#1f5fa8">{rate:.0%}</text>',
            f'<text x="{WIDTH - RIGHT + 8}" y="{y(rate) + 4}" fill="#9a4a00">{top * rate:.0f}</text>',
        ]
    for index, step in enumerate(steps):
        lines += [
            f'<path d="M{x(index)} {y(step.low)}V{y(step.high)}" stroke="#1f5fa8"/>',
            f'<circle cx="{x(index)}" cy="{y(step.won)}" r="4" fill="#1f5fa8"/>',
            f'<text x="{x(index)}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{step.round}</text>',
        ]
    won = " ".join(f"{x(index)},{y(step.won)}" for index, step in enumerate(steps))
    points = " ".join(f"{x(index)},{y(step.points / top)}" for index, step in enumerate(steps))
    lines += [
        f'<polyline points="{won}" fill="none" stroke="#1f5fa8" stroke-width="2"/>',
        f'<polyline points="{points}" fill="none" stroke="#9a4a00" stroke-width="2" stroke-dasharray="6 3"/>',
        f'<text x="{LEFT}" y="{HEIGHT - 8}" fill="#1f5fa8">won against apprentice, with 95 %</text>',
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end" fill="#9a4a00">points (dashed)</text>',
        "</g></svg>",
    ]
    return "\n".join(lines) + "\n"
