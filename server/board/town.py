"""The town along the Danube: quarters on both banks, set beside the spaces from which they are reached (D5).

The wide layout shows the river in one piece, the narrow one in two, cut at the bridge.
"""

from typing import Any

import orjson

from server.board import danube
from server.board.buildings import HEIGHT, WIDTH, draw_building
from server.board.canvas import Box, Canvas, num
from server.board.chips import descendant_chip, flow, least
from server.board.danube import Reach
from server.board.fragments import put, put_panel
from server.board.measure import ELLIPSIS, width, wrap
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import (
    BRIDGE_AFTER,
    DESCENDANTS,
    LAST_SPACE,
    QUARTER_INDEX,
    QUARTERS,
)

Placed = tuple[tuple[int, ...], tuple[str, ...]]  # the seats whose seals lie in a quarter, and their names
_LINKS = (*(f"quarter-{name}" for name in QUARTERS), *(f"descendant-{name}" for name in DESCENDANTS))


def draw_town(canvas: Canvas, view: View, x: float, y: float, w: float) -> float:
    """Draw quarters, river and barges, their top at y; returns the height."""
    if not canvas.narrow:
        return _reach(canvas, view, Reach(1, LAST_SPACE, 0, w, 34), x, y)
    high = _reach(canvas, view, Reach(1, BRIDGE_AFTER, 0, w, 16), x, y)
    return high + 8 + _reach(canvas, view, Reach(BRIDGE_AFTER + 1, LAST_SPACE, 0, w, 16), x, y + high + 8)


def _reach(canvas: Canvas, view: View, reach: Reach, x: float, y: float) -> float:
    bank = 131.0 if canvas.narrow else 150.0
    high = 2 * bank + danube.height(canvas)
    with canvas.at(x, y):
        shown = {part: view[part] for part in ("quarters", "crests", "descendants")}
        put_panel(canvas, _banks, reach, bank, orjson.dumps(shown), links=_LINKS)
        danube.draw_river(canvas, view, reach, bank)
        canvas.rect(0, 0, reach.w, high, "none", "ink", 1.4, 3)
    return high


def _banks(canvas: Canvas, reach: Reach, high: float, shown: bytes) -> None:
    """The quarters on both sides of a stretch of the river, each bank `high`."""
    view = orjson.loads(shown)
    banks: tuple[tuple[Any, float, str], ...] = (
        (canvas.rules.north_bank, 0, "ground"),
        (canvas.rules.south_bank, high + danube.height(canvas), "meadow"),
    )
    for _, top, fill in banks:
        canvas.rect(0, top, reach.w, high, fill)
    for bank, top, fill in banks:
        for first, last, quarter in bank:
            if first > reach.last or last < reach.first:
                continue
            left, right = reach.bounds(first, last)
            box = (left, top, right - left, high)
            _quarter_of(canvas, view, quarter, box, fill, right < reach.w - 1)


def _quarter_of(canvas: Canvas, view: View, index: int, box: Box, on: str, fence: bool) -> None:
    """One quarter, as the view has it."""
    name = QUARTERS[index]
    seals = tuple(view["quarters"][name])
    owner = view["crests"].get(name)
    crest = None if owner is None else (owner, canvas.names[owner])
    people = tuple(view["descendants"]) if name == "oath_house" else ()
    links = (f"quarter-{name}", *(f"descendant-{each}" for each in people))
    names = tuple(canvas.names[seat] for seat in seals)
    marked = canvas.marked(f"quarter-{name}")
    put(canvas, _quarter, index, box, on, fence, (seals, names), crest, people, marked, links=links)


def _quarter(canvas: Canvas, index: int, box: Box, on: str, fence: bool, placed: Placed,
             crest: tuple[int, str] | None, people: tuple[str, ...], marked: bool) -> None:  # fmt: skip
    """One quarter in a box (x, y, w, h) of a bank: building, name, privilege, seals, crest; a fence to the next one."""
    x, y, w, h = box
    name = QUARTERS[index]
    words = canvas.words
    seals, names = placed
    title = f"{words.quarters[name]}: {words.privileges[name]}. {len(seals)}/{canvas.rules.seal_spaces[index]}"
    title += f": {', '.join(names)}" if names else ""
    if crest is not None:
        title += f". {words['crest'].format(crest[1])}"
    with (
        canvas.group(f"quarter-{name}", title, quarter=name, seals=" ".join(map(str, seals))),
        canvas.link(f"quarter-{name}", (x + 2, y + 2, w - 4, h - 4)),
    ):
        if fence:
            canvas.path(f"M{num(x + w)} {num(y + 3)}V{num(y + h - 3)}", "none", "line", 1, "4 3")
        _scene(canvas, name, people, box, on)
        _seal_spaces(canvas, index, seals, box)
        _crest(canvas, name, None if crest is None else crest[0], x, y, on)
        if marked:
            canvas.glow(x + 2, y + 2, w - 4, h - 4)


