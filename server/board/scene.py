"""A quarter on the sheets that show all: building, name, privilege, seals in the middle, the crest in the corner."""

from server.board.canvas import Box, Canvas, num
from server.board.chips import descendant_chip, flow, least, small
from server.board.drawings import BUILDING
from server.board.measure import ELLIPSIS, width, wrap
from server.board.quarters import Plot, crest, ground, seal_places


def draw_scene(canvas: Canvas, plot: Plot, box: Box, on: str, fence: bool) -> None:
    """One quarter in a box (x, y, w, h) of a bank; `fence` is a fence to the next one."""
    x, y, w, h = box
    with ground(canvas, plot, (x + 2, y + 2, w - 4, h - 4)):
        if fence:
            canvas.path(f"M{num(x + w)} {num(y + 3)}V{num(y + h - 3)}", "none", "line", 1, "4 3")
        _scene(canvas, plot, box, on)
        r, count = canvas.layout.seal, canvas.rules.seal_spaces[plot.number]
        gap = min(2.35 * r, (w - 8) / count)
        seal_places(canvas, plot, x + w / 2 - gap * (count - 1) / 2, y + h - r - 4, gap)
        crest(canvas, plot, x + 4, y + 4, on)
        if plot.marked:
            canvas.glow(x + 2, y + 2, w - 4, h - 4)


def _scene(canvas: Canvas, plot: Plot, box: Box, on: str) -> None:
    """Building, name and privilege; beside the Oath House the Descendants who are left."""
    (x, y, w, _h), name = box, plot.name
    words = canvas.words
    shield = canvas.layout.crest + 6
    scale = min(canvas.layout.building, (w - shield - 6) / BUILDING[0])
    foot = y + 5 + BUILDING[1] * canvas.layout.building
    middle = x + w / 2
    if name == "oath_house":
        # The Descendants stand in a column of their own; what is left is the building's.
        chips = [descendant_chip(canvas, each) for each in plot.people]
        people = (
            max(w * (0.48 if canvas.layout.close else 0.44), min(w * 0.56, least(canvas, chips) + 4)) if chips else 0.0
        )
        scale = min(scale, (w - people - shield - 4) / BUILDING[0])
        canvas.use(
            f"building-{name}", x + (w - people + shield - BUILDING[0] * scale) / 2, foot - BUILDING[1] * scale, scale
        )
        left, middle, w = x + w - people, x + (w - people) / 2, w - people
        with canvas.group("descendants", words["oath_left"]):
            flow(canvas, chips, left, y + 5, people - 4, on, by=small(canvas))
    else:
        shift = max(0, shield + 2 - (w - BUILDING[0] * scale) / 2)
        canvas.use(f"building-{name}", middle - BUILDING[0] * scale / 2 + shift, foot - BUILDING[1] * scale, scale)
        if on == "meadow" and w > 2.2 * BUILDING[0] * scale:
            draw_trees(canvas, x + w, foot, scale)
            if w > 4 * BUILDING[0] * scale:
                draw_trees(canvas, x + w * 0.3, foot, scale)
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


def draw_trees(canvas: Canvas, right: float, base: float, scale: float) -> None:
    """Plant three poplars that end at `right`, on a broad plot of the south bank."""
    trees = []
    for place, high in ((62, 34), (40, 46), (18, 38)):
        cx, top, half = right - place * scale, base - high * scale, 7 * scale
        trees.append(
            f"M{num(cx)} {num(base)}v{num(-5 * scale)}C{num(cx - half * 2)} {num(base - 8 * scale)} {num(cx - half)} "
            f"{num(top + 6)} {num(cx)} {num(top)}C{num(cx + half)} {num(top + 6)} {num(cx + half * 2)} "
            f"{num(base - 8 * scale)} {num(cx)} {num(base - 5 * scale)}"
        )
    canvas.path("".join(trees), "leaf", "pen")
