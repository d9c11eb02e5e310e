"""The victory points of a game over its plies, as SVG for a page: lines by player, a marker, a link to each round.

Pure functions. What each came to stands at the end of its line; whose line it is says the legend, which is text of the
page and has room for any name. Colours are classes (`seat-0` …), which the page's stylesheet fills in; besides its
colour each line has a dash and a mark of its own, those of the seats on the board: cross, triangle, two bars, star.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from server.board.canvas import num
from server.board.measure import clean

WIDTH, HEIGHT = 460, 240
LEFT, RIGHT, TOP, BOTTOM = 32, 52, 12, 30
_SIZE = 12
_MARKS = (
    "M-4-4 4 4M-4 4 4-4",
    "M0-5 5 4H-5Z",
    "M-2-4V4M2-4V4",
    "M0-5 1.5-1.6 5-1.2 2.4 1.3 3.1 5 0 3.2-3.1 5-2.4 1.3-5-1.2-1.5-1.6Z",
)
_LABEL_GAP = 15.0


class Round(NamedTuple):
    """A round: its last ply, what its link says, and where that leads."""

    last: int
    label: str
    href: str


def score_chart(
    names: Sequence[str],
    vp: Sequence[Sequence[int]],
    totals: Sequence[int] | None,
    rounds: Sequence[Round],
    *,
    ply: int,
    title: str,
    description: str,
    name: str = "chart",
    unit: str = "",
) -> str:
    """The chart as one SVG element. `vp` has for each ply from 0 on the points by seat, `totals` those after the final
    scoring, `rounds` the rounds in order. The marker stands at `ply`; a script moves it: it is `.marker`, and the
    root's `data-left` and `data-ply-width` say where ply 0 is and how far apart two plies are. `name` begins the ids of
    its title, where two charts stand on a page, `unit` ends what each came to. Raises `ValueError` when names and
    points do not fit."""
    if not vp or any(len(row) != len(names) for row in (*vp, totals or vp[0])):
        raise ValueError(f"{len(names)} names need as many points at each ply")
    values = [value for row in vp for value in row] + list(totals or [])
    low, high = min(0, *values), max(10, *values)
    right = WIDTH - RIGHT
    step = (right - LEFT - 12) / max(1, len(vp) - 1)

    def x(at: int) -> float:
        return LEFT + at * step

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    parts = [f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>']
    parts += _grid(low, high, y, right)
    parts += _rounds(rounds, x)
    final = totals or vp[-1]
    ends = [y(value) for value in final]
    labels = _apart(ends)
    for seat in range(len(names)):
        line = _line([row[seat] for row in vp], x, y)
        parts.append(f'<g class="seat-{seat % len(_MARKS)}"><path class="vp" d="{line}"/>')
        if totals is not None:
            jump = f"M{num(x(len(vp) - 1))} {num(y(vp[-1][seat]))}L{right} {num(ends[seat])}"
            parts.append(f'<path class="vp final" d="{jump}"/>')
        for each in rounds:
            parts.append(_mark(seat, x(each.last), y(vp[each.last][seat])))
        parts.append(_mark(seat, right, ends[seat]))
        shown = escape(f"{final[seat]}{unit}")
        parts.append(f'<text class="came-to" x="{right + 9}" y="{num(labels[seat] + 4)}">{shown}</text></g>')
    place = num(x(min(ply, len(vp) - 1)))
    parts.append(f'<path class="marker" d="M0 {TOP - 6}V{HEIGHT - BOTTOM}" transform="translate({place} 0)"/>')
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-labelledby="{name}-title {name}-desc" '
        f'font-size="{_SIZE}" data-left="{LEFT}" data-ply-width="{step:.4f}">{"".join(parts)}</svg>'
    )


def legend(names: Sequence[str]) -> str:
    """The legend of a chart: beside each name, whole however long it is, how the line of that seat looks."""
    items = [
        f'<li class="seat-{seat % len(_MARKS)}"><svg viewBox="0 -7 36 14" width="36" height="14" aria-hidden="true">'
        f'<path class="vp" d="M0 0H36"/>{_mark(seat, 18, 0)}</svg> {escape(clean(called) or str(seat))}</li>'
        for seat, called in enumerate(names)
    ]
    return f'<ul class="legend">{"".join(items)}</ul>'


def _grid(low: float, high: float, y: Callable[[float], float], right: float) -> list[str]:
    distance = next(each for each in (5, 10, 20, 25, 50, 100, 250, 1000, 10**6) if (high - low) / each <= 6)
    parts = []
    tick = -(-int(low) // distance) * distance
    while tick <= high:
        at = num(y(tick))
        parts.append(f'<path class="grid" d="M{LEFT} {at}H{right}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 6}" y="{num(y(tick) + 4)}" text-anchor="end">{tick}</text>')
        tick += distance
    return parts


def _rounds(rounds: Sequence[Round], x: Callable[[int], float]) -> list[str]:
    """A band for each round that leads to its end; wide enough for a finger from top to bottom."""
    parts, left = [], x(0)
    for number, each in enumerate(rounds, 1):
        right = x(each.last)
        wide, middle = num(max(1, right - left)), num((left + right) / 2)
        label = escape(each.label)
        parts.append(
            f'<a href="{escape(each.href)}" data-ply="{each.last}" aria-label="{label}"><title>{label}</title>'
            f'<rect class="band" x="{num(left)}" y="{TOP}" width="{wide}" height="{HEIGHT - TOP}"/>'
            f'<text class="tick" x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">{number}</text></a>'
            f'<path class="grid round" d="M{num(right)} {TOP}V{HEIGHT - BOTTOM}"/>'
        )
        left = right
    return parts


def _line(values: Sequence[int], x: Callable[[int], float], y: Callable[[float], float]) -> str:
    """Steps: points stay what they are until they change."""
    path = f"M{num(x(0))} {num(y(values[0]))}"
    for at in range(1, len(values)):
        if values[at] != values[at - 1]:
            path += f"H{num(x(at))}V{num(y(values[at]))}"
    return path + f"H{num(x(len(values) - 1))}"


def _mark(seat: int, x: float, y: float) -> str:
    return f'<path class="mark" d="{_MARKS[seat % len(_MARKS)]}" transform="translate({num(x)} {num(y)})"/>'


def _apart(places: Sequence[float]) -> list[float]:
    """The places, in their order, moved so far apart that labels there do not touch."""
    moved = list(places)
    order = sorted(range(len(places)), key=lambda index: places[index])
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + _LABEL_GAP)
    spare = max(0.0, max(moved) - (HEIGHT - 8))
    return [place - spare for place in moved]