def _scene(canvas: Canvas, name: str, descendants: tuple[str, ...], box: Box, on: str) -> None:
    """Building, name and privilege; beside the Oath House the Descendants who are left."""
    x, y, w, _h = box
    words = canvas.words
    shield = crest_side(canvas) + 6
    scale = min(0.84 if canvas.narrow else 1.0, (w - shield - 6) / WIDTH)
    foot = y + 5 + HEIGHT * (0.84 if canvas.narrow else 1.0)
    middle = x + w / 2
    if name == "oath_house":
        # The Descendants stand in a column of their own; what is left is the building's.
        chips = [descendant_chip(canvas, each) for each in descendants]
        people = max(w * (0.48 if canvas.narrow else 0.44), min(w * 0.56, least(canvas, chips) + 4)) if chips else 0.0
        scale = min(scale, (w - people - shield - 4) / WIDTH)
        draw_building(canvas, name, x + (w - people + shield - WIDTH * scale) / 2, foot - HEIGHT * scale, scale)
        left, middle, w = x + w - people, x + (w - people) / 2, w - people
        with canvas.group("descendants", words["oath_left"]):
            flow(canvas, chips, left, y + 5, people - 4, on, small=True)
    else:
        shift = max(0, shield + 2 - (w - WIDTH * scale) / 2)
        draw_building(canvas, name, middle - WIDTH * scale / 2 + shift, foot - HEIGHT * scale, scale)
        if on == "meadow" and w > 2.2 * WIDTH * scale:
            _trees(canvas, x + w, foot, scale)
            if w > 4 * WIDTH * scale:
                _trees(canvas, x + w * 0.3, foot, scale)
    size, head = canvas.small, canvas.body
    base = foot + head + 1
    title = words.quarters[name]
    rows = [title]
    if width(title, head) > w - 4:
        head = size
        rows = wrap(title, head, w - 4, 2)
    for row in rows:
        canvas.text(middle, base, row, head, on=on, anchor="middle", bold=True)
        base += head + 1
    base -= head + 1
    for size in (canvas.small, canvas.small - 0.8, canvas.small - 1.6):  # as small as it must be to be whole
        lines = wrap(words.privileges[name], size, w - 6, 3 - len(rows))
        if not lines[-1].endswith(ELLIPSIS):
            break
    for line in lines:
        base += size + 2
        canvas.text(middle, base, line, size, "muted", on, "middle")


def crest_side(canvas: Canvas) -> float:
    """Return the height of a shield in this layout."""
    return 19 if canvas.narrow else 25


def _trees(canvas: Canvas, right: float, base: float, scale: float) -> None:
    """Plant three poplars that end at `right`, on a broad plot of the south bank."""
    trees = []
    for place, high in ((62, 34), (40, 46), (18, 38)):
        cx, top, half = right - place * scale, base - high * scale, 7 * scale
        trees.append(
            f"M{num(cx)} {num(base)}v{num(-5 * scale)}C{num(cx - half * 2)} {num(base - 8 * scale)} {num(cx - half)} "
            f"{num(top + 6)} {num(cx)} {num(top)}C{num(cx + half)} {num(top + 6)} {num(cx + half * 2)} "
            f"{num(base - 8 * scale)} {num(cx)} {num(base - 5 * scale)}"
        )
    canvas.path("".join(trees), "leaf", "ink", 1)


def _seal_spaces(canvas: Canvas, index: int, seals: tuple[int, ...], box: Box) -> None:
    x, y, w, h = box
    r = 10.0 if canvas.narrow else 13.0
    count = canvas.rules.seal_spaces[index]
    gap = min(2.35 * r, (w - 8) / count)
    left, cy = x + w / 2 - gap * (count - 1) / 2, y + h - r - 4
    for place in range(count):
        cx = left + place * gap
        with canvas.group(f"seal-{QUARTERS[index]}-{place + 1}", seal_space=place + 1):
            if place < len(seals):
                canvas.use(f"seal-{seals[place]}", cx - r, cy - r, 2 * r / 24)
            else:
                canvas.use("seal", cx - r, cy - r, 2 * r / 24)


def _crest(canvas: Canvas, name: str, owner: int | None, x: float, y: float, on: str) -> None:
    """The shield in the corner of a plot: whose family crest lies there, and what each later seal brings it (W5)."""
    side = crest_side(canvas)
    if owner is None:
        canvas.use("shield", x + 4, y + 4, side / 24)
    else:
        with canvas.group(f"crest-{name}", seat=owner):
            canvas.use(f"crest-{owner}", x + 4, y + 4, side / 24)
    later = f"+{canvas.rules.crest_vp[QUARTER_INDEX[name]]}"
    size, ink = canvas.small, "ink" if owner is not None else "muted"
    canvas.text(x + 4 + side / 2, y + 5 + side + size, later, size, ink, on, "middle", owner is not None)
