"""What lies beside the board: docks, bag, draw pile, discard pile, coats of arms that are left."""

from typing import Literal

from server.board.canvas import Box, Canvas
from server.board.chips import Chip, card_chip, flow
from server.board.measure import ELLIPSIS, width, wrap
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import COLORS

PILE = 48  # the height of a card's back


def draw_supply(canvas: Canvas, view: View, x: float, y: float, w: float, high: float = 0) -> float:
    """Draw the supply in a panel `w` wide, at least `high`; returns its height."""
    pad, inner = canvas.layout.pad, w - 2 * canvas.layout.pad
    with canvas.at(x, y):
        start = len(canvas.parts)
        half, close = inner * 0.5, canvas.layout.close
        draw_heaps(canvas, view, "docks", pad, pad, half - 8)
        top = pad + draw_heaps(canvas, view, "bag", pad + half + 4, pad, half - 4) + (8 if close else 18)
        top += _piles(canvas, view, pad, top, inner)
        total = max(top + pad, high)
        legend = [Chip(f"pip-{color}", canvas.words.actions[color]) for color in COLORS]
        room = flow(canvas, legend, 0, 0, inner, draw=False)
        if total - pad - room > top + 14:  # where there is room to spare, for those who are new to the game
            with canvas.group("legend"):
                flow(canvas, legend, pad, total - pad - room, inner)
        canvas.frame_behind(start, 0, 0, w, total)
    return total


def heading(canvas: Canvas, x: float, y: float, text: str) -> float:
    """Write a heading, its top at y; returns its height."""
    canvas.text(x, y + canvas.body * 0.85, text, canvas.body, "ink", "panel", bold=True)
    return canvas.body + 6


def draw_heaps(canvas: Canvas, view: View, kind: Literal["docks", "bag"], x: float, y: float, w: float) -> float:
    """Draw docks or bag (L1) under their heading, with how many tiles there are of each; returns the height."""
    step = w / 5
    side = min(step * 0.86, 30 if canvas.layout.name == "narrow" else 44)
    with canvas.group(kind):
        top = heading(canvas, x, y, canvas.words["docks"] if kind == "docks" else bag_title(canvas, view["bag"]))
        for index, color in enumerate(COLORS):
            _heap(canvas, kind, color, view[kind][color], (x + index * step, y + top, step, side))
    return top + side + canvas.body + 4


def tile_or_place(canvas: Canvas, color: str, count: int, left: float, top: float, side: float) -> None:
    """Draw a tile of that colour for all that there are; where there is none its empty place."""
    if count:
        canvas.use(f"tile-{color}", left, top, side / 48)
    else:
        canvas.rect(left + 1, top + 1, side - 2, side - 2, "none", "line", 1, 5, "3 3")


def _heap(canvas: Canvas, kind: str, color: str, count: int, box: Box) -> None:
    """The tiles of one colour: one, and their number."""
    left, y, step, side = box
    words = canvas.words
    name, title = f"{kind}-{color}", f"{words[kind]}: {words.tiles(count, color)}"
    hit = (left - 2, y - 2, max(step - 1, side + 2), side + canvas.body + 8)
    with (
        canvas.group(name, title, color=color, count=count),
        canvas.link(name, hit, (left - 1, y - 1, side + 2, side + 2)),
    ):
        tile_or_place(canvas, color, count, left, y, side)
        if canvas.marked(name):
            canvas.glow(left - 2, y - 2, side + 4, side + 4)
        canvas.text(left + side / 2, y + side + canvas.body + 1, str(count), canvas.body,
                    "ink" if count else "muted", "panel", "middle", bool(count))  # fmt: skip


def bag_title(canvas: Canvas, bag: dict[str, int]) -> str:
    """The heading of the bag, whose contents are public (L1)."""
    return f"{canvas.words['bag']}: {sum(bag.values()) or canvas.words['empty']}"


def _piles(canvas: Canvas, view: View, x: float, y: float, w: float) -> float:
    """Draw pile and coats by their number, the discard pile card by card, the newest first (L5)."""
    words, column = canvas.words, _column(canvas)
    high = PILE * canvas.layout.pile
    left = draw_stacks(canvas, view, x, y, column, 4)
    cards = view["discard"][::-1]
    with canvas.group("discard", f"{words['discard']}: {len(cards)}", count=len(cards)):
        down = heading(canvas, left, y, f"{words['discard']}: {len(cards) if cards else words['empty']}")
        down += flow(canvas, [card_chip(canvas, card, "discard") for card in cards], left, y + down, x + w - left)
        if canvas.marked("discard"):
            canvas.glow(left - 4, y - 4, x + w - left + 6, down + 8)
    return max(high + canvas.body + written(canvas, column) + 5, down)


def written(canvas: Canvas, column: float) -> float:
    """The height of what stands under the numbers of pile and coats, in columns so wide."""
    return max(len(_label(canvas, kind, column)) for kind in ("pile", "coats")) * (canvas.small + 1)


def _column(canvas: Canvas) -> float:
    """How wide a pile is: as wide as its name needs, so that nothing of that is cut."""
    room = 40.0 if canvas.layout.close else 62.0
    while any(row.endswith(ELLIPSIS) for kind in ("pile", "coats") for row in _label(canvas, kind, room)):
        room += 2
    return room


def _label(canvas: Canvas, kind: str, column: float) -> list[str]:
    return wrap(canvas.words[f"t_{kind}"], canvas.small, column, 2)


def draw_stacks(canvas: Canvas, view: View, x: float, y: float, column: float, gap: float) -> float:
    """Draw pile and coats side by side, face down, with their numbers; returns where the next column begins."""
    for kind, count in (("pile", view["pile_size"]), ("coats", view["coats_size"])):
        _stack(canvas, kind, count, x, y, column)
        x += column + gap
    return x


def _stack(canvas: Canvas, kind: str, count: int, x: float, y: float, column: float) -> None:
    words, body, small = canvas.words, canvas.body, canvas.small
    scale = canvas.layout.pile
    wide, high = 34 * scale, PILE * scale
    left, middle = x + (column - wide) / 2, x + column / 2
    hit, edge = (x, y - 4, column, high + body + small + 8), (left - 3, y - 3, wide + 6, high + 4)
    with canvas.group(kind, f"{words[kind]}: {count}", count=count), canvas.link(kind, hit, edge):
        if not count:
            canvas.rect(left + 1, y + 1, wide - 2, high - 2, "none", "line", 1, 4, "3 3")
        elif kind == "pile":
            canvas.use("back", left, y, scale)
        else:
            canvas.use("coat-gold", left, y + (high - wide * 1.1) / 2, wide * 1.1 / 24)
        low = y + high + canvas.layout.caption
        canvas.text(middle, low + body, str(count), body, "ink", "panel", "middle", True)
        rows = _label(canvas, kind, column)
        size = small * min(1, *(column / width(row, small) for row in rows))
        for index, row in enumerate(rows, 1):
            canvas.text(middle, low + body + index * (small + 1), row, size, "muted", "panel", "middle")
        if canvas.marked(kind):
            canvas.glow(left - 2, y - 2, wide + 4, high + 4)
