"""A quarter on the page of a game: as small as it can be with everything on it whole, for `desk` and `town`."""

from server.board.canvas import Box, Canvas, num
from server.board.chips import descendant_chip, flow, small
from server.board.drawings import BUILDING
from server.board.measure import width, wrap
from server.board.quarters import Plot, crest, ground, seal_places
from server.board.scene import draw_trees

_LEAST = 0.28  # a building that would be smaller is left out
_OWN = 1.4  # times as large as others is the reader's own pennant
_EDGE = 4.0  # from the edge of a plot to what stands in it


def draw_plot(canvas: Canvas, plot: Plot, box: Box, on: str, fence: bool) -> None:
    """One quarter in a box (x, y, w, h) of a bank; `fence` is a fence to the next one."""
    x, y, w, h = box
    with ground(canvas, plot, (x + 1, y + 1, w - 2, h - 2)):
        if fence:
            canvas.path(f"M{num(x + w)} {num(y + 3)}V{num(y + h - 3)}", "none", "line", 1, "4 3")
        free = w - _people(canvas, plot, box, on)
        if canvas.layout.name == "desk":
            _broad(canvas, plot, (x, y, free, h), on)
        else:
            _low(canvas, plot, (x, y, free, h), on)
        if plot.own:
            _quay(canvas, plot, box, on)
        if plot.marked:
            canvas.glow(x + 2, y + 2, w - 4, h - 4)


def _people(canvas: Canvas, plot: Plot, box: Box, on: str) -> float:
    """The Descendants who wait, in a column at the right; returns its width."""
    if plot.name != "oath_house":
        return 0.0
    x, y, w, h = box
    chips = [descendant_chip(canvas, name) for name in plot.people]
    by = small(canvas)
    wide = max((by.width(chip, w) for chip in chips), default=0.0)
    # On a phone the longest name leaves the quarter's own just room enough.
    left, edge = (0.0, 2.0) if canvas.layout.name == "town" else (_EDGE, _EDGE)
    with canvas.group("descendants", canvas.words["oath_left"]):
        top = y + (h - len(chips) * (by.high + by.row) + by.row) / 2
        for chip in chips:  # one below the other, all of the same width
            flow(canvas, [chip], x + w - wide - edge, top, wide, on, by=by)
            top += by.high + by.row
    return wide + edge + left if chips else 0.0


def _broad(canvas: Canvas, plot: Plot, box: Box, on: str) -> None:
    """Crest, building and pennants side by side, name and privilege below, the seals at the foot."""
    x, y, w, h = box
    layout = canvas.layout
    crest(canvas, plot, x + _EDGE, y + _EDGE, on)
    flags, _ = _pennants(canvas, plot, x + w - 3, y + _EDGE, abreast=2)
    left, right = x + layout.crest + 1.5 * _EDGE, x + w - flags - 3
    scale = min(layout.building, (right - left) / BUILDING[0])
    foot = y + 3 + BUILDING[1] * layout.building
    middle = min(max(x + w / 2, left + BUILDING[0] * scale / 2), right - BUILDING[0] * scale / 2)
    canvas.use(f"building-{plot.name}", middle - BUILDING[0] * scale / 2, foot - BUILDING[1] * scale, scale)
    if on == "meadow" and w > 5 * BUILDING[0] * scale:
        draw_trees(canvas, x + w * 0.82, foot, scale)
        draw_trees(canvas, x + w * 0.3, foot, scale)
    base, size, rows = foot, layout.body, _title(canvas, plot, w - 2 * _EDGE)
    if len(rows) > 1 or width(rows[0], size) > w - 2 * _EDGE:
        size = layout.small
    for row in rows:
        base += size + 0.5
        canvas.text(x + w / 2, base, row, size, on=on, anchor="middle", bold=True)
    if len(rows) == 1:
        size = layout.small
        canvas.text(x + w / 2, base + size + 1.5, _privilege(canvas, plot, w - 6), size, "muted", on, "middle")
    count = canvas.rules.seal_spaces[plot.number]
    gap = min(2.35 * layout.seal, (w - 8) / count)
    seal_places(canvas, plot, x + w / 2 - gap * (count - 1) / 2, y + h - layout.seal - 4, gap)


