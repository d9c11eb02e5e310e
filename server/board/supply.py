"""What lies beside the board: docks, bag, draw pile, discard pile, coats of arms that are left."""

from collections.abc import Mapping

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
        half = inner * 0.5
        _docks(canvas, view, pad, pad, half - 8)
        top = pad + _bag(canvas, view, pad + half + 4, pad, half - 4) + (8 if canvas.layout.close else 18)
        top += _piles(canvas, view, pad, top, inner)
        total = max(top + pad, high)
        room = _legend_height(canvas, inner)
        if total - pad - room > top + 14:  # where there is room to spare, for those who are new to the game
            _draw_legend(canvas, pad, total - pad - room, inner)
        canvas.frame_behind(start, 0, 0, w, total)
    return total


def _legend_height(canvas: Canvas, room: float) -> float:
    return flow(canvas, _legend_chips(canvas), 0, 0, room, draw=False)


def _legend_chips(canvas: Canvas) -> list[Chip]:
    return [Chip(f"pip-{color}", canvas.words.actions[color]) for color in COLORS]


def _draw_legend(canvas: Canvas, x: float, y: float, w: float) -> None:
    with canvas.group("legend"):
        flow(canvas, _legend_chips(canvas), x, y, w)


def heading(canvas: Canvas, x: float, y: float, text: str) -> float:
    """Write a heading, its top at y; returns its height."""
    canvas.text(x, y + canvas.body * 0.85, text, canvas.body, "ink", "panel", bold=True)
    return canvas.body + 6


def heaps(canvas: Canvas, counts: Mapping[str, int], kind: str, x: float, y: float, w: float) -> float:
    """Draw five tiles in a row with how many there are of each, `kind` "docks" or "bag"; returns the height."""
    step = w / 5
    side = min(step * 0.86, 30 if canvas.layout.name == "narrow" else 44)
    for index, color in enumerate(COLORS):
        name = f"{kind}-{color}"
        box = (x + index * step, y, step, side)
        _heap(canvas, kind, color, counts[color], box, canvas.marked(name))
    return side + canvas.body + 4


def tile_or_place(canvas: Canvas, color: str, count: int, left: float, top: float, side: float) -> None:
    """Draw a tile of that colour for all that there are; where there is none its empty place."""
    if count:
        canvas.use(f"tile-{color}", left, top, side / 48)
    else:
        canvas.rect(left + 1, top + 1, side - 2, side - 2, "none", "line", 1, 5, "3 3")


def _heap(canvas: Canvas, kind: str, color: str, count: int, box: Box, marked: bool) -> None:
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
        if marked:
            canvas.glow(left - 2, y - 2, side + 4, side + 4)
        canvas.text(left + side / 2, y + side + canvas.body + 1, str(count), canvas.body,
                    "ink" if count else "muted", "panel", "middle", bool(count))  # fmt: skip


def bag_title(canvas: Canvas, bag: dict[str, int]) -> str:
    """The heading of the bag, whose contents are public (L1)."""
    return f"{canvas.words['bag']}: {sum(bag.values()) or canvas.words['empty']}"


def _docks(canvas: Canvas, view: View, x: float, y: float, w: float) -> float:
    """The docks: the quay on which the tiles stand."""
    with canvas.group("docks"):
        top = heading(canvas, x, y, canvas.words["docks"])
        return top + heaps(canvas, view["docks"], "docks", x, y + top, w)


def _bag(canvas: Canvas, view: View, x: float, y: float, w: float) -> float:
    """The bag with its contents, which are public (L1)."""
    with canvas.group("bag"):
        top = heading(canvas, x, y, bag_title(canvas, view["bag"]))
        return top + heaps(canvas, view["bag"], "bag", x, y + top, w)


def _piles(canvas: Canvas, view: View, x: float, y: float, w: float) -> float:
    """Draw pile and coats by their number, the discard pile card by card, the newest first (L5)."""
    words = canvas.words
    high = PILE * canvas.layout.pile
    column = _column(canvas)
    left = x
    for kind, count in (("pile", view["pile_size"]), ("coats", view["coats_size"])):
        stack(canvas, kind, count, left, y, column, canvas.marked(kind))
        left += column + 4
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


def stack(canvas: Canvas, kind: str, count: int, x: float, y: float, column: float, marked: bool) -> None:
    """Draw pile or coats, face down, with their number."""
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
        if marked:
            canvas.glow(left - 2, y - 2, wide + 4, high + 4)
