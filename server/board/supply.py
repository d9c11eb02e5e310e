"""What lies beside the board: docks, bag, draw pile, discard pile, coats of arms that are left."""

from typing import Any

from server.board.canvas import Canvas
from server.board.chips import Chip, card_chip, flow
from server.board.measure import fit
from server.engine.tables import COLORS


def draw_supply(canvas: Canvas, view: dict[str, Any], x: float, y: float, w: float, high: float = 0) -> float:
    """Draw the supply in a panel `w` wide, at least `high`; returns its height."""
    start = len(canvas.parts)
    pad = 9 if canvas.narrow else 14
    inner, words = w - 2 * pad, canvas.words
    top = y + pad
    half = inner * 0.5
    row = max(_docks(canvas, view, x + pad, top, half - 8), _bag(canvas, view, x + pad + half + 4, top, half - 4))
    top += row + (8 if canvas.narrow else 18)
    top += _piles(canvas, view, x + pad, top, inner)
    total = max(top + pad - y, high)
    legend = [Chip(f"pip-{color}", words.actions[color]) for color in COLORS]
    room = flow(canvas, legend, x + pad, 0, inner, draw=False)
    if y + total - pad - room > top + 14:  # where there is room to spare, for those who are new to the game
        with canvas.group("legend"):
            flow(canvas, legend, x + pad, y + total - pad - room, inner)
    canvas.frame_behind(start, x, y, w, total)
    return total


def _heading(canvas: Canvas, x: float, y: float, text: str) -> float:
    canvas.text(x, y + canvas.body * 0.85, text, canvas.body, "ink", "panel", bold=True)
    return canvas.body + 6


def _row(canvas: Canvas, x: float, y: float, w: float, kind: str, counts: dict[str, int]) -> float:
    """Five tiles in a row with how many there are of each; returns the height."""
    words = canvas.words
    step = w / 5
    side = min(step * 0.86, 30 if canvas.narrow else 44)
    for index, color in enumerate(COLORS):
        count = counts[color]
        left = x + index * step
        title = f"{words[kind]}: {words.colors[color]} {count}"
        box = (left - 2, y - 2, max(step - 1, side + 2), side + canvas.body + 8)
        with (
            canvas.group(f"{kind}-{color}", title, color=color, count=count),
            canvas.link(f"{kind}-{color}", box, (left - 1, y - 1, side + 2, side + 2)),
        ):
            if count:
                canvas.use(f"tile-{color}", left, y, side / 48)
            else:
                canvas.rect(left + 1, y + 1, side - 2, side - 2, "none", "line", 1, 5, "3 3")
            if canvas.marked(f"{kind}-{color}"):
                canvas.glow(left - 2, y - 2, side + 4, side + 4)
            canvas.text(left + side / 2, y + side + canvas.body + 1, str(count), canvas.body,
                        "ink" if count else "muted", "panel", "middle", bool(count))  # fmt: skip
    return side + canvas.body + 4


def _docks(canvas: Canvas, view: dict[str, Any], x: float, y: float, w: float) -> float:
    """The docks: the quay on which the tiles stand."""
    with canvas.group("docks"):
        top = _heading(canvas, x, y, canvas.words["docks"])
        return top + _row(canvas, x, y + top, w, "docks", view["docks"])


def _bag(canvas: Canvas, view: dict[str, Any], x: float, y: float, w: float) -> float:
    """The bag with its contents, which are public (L1)."""
    with canvas.group("bag"):
        total = sum(view["bag"].values())
        top = _heading(canvas, x, y, f"{canvas.words['bag']}: {total}" if total else
                       f"{canvas.words['bag']}: {canvas.words['empty']}")  # fmt: skip
        return top + _row(canvas, x, y + top, w, "bag", view["bag"])


def _piles(canvas: Canvas, view: dict[str, Any], x: float, y: float, w: float) -> float:
    """Draw pile and coats by their number, the discard pile card by card, the newest first (L5)."""
    words = canvas.words
    scale = 0.75 if canvas.narrow else 1.25
    wide, high = 34 * scale, 48 * scale
    column = 40.0 if canvas.narrow else 62.0
    left = x + (column - wide) / 2
    for kind, symbol, count in (("pile", "back", view["pile_size"]), ("coats", "coat-gold", view["coats_size"])):
        box = (left + wide / 2 - column / 2, y - 4, column, high + canvas.body + canvas.small + 8)
        with canvas.group(kind, f"{words[kind]}: {count}", count=count), canvas.link(kind, box):
            if not count:
                canvas.rect(left + 1, y + 1, wide - 2, high - 2, "none", "line", 1, 4, "3 3")
            elif kind == "pile":
                canvas.use(symbol, left, y, scale)
            else:
                canvas.use(symbol, left, y + (high - wide * 1.1) / 2, wide * 1.1 / 24)
            canvas.text(
                left + wide / 2, y + high + canvas.body, str(count), canvas.body, "ink", "panel", "middle", True
            )
            label = fit(words[f"t_{kind}"], canvas.small, column)
            canvas.text(left + wide / 2, y + high + canvas.body + canvas.small + 2, label, canvas.small, "muted",
                        "panel", "middle")  # fmt: skip
            if canvas.marked(kind):
                canvas.glow(left - 2, y - 2, wide + 4, high + 4)
        left += column + 4
    cards = list(reversed(view["discard"]))
    with canvas.group("discard", f"{words['discard']}: {len(cards)}", count=len(cards)):
        heading = f"{words['discard']}: {len(cards) if cards else words['empty']}"
        down = _heading(canvas, left, y, heading)
        down += flow(canvas, [card_chip(canvas, card, "discard") for card in cards], left, y + down, x + w - left)
        if canvas.marked("discard"):
            canvas.glow(left - 4, y - 4, x + w - left + 6, down + 8)
    return max(high + canvas.body + canvas.small + 6, down)
