"""Labels that flow like words: cards, Descendants, coats. A chip is measured first, then drawn where it fits."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from server.board.canvas import Canvas, escape
from server.board.listing import card_colors
from server.board.measure import fit, width
from server.engine.tables import COATS


@dataclass(frozen=True)
class Chip:
    """One label: an icon, a text, colours that belong to it, and what a pointer or a screen reader is told."""

    icon: str
    text: str
    pips: tuple[str, ...] = ()
    title: str = ""
    data: tuple[str, str] | None = None
    fill: str = "chip"


def card_chip(canvas: Canvas, card: str) -> Chip:
    """Return the chip of a card that is open to the reader."""
    colors = card_colors(card)
    kind = card.partition("-")[0]
    words = canvas.words
    title = canvas.lister.card(card)
    return Chip(kind if colors else "scroll", words.card(card), colors, title, ("card", card))


def descendant_chip(canvas: Canvas, name: str) -> Chip:
    """Return the chip of a Descendant."""
    words = canvas.words
    title = f"{words.descendants[name]}: {words.descendant_effects[name]}"
    return Chip("person", words.descendants[name], (), title, ("descendant", name))


def coat_chip(canvas: Canvas, slot: str) -> Chip:
    """Return the chip of a coat of arms."""
    metal = "silver" if COATS[slot][1] is None else "gold"
    return Chip(f"coat-{metal}", slot, (), canvas.lister.coat(slot), ("coat", slot))


def coat_offer_chip(canvas: Canvas, slot: str) -> Chip:
    """Return the chip of a coat that is on offer: with what it is worth."""
    return replace(coat_chip(canvas, slot), text=canvas.lister.short_coat(slot))


def label_chip(text: str) -> Chip:
    """Return a heading that flows with the chips it stands before."""
    return Chip("", text, fill="")


def height(canvas: Canvas) -> float:
    """Return the height of a chip in this layout."""
    return 17 if canvas.narrow else 22


def chip_width(canvas: Canvas, chip: Chip, room: float) -> float:
    """Return the width of a chip that has at most `room`."""
    size, high = canvas.small, height(canvas)
    pad = 0 if not chip.fill else 10
    icon = high - 3 if chip.icon else 0
    return min(room, pad + icon + width(chip.text, size) + len(chip.pips) * (high - 4) + (3 if chip.pips else 0))


def flow(canvas: Canvas, chips: Sequence[Chip], x: float, y: float, room: float, on: str = "panel",
         draw: bool = True) -> float:  # fmt: skip
    """Draw `chips` from left to right into a column `room` wide, its top at y; returns the height that they take.

    With `draw` false nothing is drawn: that measures.
    """
    high, gap = height(canvas), 4 if canvas.narrow else 5
    left, top = x, y
    for chip in chips:
        wide = chip_width(canvas, chip, room)
        if left > x and left + wide > x + room:
            left, top = x, top + high + gap
        if draw:
            _draw(canvas, chip, left, top, wide, on)
        left += wide + gap
    return top + high - y if chips else 0


def _draw(canvas: Canvas, chip: Chip, x: float, y: float, wide: float, on: str) -> None:
    high, size = height(canvas), canvas.small
    base = y + high / 2 + size * 0.36
    if not chip.fill:
        canvas.text(x, base, chip.text, size, "muted", on)
        return
    data = f' data-{chip.data[0]}="{chip.data[1]}"' if chip.data else ""
    canvas.add(f"<g{data}>" + (f"<title>{escape(chip.title)}</title>" if chip.title else ""))
    canvas.rect(x, y, wide, high, chip.fill, "line", 1, high / 2.6)
    left = x + 5
    if chip.icon:
        box = 48 if chip.icon.startswith("pip") else 24
        canvas.use(chip.icon, left, y + 3, (high - 6) / box, "" if "-" in chip.icon else "ink")
        left += high - 3
    end = x + wide - 5 - len(chip.pips) * (high - 4)
    canvas.text(left, base, fit(chip.text, size, end - left + 0.5), size, "ink", chip.fill)
    for index, color in enumerate(chip.pips):
        canvas.use(f"pip-{color}", end + 1 + index * (high - 4), y + 2.5, (high - 5) / 48)
    canvas.add("</g>")
