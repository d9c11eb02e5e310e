"""What lies beside the board on the page of a game, fitted into boxes of a given height: `desk` and `square`."""

from typing import Literal, NamedTuple, get_args

import orjson

from server.board.canvas import Canvas
from server.board.chips import LARGE, SMALL, Chip, Measures, card_chip, flow
from server.board.fragments import put, put_panel
from server.board.measure import fit, width, wrap
from server.board.supply import draw_legend, heading, heaps, legend_height, stack
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import COLORS

_Shown = Literal["docks", "bag", "pile_size", "coats_size", "discard", "round", "tower", "phase"]
_PARTS: tuple[_Shown, ...] = get_args(_Shown)
_TILES = tuple(f"{kind}-{color}" for kind in ("docks", "bag") for color in COLORS)


def draw_stock(canvas: Canvas, view: View, x: float, y: float, w: float, h: float) -> float:
    """Draw a panel of that size with Tower tiles, piles and discarded cards, at a desk with docks and bag too.

    Returns its height.
    """
    shown = orjson.dumps({part: view[part] for part in _PARTS})
    links = (*_TILES, "pile", "coats", *(f"discard-{card}" for card in view["discard"]))
    with canvas.at(x, y):
        canvas.frame(0, 0, w, h)
        put_panel(canvas, _desk if canvas.layout.name == "desk" else _phone, w, h, shown, links=links)
    return h


def _desk(canvas: Canvas, w: float, h: float, shown: bytes) -> None:
    """Docks and bag, below them the Tower tiles, the piles at the foot; between them what tiles are for, if it fits."""
    view = orjson.loads(shown)
    pad = canvas.layout.pad
    inner = w - 2 * pad
    half = inner / 2
    with canvas.group("docks"):
        top = heading(canvas, pad, pad, canvas.words["docks"])
        down = heaps(canvas, view["docks"], "docks", pad, pad + top, half - 8)
    with canvas.group("bag"):
        heading(canvas, pad + half + 4, pad, bag_title(canvas, view["bag"]))
        heaps(canvas, view["bag"], "bag", pad + half + 4, pad + top, half - 4)
    y = pad + top + down + 8
    edicts = edicts_of(canvas, view)
    if edicts:
        each = (inner - 8) / 2
        lines = max(len(wrap(edict.effect, canvas.small, each - 40, 4)) for edict in edicts)
        high = 8 + (canvas.small + 2) * (lines + 1)
        for index, edict in enumerate(edicts):
            put(canvas, _plaque, edict, pad + index * (each + 8), y, each, high)
        y += high + 8
    room = legend_height(canvas, inner)
    low = h - pad - room
    if not edicts:
        put(canvas, draw_legend, pad, low, inner)
        low -= 8
    else:
        low = h - pad
    _piles(canvas, view, pad, y, inner, low - y)


def _phone(canvas: Canvas, w: float, h: float, shown: bytes) -> None:
    """The piles at the left; beside them the Tower tiles and the discarded cards."""
    view = orjson.loads(shown)
    pad = canvas.layout.pad
    left, room = pad, w - 2 * pad
    for kind, count in (("pile", view["pile_size"]), ("coats", view["coats_size"])):
        put(canvas, stack, kind, count, left, pad, _column(canvas), canvas.marked(kind), links=(kind,))
        left += _column(canvas) + 2
    room = w - pad - left - 4
    left += 4
    y = pad - 2
    for edict in edicts_of(canvas, view):
        put(canvas, _line, edict, left, y, room)
        y += (canvas.small + 2) * len(edict_lines(canvas, edict, room))
    _discard(canvas, view["discard"], left, y, room, h - pad + 2 - y)


def bag_title(canvas: Canvas, bag: dict[str, int]) -> str:
    """The heading of the bag, whose contents are public (L1)."""
    return f"{canvas.words['bag']}: {sum(bag.values()) or canvas.words['empty']}"


class Edict(NamedTuple):
    """A Tower tile in force, or the next one."""

    name: str
    when: str  # "now" or "next"
    label: str
    effect: str


def edicts_of(canvas: Canvas, view: View) -> list[Edict]:
    """Return the Tower tiles in force and next, in the advanced game; none once it is over."""
    words, tower = canvas.words, view["tower"]
    if view["phase"] == "over":
        return []
    found = []
    for number, when in ((view["round"], "now"), (view["round"] + 1, "next")):
        if number <= len(tower):
            name = tower[number - 1]
            found.append(Edict(name, when, f"{words[when]}: {words.tower[name]}", words.tower_effects[name]))
    return found


def _plaque(canvas: Canvas, edict: Edict, x: float, y: float, w: float, high: float) -> None:
    """A Tower tile on a plaque of stone, golden when it is in force, with what it does."""
    small, force = canvas.small, edict.when == "now"
    on, ink = ("gold", "on_metal") if force else ("stone", "ink")
    with canvas.group(f"tower-{edict.when}", f"{edict.label}: {edict.effect}", tower=edict.name):
        canvas.rect(x, y, w, high, on, "ink", 1.1, 3)
        canvas.use("steeple", x + 6, y + high / 2 - 11, 22 / 24, ink)
        size = small * min(1, (w - 38) / width(edict.label, small))
        canvas.text(x + 33, y + small + 3, edict.label, size, ink, on, bold=True)
        for index, line in enumerate(wrap(edict.effect, small, w - 40, 4)):
            canvas.text(x + 33, y + small + 3 + (index + 1) * (small + 2), line, small, ink, on)


def edict_lines(canvas: Canvas, edict: Edict, room: float) -> list[str]:
    """Return what a phone shows of a Tower tile: with its effect while it is in force."""
    text = f"{edict.label} ({edict.effect})" if edict.when == "now" else edict.label
    return wrap(text, canvas.small, room, 3)


