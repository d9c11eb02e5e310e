"""What lies beside the board on the page of a game, fitted into boxes of a given height: `desk` and `square`."""

from bisect import bisect_left
from typing import Literal

from server.board.canvas import Box, Canvas, num
from server.board.chips import Chip, Measures, card_chip, flow, label_chip, large, small
from server.board.listing import Edict
from server.board.measure import width, wrap
from server.board.supply import PILE, bag_title, draw_heaps, draw_stacks, heading, tile_or_place, written
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import COLORS

_USES = 67.0  # the height of what says what tiles are for
_NAMES = 19.0  # and of what only says what they are called
_ICON = 33  # from the edge of a plaque to what is written on it


def draw_stock(canvas: Canvas, view: View, x: float, y: float, w: float, h: float) -> float:
    """Draw Tower tiles, piles and discarded cards, at a desk with docks and bag too; returns the panel's height."""
    with canvas.at(x, y):
        canvas.frame(0, 0, w, h)
        (_desk if canvas.layout.name == "desk" else _phone)(canvas, view, w, h)
    return h


def _desk(canvas: Canvas, view: View, w: float, h: float) -> None:
    """Docks and bag, below them the Tower tiles, the piles at the foot; between them what tiles are for, if it fits."""
    pad = canvas.layout.pad
    inner = w - 2 * pad
    # Tiles are taken at the docks; what is in the bag is only counted.
    docks = inner * 0.57
    down = draw_heaps(canvas, view, "docks", pad, pad, docks - 12)
    draw_heaps(canvas, view, "bag", pad + docks, pad, inner - docks)
    y, foot = pad + down + 6, h - pad
    edicts = [] if view["phase"] == "over" else canvas.lister.edicts(view)
    if edicts:
        each = (inner - 8) / 2
        rows = max(len(_label(canvas, edict, each)) + len(_effect(canvas, edict, each)) for edict in edicts)
        high = 10 + (canvas.small + 2) * rows
        for index, edict in enumerate(edicts):
            _plaque(canvas, edict, pad + index * (each + 8), y, each, high)
        y += high + 9
    elif _cards_end(canvas, view["discard"], y, inner) <= foot - _USES - 9:  # where there is room to spare
        foot -= _uses(canvas, pad, foot, inner) + 9
    if edicts and max(_cards_end(canvas, view["discard"], y, inner), _piles_end(canvas, y)) <= foot - _NAMES - 9:
        foot -= _names(canvas, pad, foot, inner) + 9
    left = draw_stacks(canvas, view, pad, y, _column(canvas), 4) + 4
    _discard(canvas, view["discard"], left, y, pad + inner - left, foot - y)


def _uses(canvas: Canvas, x: float, foot: float, w: float) -> float:
    """What a tile of each colour lets one do, in two columns that end at `foot`; returns the height."""
    words, size, side = canvas.words, canvas.body, 19.0
    rows = 3
    step = (_USES + 5) / rows
    with canvas.group("legend"):
        for index, color in enumerate(COLORS):
            column, row = divmod(index, rows)
            left, top = x + column * w * 0.5, foot - (rows - row) * step + 5
            canvas.use(f"pip-{color}", left, top, side / 48)
            canvas.text(left + side + 7, top + side / 2 + size * 0.36, words.actions[color], size, "muted", "panel")
    return _USES


def _names(canvas: Canvas, x: float, foot: float, w: float) -> float:
    """What a tile of each colour is called, in a row that ends at `foot`; returns the height."""
    words, size, side = canvas.words, canvas.small, _NAMES
    room = [side + 5 + width(words.action_names[color], size) for color in COLORS]
    gap, left = (w - sum(room)) / (len(COLORS) - 1), x
    with canvas.group("legend"):
        for color, each in zip(COLORS, room, strict=True):
            canvas.use(f"pip-{color}", left, foot - side, side / 48)
            canvas.text(
                left + side + 5, foot - side / 2 + size * 0.36, words.action_names[color], size, "muted", "panel"
            )
            left += each + min(gap, 24)
    return _NAMES


