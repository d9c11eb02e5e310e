"""Single pieces of the game as small pictures, for choices and rules; without ids, so many fit on a page."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from server.board.canvas import FONT, Canvas, escape, num
from server.board.drawings import BUILDING, VICTORY
from server.board.layouts import NARROW
from server.board.listing import card_colors
from server.board.measure import fit, width, wrap
from server.board.themes import theme_of
from server.board.words import words_of
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import View
from server.engine.ulm1.tables import CARDS, COATS, COLORS, DESCENDANTS, QUARTER_INDEX, QUARTERS, TOWER, TRADE


class Laid(NamedTuple):
    """What lies in a quarter: seats."""

    seals: tuple[int, ...]
    crest: int | None


def laid_in(view: View, quarter: str) -> Laid:
    """Return what lies in a quarter of a game."""
    return Laid(tuple(view["quarters"][quarter]), view["crests"].get(quarter))


Draw = Callable[[Canvas, str], tuple[float, float, str]]
"""Draws a piece of that name; returns width and height in units, and what a screen reader is told."""

CARD, COAT, PERSON, PLAQUE, PLOT = (72, 100), (64, 92), (112, 122), (150, 62), (150, 116)
SHIELD = 50
"""The height of a coat of arms below which nothing is written."""
PORTRAIT = 29
_SEATS = ("0", "1", "2", "3")
_FIXED = {"patrician": "4"}
"""What a Chronicle card counts that depends on nothing: B6."""


@lru_cache(1024)  # 0.06 ms a piece, of which the rules show seventy
def piece_svg(kind: str, name: str = "", *, language: str = "en", theme: str = "page", width: int | None = None,
              hidden: bool = False, rules: Rules = rulesets.NEWEST, laid: Laid | None = None) -> str:  # fmt: skip
    """Return the picture of one piece as an SVG document.

    `kind` and `name`: `tile` gray, `card` nave-1 (or `back`), `coat` N1, `descendant` abbot (or its `portrait`, without
    words), `tower` free_seal, `quarter` garden, `seal`, `crest` and `barge` 0 (a seat), `gate` open (or `blocked`),
    `victory` 0 (a seat). `theme` is one of `THEMES` or "page"; `width` in pixels (None: it fills its room); `hidden` is
    for a picture beside words that say the same: screen readers pass it over. What is written on it is as `rules` have
    it. A quarter is drawn with what is `laid` in it (None: as an example, without places for seals).

    Raises `ValueError` for what is none of these, and for something laid in what is no quarter.
    """
    if kind not in PIECES or name not in PIECES[kind][0]:
        raise ValueError(f"there is no piece {kind!r} {name!r}")
    if laid is not None and kind != "quarter":
        raise ValueError(f"nothing is laid in a {kind}")
    canvas = Canvas(theme_of(theme), words_of(language, rules), (), None, NARROW, inline=True)
    w, h, title = PIECES[kind][1](canvas, name) if laid is None else _laid_quarter(canvas, name, laid)
    scale = f' width="{width}" height="{round(width * h / w)}"' if width else ""
    said = "" if hidden else f"<title>{escape(title)}</title>"
    role = 'aria-hidden="true"' if hidden else 'role="img"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="piece" viewBox="0 0 {num(w)} {num(h)}"{scale} {role} '
        f'font-family="{FONT}" font-size="{num(canvas.small)}" fill="{canvas.theme.color("ink")}">'
        f"{said}{canvas.drawn()}</svg>"
    )


def _tile(canvas: Canvas, name: str) -> tuple[float, float, str]:
    canvas.use(f"tile-{name}", 0, 0)
    called, does = canvas.words.action_names[name], canvas.words.actions[name]
    return 48, 48, called if called.casefold() == does.casefold() else f"{called}: {does}"


def _card(canvas: Canvas, name: str) -> tuple[float, float, str]:
    """A card: its icon, its name, the tiles on it."""
    w, h = CARD
    if name == "back":
        canvas.use("back", 0.9, 0, h / 48)
        return w, h, canvas.words["pile"]
    colors = card_colors(canvas.rules, name)
    kind = name.partition("-")[0]
    canvas.rect(1, 2, w - 2, h - 3, "shade_panel", "ink", 1.4, 6)
    canvas.rect(1.7, 1.7, w - 3.4, h - 5, "panel", "", 1, 5.4)
    # Above what is given up for its upper effect, below what it counts on the table: as the rules speak of it.
    low = f"{_on_table(canvas, name)} {canvas.words['vp']}"
    wide, under = 11 + 18 * len(colors), 11 + width(low, canvas.small)
    left, foot = (w - wide) / 2, (w - under) / 2
    canvas.path(f"M{num(left)} 15l4-6 4 6ZM{num(foot)} 87.5l4 6 4-6Z", "ink")
    for index, color in enumerate(colors):
        canvas.use(f"pip-{color}", left + 11 + index * 18, 4, 17 / 48)
    flourish = "" if colors else f"M{num(left + 11)} 13q5-4 10 0t10 0M{num(left - 3)} 13q-5-4-10 0t-10 0"
    canvas.path(f"M8 83.5H{num(w - 8)}{flourish}", "none", "gold")
    canvas.rect(7, 23, w - 14, 39, "sky", "gold", 1.6, 3)
    canvas.use(f"scene-{kind}", 11.1, 24.3, 0.83)
    _lines(canvas, canvas.words.card(name), w / 2, 71.5, w - 10)
    canvas.text(w / 2 + 5.5, 94.5, low, canvas.small, "ink", "panel", "middle")
    return w, h, canvas.lister.card(name)


def _on_table(canvas: Canvas, name: str) -> str:
    """What a card counts on the table by itself; a question mark of one whose points depend on the game."""
    rules = canvas.rules
    if name in TRADE:
        return str(rules.trade_table_vp)
    return str(rules.cathedral_table_vp) if name in rules.cathedral else _FIXED.get(name, "?")


def _coat(canvas: Canvas, name: str) -> tuple[float, float, str]:
    """A coat of arms: what it is worth at once, and what each later seal in its quarter brings."""
    w, h = COAT
    points, quarter, later = canvas.rules.coats[name]
    canvas.use("coat-gold" if quarter is not None else "coat-silver", w / 2 - 24, 0, 2)
    canvas.text(w / 2, 36, str(points), 15, "ink", "panel", "middle", True)
    canvas.text(w / 2, 17, name, 10.5, "panel", "ink", "middle")
    if quarter is not None:
        canvas.text(w / 2, 64, f"+{later}", 11.5, "ink", "paper", "middle", True)
        _lines(canvas, canvas.words.quarters[QUARTERS[quarter]], w / 2, 79, w)
    return w, h if quarter is not None else SHIELD, canvas.lister.coat(name)


def _descendant(canvas: Canvas, name: str) -> tuple[float, float, str]:
    w, h = PERSON
    words = canvas.words
    canvas.rect(1, 1, w - 2, h - 2, "panel", "ink", 1.4, 6)
    canvas.circle(w / 2, 33, 27, "sky", "gold", 2)
    canvas.use(f"portrait-{name}", w / 2 - 26.4, 6, 1.1)
    _heading(canvas, words.descendants[name], w / 2, 72, w - 8, "panel")
    for index, line in enumerate(wrap(words.descendant_effects[name], 9, w - 8, 4)):
        canvas.text(w / 2, 84 + 10.5 * index, line, 9, "muted", "panel", "middle")
    return w, h, f"{words.descendants[name]}: {words.descendant_effects[name]}"


def _portrait(canvas: Canvas, name: str) -> tuple[float, float, str]:
    """A Descendant without words: beside a button or a heading that says them."""
    side = 2 * PORTRAIT
    canvas.circle(PORTRAIT, PORTRAIT, PORTRAIT - 1, "sky", "gold", 2)
    canvas.use(f"portrait-{name}", PORTRAIT - 26.4, 2, 1.1)
    return side, side, canvas.words.descendants[name]


def _tower(canvas: Canvas, name: str) -> tuple[float, float, str]:
    w, h = PLAQUE
    words = canvas.words
    canvas.rect(1, 1, w - 2, h - 2, "stone", "ink", 1.4, 3)
    canvas.use("steeple", 6, 10, 40 / 24)
    middle = 48 + (w - 52) / 2
    _heading(canvas, words.tower[name], middle, 22, w - 54, "stone")
    for index, line in enumerate(wrap(words.tower_effects[name], 9.5, w - 54, 3)):
        canvas.text(middle, 35 + 11 * index, line, 9.5, "ink", "stone", "middle")
    return w, h, f"{words.tower[name]}: {words.tower_effects[name]}"


def _quarter(canvas: Canvas, name: str) -> tuple[float, float, str]:
    """A quarter with its privilege."""
    w, h, title = _built(canvas, name, None, PLOT[1])
    for index, line in enumerate(wrap(canvas.words.privileges[name], 9.5, w - 8, 2)):
        canvas.text(w / 2, BUILDING[1] + 35 + 11 * index, line, 9.5, "ink", "ground", "middle")
    return w, h, title


def _built(canvas: Canvas, name: str, crest: int | None, h: float) -> tuple[float, float, str]:
    """A quarter so high, with what each later seal brings to whose crest lies there (W5)."""
    w, words = PLOT[0], canvas.words
    canvas.rect(1, 1, w - 2, h - 2, "ground", "ink", 1.4, 4)
    canvas.use(f"building-{name}", (w - BUILDING[0]) / 2 + 8, 8)
    canvas.use("shield" if crest is None else f"crest-{crest}", 5, 6, 20 / 24)
    canvas.text(15, 38, f"+{canvas.rules.crest_vp[QUARTER_INDEX[name]]}", 10, "ink", "ground", "middle")
    _heading(canvas, words.quarters[name], w / 2, BUILDING[1] + 22, w - 8, "ground")
    return w, h, f"{words.quarters[name]}: {words.privileges[name]}"


def _laid_quarter(canvas: Canvas, name: str, laid: Laid) -> tuple[float, float, str]:
    """A quarter as it is in a game: with the crest that lies there, and its seal spaces, taken and free, at the foot.
    What a seal brings there says the button beside it."""
    row = 20
    w, h, title = _built(canvas, name, laid.crest, PLOT[1] - 22 + row)
    count = canvas.rules.seal_spaces[QUARTER_INDEX[name]]
    words, panel, ink = canvas.words, canvas.theme.color("panel"), canvas.theme.color("ink")
    for place in range(count):
        cx, cy = w / 2 + (place - (count - 1) / 2) * 19.5, h - row / 2 - 3
        if place >= len(laid.seals):
            canvas.add(
                f'<circle cx="{num(cx)}" cy="{num(cy)}" r="8.2" fill="{panel}" stroke="{ink}" '
                'stroke-dasharray="2 1.6"/>'
            )
            continue
        seat = laid.seals[place]
        canvas.circle(cx, cy, 8.6, f"seat{seat}", "ink", 1)
        canvas.use(f"mark-{seat}", cx - 8.4, cy - 8.4, 0.7, f"on_seat{seat}")
    title += f". {len(laid.seals)}/{count}"
    if laid.crest is not None:
        title += f". {words['crest'].format(words.seats[laid.crest])}"
    return w, h, title


def _of_seat(symbol: str, w: float, h: float, label: str) -> Draw:
    def draw(canvas: Canvas, name: str) -> tuple[float, float, str]:
        canvas.use(f"{symbol}-{name}", 0.5, 0.5)
        return w, h, canvas.words[label].format(canvas.words.seats[int(name)])

    return draw


def _victory(canvas: Canvas, name: str) -> tuple[float, float, str]:
    """What a seat has won: for the end of the game."""
    canvas.use(f"victory-{name}", 0, 0)
    return *VICTORY, canvas.words["wins"].format(canvas.words.seats[int(name)])


def _gate(canvas: Canvas, name: str) -> tuple[float, float, str]:
    free = name == "open"
    canvas.rect(1, 1, 46, 46, "space" if free else "ground", "ink", 1, 5, "3 3")
    canvas.use("arrow" if free else "gate", 9, 9, 30 / 24, "accent" if free else "")
    return 48, 48, canvas.words[name]


def _heading(canvas: Canvas, text: str, x: float, y: float, room: float, on: str) -> None:
    """Write a name in one row, as small as it must be."""
    size = 11.5 * min(1, room / width(text, 11.5))
    canvas.text(x, y, text, size, on=on, anchor="middle", bold=True)


def _lines(canvas: Canvas, text: str, x: float, y: float, room: float) -> None:
    """Write a name around the line at y: in one row, or in two, as small as it must be."""
    size = 10 * min(1, room / max(width(word, 10) for word in text.split()))
    rows = wrap(text, size, room, 2)
    for index, row in enumerate(rows):
        canvas.text(x, y + (index + 1 - len(rows) / 2) * (size + 1) - 1, fit(row, size, room), size, "ink", "panel",
                    "middle")  # fmt: skip


PIECES: dict[str, tuple[tuple[str, ...], Draw]] = {
    "tile": (tuple(COLORS), _tile),
    "card": ((*CARDS, "back"), _card),
    "coat": (tuple(COATS), _coat),
    "descendant": (tuple(DESCENDANTS), _descendant),
    "portrait": (tuple(DESCENDANTS), _portrait),
    "tower": (tuple(TOWER), _tower),
    "quarter": (tuple(QUARTERS), _quarter),
    "seal": (_SEATS, _of_seat("seal", 25, 25, "seal")),
    "crest": (_SEATS, _of_seat("crest", 25, 25, "crest")),
    "barge": (_SEATS, _of_seat("barge", 45, 41, "barge")),
    "gate": (("open", "blocked"), _gate),
    "victory": (_SEATS, _victory),
}
"""Every kind of piece: the names that it goes by, and what draws it."""