def _line(canvas: Canvas, edict: Edict, x: float, y: float, w: float) -> None:
    ink = "ink" if edict.when == "now" else "muted"
    with canvas.group(f"tower-{edict.when}", f"{edict.label}: {edict.effect}", tower=edict.name):
        for index, line in enumerate(edict_lines(canvas, edict, w)):
            canvas.text(x, y + (index + 1) * (canvas.small + 2) - 2, line, canvas.small, ink, "panel")


def _column(canvas: Canvas) -> float:
    return 56 if canvas.layout.name == "desk" else 42


def _piles(canvas: Canvas, view: View, x: float, y: float, w: float, h: float) -> None:
    """Draw pile and coats by their number; beside them the discarded cards in a box as high as there is room."""
    left, column = x, _column(canvas)
    for kind, count in (("pile", view["pile_size"]), ("coats", view["coats_size"])):
        put(canvas, stack, kind, count, left, y, column, canvas.marked(kind), links=(kind,))
        left += column + 4
    _discard(canvas, view["discard"], left + 4, y, x + w - left - 4, h)


def _discard(canvas: Canvas, pile: list[str], x: float, y: float, w: float, h: float) -> None:
    """The discard pile card by card, the newest first (L5), in a box: with names, without them, or not all."""
    words, cards = canvas.words, pile[::-1]
    with canvas.group("discard", f"{words['discard']}: {len(cards)}", count=len(cards)):
        title = f"{words['discard']}: {len(cards) if cards else words['empty']}"
        down = heading(canvas, x, y, fit(title, canvas.body, w))
        chips, by = fitted(canvas, [card_chip(canvas, card, "discard") for card in cards], w, h - down)
        flow(canvas, chips, x, y + down, w, by=by)
        if canvas.marked("discard"):
            canvas.glow(x - 4, y - 2, w + 6, h + 4)


def fitted(canvas: Canvas, chips: list[Chip], w: float, h: float) -> tuple[list[Chip], Measures]:
    """Return the chips that a box holds, as large as they can be: whole, as icons alone, or the first of them and how
    many more there are. Those that are links come first then."""
    small, large = SMALL[canvas.layout.name], LARGE[canvas.layout.name]
    linked = [chip for chip in chips if chip.link in canvas.links]
    icons = [chip._replace(text="") for chip in chips]
    for shown in (chips, icons):
        for by in (large, small) if linked else (small,):
            if flow(canvas, shown, 0, 0, w, draw=False, by=by) <= h:
                return shown, by
    icons.sort(key=lambda chip: chip.link not in canvas.links)
    for count in range(len(icons) - 1, -1, -1):
        rest = icons[count:]
        more = Chip("", f"+{len(rest)}", (), ", ".join(chip.title for chip in rest), fill="panel")
        if flow(canvas, [*icons[:count], more], 0, 0, w, draw=False, by=small) <= h or not count:
            return [*icons[:count], more], small
    return [], small


def draw_tray(canvas: Canvas, view: View, x: float, y: float, w: float, h: float) -> None:
    """Draw docks and bag side by side as two columns, in a panel of that size."""
    shown = orjson.dumps([view["docks"], view["bag"]])
    with canvas.at(x, y):
        canvas.frame(0, 0, w, h)
        put_panel(canvas, _tray, w, h, shown, links=_TILES)


def _tray(canvas: Canvas, w: float, h: float, shown: bytes) -> None:
    docks, bag = orjson.loads(shown)
    words, small = canvas.words, canvas.small
    head, half = 20.0, w * 0.5
    step = (h - head - 3) / len(COLORS)
    with canvas.group("docks"):
        canvas.text(5, 15, words["docks"], small, "ink", "panel", bold=True)
        for index, color in enumerate(COLORS):
            box = (4.0, head + index * step, half - 4, step)
            name = f"docks-{color}"
            put(canvas, _crate, "docks", color, docks[color], box, canvas.marked(name), links=(name,))
    with canvas.group("bag", bag_title(canvas, bag)):
        total = str(sum(bag.values()))
        canvas.text(w - 5, 15, total, small, "ink", "panel", "end", bold=True)
        canvas.use("bag", w - 5 - width(total, small) - 15, 4, 13 / 24)
        for index, color in enumerate(COLORS):
            box = (half, head + index * step, half - 4, step)
            name = f"bag-{color}"
            put(canvas, _crate, "bag", color, bag[color], box, canvas.marked(name), links=(name,))


def _crate(canvas: Canvas, kind: str, color: str, count: int, box: tuple[float, float, float, float],
           marked: bool) -> None:  # fmt: skip
    """The tiles of one colour: one, and their number beside it."""
    x, y, w, h = box
    words, body = canvas.words, canvas.body
    side = 28.0 if kind == "docks" else 21.0
    left, top = x + 1, y + (h - side) / 2
    name = f"{kind}-{color}"
    with (
        canvas.group(name, f"{words[kind]}: {words.tiles(count, color)}", color=color, count=count),
        canvas.link(name, (x - 1, y, w, h), (left - 1, top - 1, side + 2, side + 2)),
    ):
        if count:
            canvas.use(f"tile-{color}", left, top, side / 48)
        else:
            canvas.rect(left + 1, top + 1, side - 2, side - 2, "none", "line", 1, 5, "3 3")
        if marked:
            canvas.glow(left - 1, top - 1, side + 2, side + 2)
        canvas.text(left + side + 3, y + h / 2 + body * 0.36, str(count), body, "ink" if count else "muted", "panel",
                    bold=bool(count))  # fmt: skip