def _cards_end(canvas: Canvas, pile: list[str], y: float, w: float) -> float:
    """Where the discarded cards end, with their names, in a panel `w` wide."""
    chips = [card_chip(canvas, card, "discard") for card in pile]
    return y + canvas.body + 6 + flow(canvas, chips, 0, 0, w - 2 * _column(canvas) - 12, draw=False)


def _piles_end(canvas: Canvas, y: float) -> float:
    """Where the words under the piles end."""
    return y + PILE * canvas.layout.pile + canvas.layout.caption + canvas.body + written(canvas, _column(canvas)) + 3


def _phone(canvas: Canvas, view: View, w: float, h: float) -> None:
    """The piles at the left; beside them the Tower tiles and the discarded cards."""
    pad = canvas.layout.pad
    left = draw_stacks(canvas, view, pad, pad, _column(canvas), 2) + 4
    room = w - pad - left
    y = pad - 2
    edicts = [] if view["phase"] == "over" else canvas.lister.edicts(view)
    for edict in edicts[:1]:  # the next one is told by the tower
        lines = wrap(f"{edict.label} ({edict.effect})", canvas.small, room, 2)
        with canvas.group(f"tower-{edict.when}", f"{edict.label}: {edict.effect}", tower=edict.name):
            for index, line in enumerate(lines, 1):
                canvas.text(left, y + index * (canvas.small + 2) - 2, line, canvas.small, "ink", "panel")
        y += (canvas.small + 2) * len(lines) + 3
    _discard(canvas, view["discard"], left, y, room, h - pad + 2 - y)


def _plaque(canvas: Canvas, edict: Edict, x: float, y: float, w: float, high: float) -> None:
    """A Tower tile on a plaque of stone, golden when it is in force, with what it does."""
    small, force = canvas.small, edict.when == "now"
    on, ink = ("gold", "on_metal") if force else ("stone", "ink")
    with canvas.group(f"tower-{edict.when}", f"{edict.label}: {edict.effect}", tower=edict.name):
        canvas.rect(x, y, w, high, on, "ink", 1.1, 3)
        canvas.use("steeple", x + 6, y + high / 2 - 11, 22 / 24, ink)
        label = _label(canvas, edict, w)
        for index, line in enumerate([*label, *_effect(canvas, edict, w)]):
            canvas.text(x + _ICON, y + 2 + (index + 1) * (small + 2), line, small, ink, on, bold=index < len(label))


def _label(canvas: Canvas, edict: Edict, w: float) -> list[str]:
    """When a Tower tile counts and its name, as rows of a plaque so wide."""
    if width(edict.label, canvas.small) <= w - _ICON - 5:
        return [edict.label]
    return [f"{canvas.words[edict.when]}:", canvas.words.tower[edict.name]]


def _effect(canvas: Canvas, edict: Edict, w: float) -> list[str]:
    return wrap(edict.effect, canvas.small, w - _ICON - 5, 3)


def _column(canvas: Canvas) -> float:
    return 56 if canvas.layout.name == "desk" else 47


def _discard(canvas: Canvas, pile: list[str], x: float, y: float, w: float, h: float) -> None:
    """The discard pile card by card, the newest first (L5), in a box: with names, as far as there is room for them."""
    words, cards = canvas.words, pile[::-1]
    with canvas.group("discard", f"{words['discard']}: {len(cards)}", count=len(cards)):
        title = f"{words['discard']}: {len(cards) if cards else words['empty']}"
        chips = [card_chip(canvas, card, "discard") for card in cards]
        if canvas.layout.name == "desk":
            down = heading(canvas, x, y, title)
            head = []
        else:  # no room for a line of its own
            down, head = 0.0, [label_chip(title)]
        shown, by = fitted(canvas, head, chips, w, h - down)
        flow(canvas, shown, x, y + down, w, by=by)
        if canvas.marked("discard"):
            canvas.glow(x - 4, y - 2, w + 6, h + 4)


