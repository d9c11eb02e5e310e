"""What every drawing of a quarter shares: what is told of it, its seals, its crest, the barges that reach it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from server.board.canvas import Box, Canvas
from server.engine.ulm1.tables import QUARTER_INDEX, QUARTERS

Owned = tuple[int, str]
"""A seat and its name."""


class Plot(NamedTuple):
    """A quarter as a view shows it."""

    number: int  # its place in QUARTERS
    seals: tuple[Owned, ...] = ()  # in the order in which they were laid
    crest: Owned | None = None
    people: tuple[str, ...] = ()  # the Descendants who wait there
    reached: tuple[Owned, ...] = ()  # whose barges reach it (D5, V12)
    own: bool = False  # whether the reader's own barge is the first of them
    marked: bool = False  # whether it changed

    @property
    def name(self) -> str:
        """The quarter's name in the notation."""
        return QUARTERS[self.number]


def told(canvas: Canvas, plot: Plot) -> str:
    """Return what a pointer or a screen reader is told of a quarter."""
    words = canvas.words
    text = f"{words.quarters[plot.name]}: {words.privileges[plot.name]}. "
    text += f"{len(plot.seals)}/{canvas.rules.seal_spaces[plot.number]}"
    if plot.seals:
        text += f": {', '.join(name for _, name in plot.seals)}"
    if plot.crest is not None:
        text += f". {words['crest'].format(plot.crest[1])}"
    if plot.reached:
        text += f". {words['reached'].format(', '.join(name for _, name in plot.reached))}"
    return text


PRESSED = ("desk", "town")
"""The layouts of the page of a game, where a press explains a quarter; others are looked at alone."""


@contextmanager
def ground(canvas: Canvas, plot: Plot, hit: Box) -> Iterator[None]:
    """Draw what follows as that quarter: a group, and a link where there is one."""
    data = {"quarter": plot.name, "seals": " ".join(str(seat) for seat, _ in plot.seals)}
    if plot.reached:
        data["reached"] = " ".join(str(seat) for seat, _ in plot.reached)
    key = f"quarter-{plot.name}"
    with canvas.group(key, told(canvas, plot), **data):
        if canvas.layout.name in PRESSED and key not in canvas.links:
            canvas.area(hit)  # whoever presses the middle of a quarter means it
        with canvas.link(key, hit):
            yield


def seal_places(canvas: Canvas, plot: Plot, left: float, cy: float, gap: float) -> None:
    """The places of seals in a row, the middle of the first at `left`, `cy`."""
    r = canvas.layout.seal
    for place in range(canvas.rules.seal_spaces[plot.number]):
        cx = left + place * gap
        with canvas.group(f"seal-{plot.name}-{place + 1}", seal_space=place + 1):
            symbol = f"seal-{plot.seals[place][0]}" if place < len(plot.seals) else "seal"
            canvas.use(symbol, cx - r, cy - r, 2 * r / 24)


def crest(canvas: Canvas, plot: Plot, x: float, y: float, on: str, beside: bool = False) -> None:
    """The shield of a plot: whose family crest lies there, and below or beside it what each later seal brings (W5)."""
    side = canvas.layout.crest
    if plot.crest is None:
        canvas.use("shield", x, y, side / 24)
    else:
        owner = plot.crest[0]
        with canvas.group(f"crest-{plot.name}", seat=owner):
            canvas.use(f"crest-{owner}", x, y, side / 24)
    later = f"+{canvas.rules.crest_vp[QUARTER_INDEX[plot.name]]}"
    size, ink = canvas.small, "muted" if plot.crest is None else "ink"
    bold = plot.crest is not None
    if beside:
        canvas.text(x + side + 1, y + side / 2 + size * 0.36, later, size, ink, on, bold=bold)
    else:
        canvas.text(x + side / 2, y + 1 + side + size, later, size, ink, on, "middle", bold)
