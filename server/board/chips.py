"""Labels that flow like words: cards, Descendants, coats. A chip is measured first, then drawn where it fits."""

from collections.abc import Sequence
from typing import NamedTuple

from server.board.canvas import Canvas, escape, num
from server.board.listing import card_colors
from server.board.measure import fit, width


class Chip(NamedTuple):
    """One label: an icon, a text, colours that belong to it, and what a pointer or a screen reader is told."""

    icon: str
    text: str
    pips: tuple[str, ...] = ()
    title: str = ""
    data: tuple[str, str] | None = None
    fill: str = "chip"
    link: str = ""  # the key of the link that it may be


def card_chip(canvas: Canvas, card: str, link: str = "") -> Chip:
    """Return the chip of a card that is open to the reader; `link` is the kind of link that it may be."""
    colors = card_colors(canvas.rules, card)
    kind = card.partition("-")[0]
    words = canvas.words
    title = canvas.lister.card(card)
    key = f"{link}-{card}" if link else ""
    return Chip(kind, words.card(card), colors, title, ("card", card), link=key)


def descendant_chip(canvas: Canvas, name: str) -> Chip:
    """Return the chip of a Descendant."""
    words = canvas.words
    title = f"{words.descendants[name]}: {words.descendant_effects[name]}"
    return Chip(name, words.descendants[name], (), title, ("descendant", name), link=f"descendant-{name}")


def coat_chip(canvas: Canvas, slot: str) -> Chip:
    """Return the chip of a coat of arms."""
    metal = "silver" if canvas.rules.coats[slot][1] is None else "gold"
    return Chip(f"coat-{metal}", slot, (), canvas.lister.coat(slot), ("coat", slot))


def coat_offer_chip(canvas: Canvas, slot: str) -> Chip:
    """Return the chip of a coat that is on offer: with what it is worth."""
    return coat_chip(canvas, slot)._replace(text=canvas.lister.short_coat(slot), link=f"coat-{slot}")


def label_chip(text: str) -> Chip:
    """Return a heading that flows with the chips it stands before."""
    return Chip("", text, fill="")


def button_chip(canvas: Canvas, key: str) -> Chip:
    """Return the chip of a link that has no thing to stand on: its name is all that there is to see."""
    return Chip("", canvas.links[key].label, link=key)


class Measures(NamedTuple):
    """How large the chips of one flow are, and how far apart."""

    size: float
    high: float
    gap: float
    row: float  # from row to row, beside the height
    pad: float = 5  # at both ends, within the frame

    def width(self, chip: Chip, room: float) -> float:
        """Return the width of a chip that has at most `room`."""
        pad = 0 if not chip.fill else 2 * self.pad
        icon = self.high - 3 if chip.icon else 0
        pips = len(chip.pips) * (self.high - 4) + (3 if chip.pips else 0)
        return min(room, pad + icon + width(chip.text, self.size) + pips)


SHRINK = 0.88  # of its size a text may become, where it would be cut otherwise


def small(canvas: Canvas) -> Measures:
    """Return how large chips are that are looked at alone."""
    return Measures(*canvas.layout.chip)


def large(canvas: Canvas) -> Measures:
    """Return how large chips are that are links."""
    return Measures(*canvas.layout.button)


def measures(canvas: Canvas, chips: Sequence[Chip]) -> Measures:
    """Return how large these chips are drawn."""
    linked = canvas.links and any(chip.link in canvas.links for chip in chips)
    return large(canvas) if linked else small(canvas)


def least(canvas: Canvas, chips: Sequence[Chip]) -> float:
    """Return the width that a column of small chips has to have, so that none of their texts is cut."""
    by = small(canvas)
    return max(by.width(chip, 1e9) - (1 - SHRINK) * width(chip.text, by.size) for chip in chips)


def flow(canvas: Canvas, chips: Sequence[Chip], x: float, y: float, room: float, on: str = "panel",
         draw: bool = True, by: Measures | None = None) -> float:  # fmt: skip
    """Draw `chips` (not with `draw` false) in a column `room` wide, its top at y; returns their height."""
    by = by or measures(canvas, chips)
    # What a finger hits is higher than the chip.
    air = by.row / 2 if by.row > small(canvas).row else 0
    left, top = x, y + air
    for chip in chips:
        wide = by.width(chip, room)
        if left > x and left + wide > x + room:
            left, top = x, top + by.high + by.row
        if draw:
            box = (left - 2, top - by.row / 2, wide + 4, by.high + by.row)
            with canvas.link(chip.link, box, (left, top, wide, by.high), by.high / 2.6):
                _draw(canvas, chip, left, top, wide, on, by)
        left += wide + by.gap
    return top + by.high + air - y if chips else 0


def _draw(canvas: Canvas, chip: Chip, x: float, y: float, wide: float, on: str, by: Measures) -> None:
    if not chip.fill:
        canvas.text(x, y + by.high / 2 + by.size * 0.36, chip.text, by.size, "muted", on)
        return
    data = f' data-{chip.data[0]}="{chip.data[1]}"' if chip.data else ""
    canvas.add(f'<g transform="translate({num(x)} {num(y)})"{data}>')
    _face(canvas, chip, wide, by)
    canvas.add("</g>")


def _face(canvas: Canvas, chip: Chip, wide: float, by: Measures) -> None:
    high, size = by.high, by.size
    if chip.title:
        canvas.add(f"<title>{escape(chip.title)}</title>")
    canvas.rect(0, 0, wide, high, chip.fill, "line", 1, high / 2.6)
    left = by.pad
    if chip.icon:
        box = 48 if chip.icon.startswith("pip") else 24
        canvas.use(chip.icon, left, 3, (high - 6) / box, "" if "-" in chip.icon else "ink")
        left += high - 3
    end = wide - by.pad - len(chip.pips) * (high - 4)
    room = end - left + 0.5
    size *= min(1, max(SHRINK, room / max(1, width(chip.text, size))))
    if chip.text:
        canvas.text(left, high / 2 + size * 0.36, fit(chip.text, size, room + 0.01), size, "ink", chip.fill)
    for index, color in enumerate(chip.pips):
        canvas.use(f"pip-{color}", end + 1 + index * (high - 4), 2.5, (high - 5) / 48)