def _low(canvas: Canvas, plot: Plot, box: Box, on: str) -> None:
    """Name and privilege in two rows, crest and seals in a third; the building where there is room for it."""
    x, y, w, h = box
    layout = canvas.layout
    flags, under = _pennants(canvas, plot, x + w - 2, y + 2, abreast=1)
    room = w - flags - _EDGE - 2
    rows = _title(canvas, plot, room)
    size = layout.body if len(rows) == 1 and width(rows[0], layout.body) <= room else layout.small
    base = y + (1.0 if on == "ground" else 2.5)  # below the reader's quay
    for row in rows:
        base += size
        canvas.text(x + _EDGE, base, row, size, on=on, bold=True)
    ends = [width(row, size) for row in rows]
    if len(rows) == 1:
        privilege = _privilege(canvas, plot, room)
        base += layout.small + 1
        canvas.text(x + _EDGE, base, privilege, layout.small, "muted", on)
        ends.append(width(privilege, layout.small))
    r, count = layout.seal, canvas.rules.seal_spaces[plot.number]
    worth = width("+2", layout.small) + 4
    gap, cy = 2 * r + 0.5, y + h - r - 3
    after = x + 3 + layout.crest + worth
    if after + count * gap <= x + w:
        crest(canvas, plot, x + 3, y + h - layout.crest - 2.5, on, beside=True)
        seal_places(canvas, plot, after + r, cy, gap)
        end = after + count * gap
    else:  # the crest stands above the seals
        crest(canvas, plot, x + 3, cy - r - layout.crest - 1, on, beside=True)
        seal_places(canvas, plot, x + 3 + r, cy, gap)
        end = x + 3 + count * gap
    # Beside all that is written as high as the plot, or below the writing, or below the pennants too: where it can be
    # largest.
    foot, written = y + h - 2, base + 3
    places = (
        (max(x + _EDGE + max(ends), end) + 4, y + 2, x + w - flags - 3),
        (end + 2, written, x + w - flags - 3),
        (end + 2, max(written, under + 1), x + w - 3),
    )
    scales = [
        min(layout.building, (right - left) / BUILDING[0], (foot - top) / BUILDING[1]) for left, top, right in places
    ]
    scale, (_, _, right) = max(zip(scales, places, strict=True), key=lambda found: found[0])
    if scale >= _LEAST:
        canvas.use(f"building-{plot.name}", right - BUILDING[0] * scale, foot - BUILDING[1] * scale, scale)


def _title(canvas: Canvas, plot: Plot, room: float) -> list[str]:
    """The name of a quarter, in two rows where it has to be."""
    name = canvas.words.quarters[plot.name]
    return [name] if width(name, canvas.small) <= room else wrap(name, canvas.small, room, 2)


def _privilege(canvas: Canvas, plot: Plot, room: float) -> str:
    """What a seal there brings, in so many words as there is room for."""
    whole = canvas.words.privileges[plot.name]
    return whole if width(whole, canvas.small) <= room else canvas.words.privileges_short[plot.name]


def _pennants(canvas: Canvas, plot: Plot, right: float, top: float, abreast: int) -> tuple[float, float]:
    """A pennant for each barge that reaches the quarter, `abreast` in a row; returns their room, and where they end."""
    high = canvas.layout.pennant
    taken = 0.0
    for start in range(0, len(plot.reached), abreast):
        row = plot.reached[start : start + abreast]
        edge, tall = right, high
        for place in range(len(row) - 1, -1, -1):
            side = high * (_OWN if plot.own and start + place == 0 else 1)
            edge, tall = edge - side, max(tall, side)
            canvas.use(f"pennant-{row[place]}", edge, top, side / 24)
        top += tall - 1
        taken = max(taken, right - edge + 2)
    return taken, top


def _quay(canvas: Canvas, plot: Plot, box: Box, on: str) -> None:
    """A line in the reader's colour along the water, where the own barge reaches the quarter."""
    x, y, w, h = box
    edge = y + h - 3 if on == "ground" else y
    canvas.rect(x + 2, edge, w - 4, 3, f"seat{plot.reached[0]}", "ink", 0.6, 1)
