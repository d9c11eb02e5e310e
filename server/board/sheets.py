"""The sheet of each layout: what stands on it, and where."""

from collections.abc import Callable

from server.board.canvas import Canvas, num
from server.board.cathedral import draw_square, draw_tower
from server.board.describe import headline
from server.board.players import draw_player, frame_player
from server.board.scores import draw_scores
from server.board.stock import draw_stock, draw_tray
from server.board.supply import draw_supply
from server.board.town import draw_town
from server.board.turn import draw_turn
from server.engine.ulm1.shapes import View


def draw(canvas: Canvas, view: View) -> tuple[float, float]:
    """Draw all that the layout of the canvas has; returns width and height in units."""
    return _SHEETS[canvas.layout.name](canvas, view)


def _wide(canvas: Canvas, view: View) -> tuple[float, float]:
    """Tower, square and panels side by side, the town across, the players two or three abreast."""
    margin, gap = 24, 14
    top = _header(canvas, view, margin, margin, canvas.layout.width - 2 * margin)
    side = 5 * canvas.layout.pitch
    left = margin + 118
    right = left + side + gap + 4
    room = canvas.layout.width - margin - right
    high = draw_scores(canvas, view, right, top, room) if view["scores"] else draw_turn(canvas, view, right, top, room)
    high += gap + draw_supply(canvas, view, right, top + high + gap, room, side - high - gap)
    tallest = max(side, high)
    draw_tower(canvas, view, margin, top + (tallest - side) / 2, 108, side)
    draw_square(canvas, view, left, top + (tallest - side) / 2)
    top += tallest + gap
    top += draw_town(canvas, view, margin, top, canvas.layout.width - 2 * margin) + gap
    seats = range(len(view["players"]))
    abreast = 3 if len(seats) == 3 else 2
    each = (canvas.layout.width - 2 * margin - gap * (abreast - 1)) / abreast
    for first in seats[::abreast]:
        row = {seat: margin + (seat - first) * (each + gap) for seat in seats[first : first + abreast]}
        drawn = {seat: draw_player(canvas, view, seat, each) for seat in row}
        tall = max(high for _, high in drawn.values())
        for seat, at in row.items():
            frame_player(canvas, view, seat, drawn[seat][0], (at, top, each, tall))
        top += tall + gap
    return canvas.layout.width, top - gap + margin


def _narrow(canvas: Canvas, view: View) -> tuple[float, float]:
    """Everything in one column, for a phone held upright and for mails."""
    margin, gap = 10, 8
    room = canvas.layout.width - 2 * margin
    top = _header(canvas, view, margin, margin, room)
    if view["scores"]:
        top += draw_scores(canvas, view, margin, top, room) + gap
    else:
        top += draw_turn(canvas, view, margin, top, room) + gap
    side = 5 * canvas.layout.pitch
    top += 3  # for the coat seals, which lie across the edge of the square
    draw_tower(canvas, view, margin, top, 70, side)
    draw_square(canvas, view, canvas.layout.width - margin - side, top)
    top += side + gap + 3
    top += draw_supply(canvas, view, margin, top, room) + gap
    top += draw_town(canvas, view, margin, top, room) + gap
    seats = list(range(len(view["players"])))
    if canvas.seat in seats:  # the reader's own supply first, then round the table
        seats = seats[canvas.seat :] + seats[: canvas.seat]
    for seat in seats:
        drawn, high = draw_player(canvas, view, seat, room)
        frame_player(canvas, view, seat, drawn, (margin, top, room, high))
        top += high + gap
    return canvas.layout.width, top - gap + margin


def _header(canvas: Canvas, view: View, x: float, y: float, w: float) -> float:
    """The title of the sheet; returns the y below it."""
    size = canvas.body * (1.5 if canvas.layout.close else 1.9)
    base = y + size
    canvas.text(x + 2, base, headline(canvas, view), size, bold=True)
    canvas.text(x + w - 2, base, canvas.words["ply"].format(view["ply"]), canvas.body, "muted", anchor="end")
    line = base + size * 0.42
    canvas.path(f"M{num(x)} {num(line)}H{num(x + w)}M{num(x)} {num(line + 3)}H{num(x + w)}", "none", "ink", 0.9)
    return line + (11 if canvas.layout.close else 16)


def _desk(canvas: Canvas, view: View) -> tuple[float, float]:
    """Tower, square and supply side by side, the town across below them: no header, no players, no turn."""
    margin, gap = 8, 8
    side, tower = 5 * canvas.layout.pitch, 92
    room = canvas.layout.width - 2 * margin
    draw_tower(canvas, view, margin, margin, tower, side)
    draw_square(canvas, view, margin + tower + 4, margin)
    left = margin + tower + 4 + side + gap + 2
    draw_stock(canvas, view, left, margin, canvas.layout.width - margin - left, side)
    top = margin + side + gap
    return canvas.layout.width, top + draw_town(canvas, view, margin, top, room) + margin


def _square(canvas: Canvas, view: View) -> tuple[float, float]:
    """One half of the board for a phone: tower, square, docks and bag, the piles below."""
    margin, gap, tower = 5, 4, 23
    side = 5 * canvas.layout.pitch
    room = canvas.layout.width - 2 * margin
    draw_tower(canvas, view, margin, margin, tower, side)
    draw_square(canvas, view, margin + tower + 6, margin)
    left = margin + tower + 6 + side + 5
    draw_tray(canvas, view, left, margin, canvas.layout.width - margin - left, side)
    top = margin + side + gap
    return canvas.layout.width, top + draw_stock(canvas, view, margin, top, room, 76) + margin


def _town(canvas: Canvas, view: View) -> tuple[float, float]:
    """The other half: the quarters and the river, cut at the bridge."""
    margin, w = 5, canvas.layout.width
    return w, margin + draw_town(canvas, view, margin, margin, w - 2 * margin) + margin


_SHEETS: dict[str, Callable[[Canvas, View], tuple[float, float]]] = {
    "wide": _wide,
    "narrow": _narrow,
    "desk": _desk,
    "square": _square,
    "town": _town,
}
