"""The final scores, source by source."""

from server.board.canvas import Canvas
from server.board.listing import COLUMNS, column, minus, ranking, signed
from server.board.measure import fit, width
from server.engine.ulm1.shapes import View


def draw_scores(canvas: Canvas, view: View, x: float, y: float, w: float) -> float:
    """Draw the table of the final scores in a panel; returns its height."""
    start = len(canvas.parts)
    pad = canvas.layout.pad
    left, inner = x + pad, w - 2 * pad
    words, body, small = canvas.words, canvas.body, canvas.small
    top = y + pad
    with canvas.group("scores", words["scores"]):
        side = body * 1.7
        canvas.use("crown", left, top, side / 24, "gold")
        title, base = canvas.lister.winners(view), top + side / 2 + body * 0.4
        canvas.fitted(left + side + 6, base, title, body * 1.15, inner - side - 6, on="panel", bold=True)
        top += side + (6 if canvas.layout.close else 10)
        # In the narrow layout a seat is its seal alone: the panels below tell the names.
        name_room = 26.0 if canvas.layout.close else inner * 0.22
        labels = [words[f"score_{name}"] for name in COLUMNS]
        size, rights = _columns(labels, small, left + name_room, inner - name_room)
        for label, right in zip(labels, rights, strict=True):
            canvas.text(right, top + small, label, size, "muted", "panel", "end")
        top += small + 6
        for seat in ranking(view):
            top += _row(canvas, view, seat, left, top, name_room, rights)
    canvas.frame_behind(start, x, y, w, top - y + pad - 2)
    return top - y + pad - 2


def _columns(labels: list[str], small: float, left: float, room: float) -> tuple[float, list[float]]:
    """The size of the columns' heads, and where each column ends: as wide as its head, and all as far apart."""
    size = small * min(1, (room - 3 * len(labels)) / sum(width(label, small) for label in labels))
    wide = [width(label, size) for label in labels]
    apart = (room - sum(wide)) / len(labels)
    return size, [left + sum(wide[: index + 1]) + apart * (index + 1) for index in range(len(labels))]


def _row(canvas: Canvas, view: View, seat: int, x: float, y: float, name_room: float, rights: list[float]) -> float:
    """One seat: its numbers, and below them its Chronicle cards one by one."""
    score, words = (view["scores"] or [])[seat], canvas.words
    body, small = canvas.body, canvas.small
    high = body + 12
    with canvas.group(f"score-{seat}", canvas.names[seat], seat=seat, rank=score["rank"], total=score["total"]):
        right = rights[-1]
        canvas.path(f"M{x:g} {y:g}H{right:g}", "none", "line", 0.8)
        side = body + 6
        canvas.use(f"seal-{seat}", x, y + 4, side / 24)
        if name_room > 60:
            room = name_room - side - 8
            canvas.fitted(
                x + side + 5, y + high * 0.7, canvas.names[seat], body, room, on="panel", bold=score["rank"] == 1
            )
        for name, end in zip(COLUMNS, rights, strict=True):
            value = column(score, name)
            text = signed(value) if name == "barge" else minus(value)
            bold = name == "total"
            canvas.text(end, y + high * 0.7, text, body, "ink", "panel", "end", bold)
        if score["chronicle"]:
            cards = " · ".join(f"{words.card(card)} {vp}" for card, vp in score["chronicle"].items())
            canvas.text(
                right, y + high + small * 0.5, fit(cards, small, right - x - 30), small, "muted", "panel", "end"
            )
            high += small + 2
    return high + 2