def fitted(canvas: Canvas, head: list[Chip], chips: list[Chip], w: float, h: float) -> tuple[list[Chip], Measures]:
    """Return `head` and the chips that a box holds, as large as they can be: whole, the first of them whole and the
    others as icons, all as icons, or the first of them and how many more there are. Those that are links come first
    then."""
    linked = any(chip.link in canvas.links for chip in chips)
    icons = [chip._replace(text="") for chip in chips]

    def held(named: int) -> tuple[list[Chip], Measures] | None:
        shown = [*head, *chips[:named], *icons[named:]]
        sizes = (large(canvas), small(canvas)) if linked else (small(canvas),)
        fits = (by for by in sizes if flow(canvas, shown, 0, 0, w, draw=False, by=by) <= h)
        by = next(fits, None)
        return None if by is None else (shown, by)

    if whole := held(len(chips)):
        return whole
    # The fewer names, the less room: the most of them that fit are found by halving.
    fewer = range(len(chips) - 1, -1, -1)
    at = bisect_left(fewer, True, key=lambda named: held(named) is not None)
    if at < len(fewer) and (most := held(fewer[at])):
        return most
    shown = [*head, *icons]
    icons.sort(key=lambda chip: chip.link not in canvas.links)
    for count in range(len(icons) - 1, 0, -1):
        rest = icons[count:]
        more = Chip("", f"+{len(rest)}", (), ", ".join(chip.title for chip in rest), fill="panel")
        shown = [*head, *icons[:count], more]
        if flow(canvas, shown, 0, 0, w, draw=False, by=small(canvas)) <= h:
            break
    return shown, small(canvas)


def draw_tray(canvas: Canvas, view: View, x: float, y: float, w: float, h: float) -> None:
    """Draw docks and bag side by side as two columns, in a panel of that size."""
    head, half = 20.0, 0.53 * w
    step = (h - head - 3) / len(COLORS)
    with canvas.at(x, y):
        canvas.frame(0, 0, w, h)
        canvas.path(f"M{num(half)} 22V{num(h - 6)}", "none", "line", 0.8)
        with canvas.group("docks"):
            canvas.text(5, 15, canvas.words["docks"], canvas.small, "ink", "panel", bold=True)
            for index, color in enumerate(COLORS):
                _crate(canvas, view, "docks", color, (5.0, head + index * step, half - 5, step))
        with canvas.group("bag", bag_title(canvas, view["bag"])):
            canvas.use("bag", half + (w - half) / 2 - 7, 4, 14 / 24)  # the word would not fit
            for index, color in enumerate(COLORS):
                _crate(canvas, view, "bag", color, (half + 1.0, head + index * step, w - half - 4, step))


def _crate(canvas: Canvas, view: View, kind: Literal["docks", "bag"], color: str, box: Box) -> None:
    """The tiles of one colour: one, and their number beside it."""
    x, y, w, h = box
    words, body, count = canvas.words, canvas.body, view[kind][color]
    side = 27.0 if kind == "docks" else 20.0
    left, top = x + 1, y + (h - side) / 2
    name = f"{kind}-{color}"
    with (
        canvas.group(name, f"{words[kind]}: {words.tiles(count, color)}", color=color, count=count),
        canvas.link(name, (x - 1, y, w, h), (left - 1, top - 1, side + 2, side + 2)),
    ):
        tile_or_place(canvas, color, count, left, top, side)
        if canvas.marked(name):
            canvas.glow(left - 1, top - 1, side + 2, side + 2)
        beside, ink = left + side + (4 if kind == "docks" else 3), "ink" if count else "muted"
        canvas.text(beside, y + h / 2 + body * 0.36, str(count), body, ink, "panel", bold=bool(count))
