"""What every drawing of a quarter shares: what is told of it, its seals, its crest, the barges that reach it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from server.board.canvas import Box, Canvas


class Plot(NamedTuple):
    """A quarter as a view shows it."""

    name: str  # in the notation
    number: int  # its place in QUARTERS
    seals: list[int]  # seats, in the order in which they were laid
    crest: int | None  # the seat whose family crest lies there
    people: list[str]  # the Descendants who wait there
    reached: list[int]  # the seats whose barges reach it (D5, V12)
    own: bool  # whether the reader's own barge is the first of them
    marked: bool  # whether it changed


def told(canvas: Canvas, plot: Plot) -> str:
    """Return what a pointer or a screen reader is told of a quarter."""
    words, names = canvas.words, canvas.names
    text = f"{words.quarters[plot.name]}: {words.privileges[plot.name]}. "
    text += f"{len(plot.seals)}/{canvas.rules.seal_spaces[plot.number]}"
    if plot.seals:
        text += f": {', '.join(names[seat] for seat in plot.seals)}"
    if plot.crest is not None:
        text += f". {words['crest'].format(names[plot.crest])}"
    if plot.reached:
        text += f". {words['reached'].format(', '.join(names[seat] for seat in plot.reached))}"
    return text


@contextmanager
def ground(canvas: Canvas, plot: Plot, hit: Box) -> Iterator[None]:
    """Draw what follows as that quarter: a group, and a link where there is one."""
    data = {"quarter": plot.name, "seals": " ".join(map(str, plot.seals))}
    if plot.reached:
        data["reached"] = " ".join(map(str, plot.reached))
    key = f"quarter-{plot.name}"
    with canvas.group(key, told(canvas, plot), **data):
        if canvas.layout.name in ("desk", "town") and key not in canvas.links:
            canvas.area(hit)  # on the page of a game a press anywhere explains the quarter
        with canvas.link(key, hit):
            yield


def seal_places(canvas: Canvas, plot: Plot, left: float, cy: float, gap: float) -> None:
    """The places of seals in a row, the middle of the first at `left`, `cy`."""
    r = canvas.layout.seal
    for place in range(canvas.rules.seal_spaces[plot.number]):
        cx = left + place * gap
        with canvas.group(f"seal-{plot.name}-{place + 1}", seal_space=place + 1):
            symbol = f"seal-{plot.seals[place]}" if place < len(plot.seals) else "seal"
            canvas.use(symbol, cx - r, cy - r, 2 * r / 24)


def crest(canvas: Canvas, plot: Plot, x: float, y: float, on: str, beside: bool = False) -> None:
    """The shield of a plot: whose family crest lies there, and below or beside it what each later seal brings (W5)."""
    side = canvas.layout.crest
    bold = plot.crest is not None
    if not bold:
        canvas.use("shield", x, y, side / 24)
    else:
        with canvas.group(f"crest-{plot.name}", seat=plot.crest):
            canvas.use(f"crest-{plot.crest}", x, y, side / 24)
    later = f"+{canvas.rules.crest_vp[plot.number]}"
    size, ink = canvas.small, "ink" if bold else "muted"
    if beside:
        canvas.text(x + side + 1, y + side / 2 + size * 0.36, later, size, ink, on, bold=bold)
    else:
        canvas.text(x + side / 2, y + 1 + side + size, later, size, ink, on, "middle", bold)
