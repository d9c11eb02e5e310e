"""Numbers on a picture of the board, each where its part lies: found in the drawing, so that none is beside it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from server.board.canvas import escape, num

_MOVE = re.compile(r"(translate|scale)\((-?[\d.]+)(?:[ ,]+(-?[\d.]+))?\)")
_R = 13.0  # of a number
_OVER = 4.0  # how far its middle may lie beyond the left edge: a phone has a narrow margin
_REACH = 22.0  # of what a finger has to hit


class Box(NamedTuple):
    """Where a part lies, in units of the picture."""

    left: float
    top: float
    right: float
    bottom: float


class Callout(NamedTuple):
    """A number on the picture: the part of the board that it is about (by its id), and what it leads to."""

    part: str
    href: str
    label: str


def boxes(svg: str, prefix: str) -> dict[str, Box]:
    """The boxes of the named groups of a picture (`square`, `quarter-garden`), from the outlines in them."""
    found: dict[str, Box] = {}
    start = f"{prefix}-"
    for name, box in _walk(ET.fromstring(svg), (1.0, 0.0, 0.0), ()):  # noqa: S314 - drawn by us
        if name.startswith(start):
            old = found.get(name.removeprefix(start), box)
            found[name.removeprefix(start)] = Box(
                min(old.left, box.left), min(old.top, box.top), max(old.right, box.right), max(old.bottom, box.bottom)
            )
    return found


def _walk(node: ET.Element, place: tuple[float, float, float], groups: tuple[str, ...]) -> Iterator[tuple[str, Box]]:
    """Each outline with each group that it is in; `place` is scale and shift."""
    tag = node.tag.rpartition("}")[2]
    if tag == "defs":
        return
    scale, x, y = place
    for kind, first, second in _MOVE.findall(node.get("transform", "")):
        if kind == "translate":
            x, y = x + scale * float(first), y + scale * float(second or 0)
        else:
            scale *= float(first)
    if "id" in node.attrib:
        groups = (*groups, node.attrib["id"])
    if (shape := _shape(tag, node)) is not None:
        box = Box(x + scale * shape[0], y + scale * shape[1], x + scale * shape[2], y + scale * shape[3])
        for name in groups:
            yield name, box
    for child in node:
        yield from _walk(child, (scale, x, y), groups)


def _shape(tag: str, node: ET.Element) -> tuple[float, float, float, float] | None:
    """How far an element reaches where it stands; of a symbol its corner, of what is written or curved nothing."""
    at = {name: float(node.get(name, 0)) for name in ("x", "y", "width", "height", "cx", "cy", "r") if tag != "text"}
    match tag:
        case "rect":
            return at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"]
        case "circle":
            return at["cx"] - at["r"], at["cy"] - at["r"], at["cx"] + at["r"], at["cy"] + at["r"]
        case "use":
            return at["x"], at["y"], at["x"], at["y"]
    return None


def numbered(svg: str, prefix: str, label: str, callouts: Sequence[Callout]) -> str:
    """The picture, called `label`, with a number at the upper left corner of each part, as a link.

    The first ones reach over the left edge, so that they hide no word: the page has to show what overflows.

    Screen readers are told the links alone. Raises `KeyError` for a part that the picture does not have.
    """
    there = boxes(svg, prefix)
    marks = "".join(_mark(number, callout, there[callout.part]) for number, callout in enumerate(callouts, 1))
    opening, _, drawn = svg.removesuffix("</svg>").partition(">")
    opening = opening.replace('aria-hidden="true"', f'role="group" aria-label="{escape(label)}"')
    return f'{opening}><g aria-hidden="true">{drawn}</g>{marks}</svg>'


def _mark(number: int, callout: Callout, box: Box) -> str:
    beside = box.left - 6
    x = num(beside if beside > 2 * _R else max(min(box.left - 13, 3), -_OVER))
    y = num(max(box.top - 6, _R + 1))
    label = escape(f"{number}: {callout.label}")
    return (
        f'<a class="callout" href="{escape(callout.href)}" aria-label="{label}"><circle cx="{x}" cy="{y}" '
        f'r="{num(_REACH)}" fill="transparent"/><circle class="callout-dot" cx="{x}" cy="{y}" r="{num(_R)}"/>'
        f'<text class="callout-number" x="{x}" y="{y}" dy=".36em" text-anchor="middle" font-size="15" '
        f'font-weight="700">{number}</text></a>'
    )
