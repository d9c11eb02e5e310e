"""The board as one SVG, drawn from a view: `board_svg`."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Concatenate, ParamSpec, TypedDict

from server.board.canvas import FONT, Canvas, Link, ascii_only, escape, num
from server.board.cathedral import draw_square, draw_tower, pitch
from server.board.describe import description, headline
from server.board.glyphs import define
from server.board.measure import clean
from server.board.players import draw_player, frame_player
from server.board.scores import draw_scores
from server.board.supply import draw_supply
from server.board.themes import Theme, theme_of
from server.board.town import draw_town
from server.board.turn import draw_turn
from server.board.words import words_of
from server.engine import rulesets
from server.engine.ulm1.shapes import View

WIDE, NARROW = 1200, 400  # units of the two layouts
NARROW_BELOW = 800  # pixels: at 600, the width of a mail, the wide layout's small type would be 6 pixels high
LAYOUTS = ("wide", "narrow")


def canvas_for(
    view: View,
    seat: int | None = None,
    names: Sequence[str] | None = None,
    size: int | None = None,
    layout: str | None = None,
    theme: str = "light",
    highlight: Collection[str] | None = None,
    language: str = "en",
    prefix: str = "ulm",
    links: Mapping[str, Link] | None = None,
) -> Canvas:
    """Return an empty canvas for a view (record.md §4).

    `seat` is the reader's own, `names` those of the seats (their colours when None), `size` the width in pixels (None:
    as wide as what it is put into), `layout` "wide" or "narrow" (None: narrow below 800 pixels), `theme` one of
    `THEMES` or "page", `highlight` what changed (see `changes.changed`), `prefix` begins every id, so that several
    boards can stand on one page, `links` what leads where, by the keys of docs/board.md.

    Raises `ValueError` for a theme, language, layout or number of names that does not fit.
    """
    if layout is not None and layout not in LAYOUTS:
        raise ValueError(f"the layouts are {' and '.join(LAYOUTS)}; there is no {layout!r}")
    if size is not None and not 1 <= size <= 20000:
        raise ValueError(f"the size is a width of 1 to 20000 pixels, not {size}")
    if not prefix.isidentifier() or not prefix.isascii():
        raise ValueError("the prefix of ids is made of letters, digits and underscores")
    words = words_of(language, rulesets.of(view["ruleset"]))
    narrow = layout == "narrow" if layout else size is not None and size < NARROW_BELOW
    shown = seat_names(view, names, words.seats)
    highlights = frozenset(highlight or ())
    return Canvas(theme_of(theme), words, shown, seat, narrow, highlights, prefix, size, links or {})


class Style(TypedDict, total=False):
    """How a picture is to look; see `canvas_for`."""

    size: int | None
    layout: str | None
    theme: str
    language: str
    prefix: str


Options = ParamSpec("Options")


def _finished(make: Callable[Concatenate[View, Options], Canvas]) -> Callable[Concatenate[View, Options], str]:
    def board_svg(view: View, /, *args: Options.args, **options: Options.kwargs) -> str:
        canvas = make(view, *args, **options)
        return finish(canvas, view, *draw(canvas, view))

    return board_svg


board_svg = _finished(canvas_for)
"""Return the picture of a view as a complete SVG document; arguments and errors as of `canvas_for`."""


def seat_names(view: View, names: Sequence[str] | None, colors: Sequence[str]) -> list[str]:
    """Return one printable name for each seat; its colour for a name that is empty or not printable.

    Raises `ValueError` for another number of names than seats.
    """
    seats = len(view["players"])
    if names is not None and len(names) != seats:
        raise ValueError(f"{seats} seats need {seats} names, not {len(names)}")
    return [clean(name) or color for name, color in zip(names or colors, colors[:seats], strict=False)]


def draw(canvas: Canvas, view: View) -> tuple[float, float]:
    """Draw everything; returns width and height in units."""
    return _draw_narrow(canvas, view) if canvas.narrow else _draw_wide(canvas, view)


def _draw_wide(canvas: Canvas, view: View) -> tuple[float, float]:
    """Tower, square and panels side by side, the town across, the players two or three abreast."""
    margin, gap = 24, 14
    top = _header(canvas, view, margin, margin, WIDE - 2 * margin)
    side = 5 * pitch(canvas)
    left = margin + 118
    right = left + side + gap + 4
    room = WIDE - margin - right
    high = draw_scores(canvas, view, right, top, room) if view["scores"] else draw_turn(canvas, view, right, top, room)
    high += gap + draw_supply(canvas, view, right, top + high + gap, room, side - high - gap)
    tallest = max(side, high)
    draw_tower(canvas, view, margin, top + (tallest - side) / 2, 108, side)
    draw_square(canvas, view, left, top + (tallest - side) / 2)
    top += tallest + gap
    top += draw_town(canvas, view, margin, top, WIDE - 2 * margin) + gap
    seats = range(len(view["players"]))
    abreast = 3 if len(seats) == 3 else 2
    each = (WIDE - 2 * margin - gap * (abreast - 1)) / abreast
    for first in seats[::abreast]:
        row = {seat: margin + (seat - first) * (each + gap) for seat in seats[first : first + abreast]}
        drawn = {seat: draw_player(canvas, view, seat, each) for seat in row}
        tall = max(high for _, high in drawn.values())
        for seat, at in row.items():
            frame_player(canvas, view, seat, drawn[seat][0], (at, top, each, tall))
        top += tall + gap
    return WIDE, top - gap + margin


def _draw_narrow(canvas: Canvas, view: View) -> tuple[float, float]:
    """Everything in one column, for a phone held upright and for mails."""
    margin, gap = 10, 8
    room = NARROW - 2 * margin
    top = _header(canvas, view, margin, margin, room)
    if view["scores"]:
        top += draw_scores(canvas, view, margin, top, room) + gap
    else:
        top += draw_turn(canvas, view, margin, top, room) + gap
    side = 5 * pitch(canvas)
    top += 3  # for the coat seals, which lie across the edge of the square
    draw_tower(canvas, view, margin, top, 70, side)
    draw_square(canvas, view, NARROW - margin - side, top)
    top += side + gap + 3
    top += draw_supply(canvas, view, margin, top, room) + gap
    top += draw_town(canvas, view, margin, top, room) + gap
    seats = list(range(len(view["players"])))
    if canvas.seat in seats:  # the reader's own supply first, then round the table
        seats = seats[canvas.seat :] + seats[: canvas.seat]
    for seat in seats:
        drawn, high = draw_player(canvas, view, seat, room)
        frame_player(canvas, view, seat, drawn, (margin, top, room, high))
        top += high + gap
    return NARROW, top - gap + margin


def _header(canvas: Canvas, view: View, x: float, y: float, w: float) -> float:
    """The title of the sheet; returns the y below it."""
    size = canvas.body * (1.5 if canvas.narrow else 1.9)
    base = y + size
    canvas.text(x + 2, base, headline(canvas, view), size, bold=True)
    canvas.text(x + w - 2, base, canvas.words["ply"].format(view["ply"]), canvas.body, "muted", anchor="end")
    line = base + size * 0.42
    canvas.path(f"M{num(x)} {num(line)}H{num(x + w)}M{num(x)} {num(line + 3)}H{num(x + w)}", "none", "ink", 0.9)
    return line + (11 if canvas.narrow else 16)


@lru_cache(1024)  # 0.07 ms a page of a game
def _symbol(prefix: str, name: str, theme: Theme) -> str:
    return f'<g id="{prefix}-s-{name}">{define(name, theme)}</g>'


def finish(canvas: Canvas, view: View, width: float, height: float) -> str:
    """Return the document around what was drawn: sheet, symbols, title and description."""
    theme, prefix, size = canvas.theme, canvas.prefix, canvas.size
    # What leads somewhere is a picture no more: a picture's parts are not there for screen readers.
    said = f"{prefix}-title", f"{prefix}-desc"
    role = (
        f'role="group" aria-labelledby="{said[0]}" aria-describedby="{said[1]}"'
        if canvas.linked
        else f'role="img" aria-labelledby="{said[0]} {said[1]}"'
    )
    scale = f' width="{size}" height="{round(size * height / width)}"' if size else ""
    symbols = "".join([_symbol(prefix, name, theme) for name in canvas.used])
    w, h = num(width), num(height)
    inset = 4 if canvas.narrow else 9
    sheet = (
        f'<rect width="{w}" height="{h}" fill="{theme.paper}"/>'
        f'<rect x="{inset}" y="{inset}" width="{num(width - 2 * inset)}" height="{num(height - 2 * inset)}" '
        f'fill="none" stroke="{theme.line}" stroke-width="1.2"/>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}"{scale} {role} '
        f'font-family="{FONT}" font-size="{num(canvas.small)}" fill="{theme.ink}" data-ply="{view["ply"]}">'
        f'<title id="{prefix}-title">{ascii_only(escape(headline(canvas, view)))}</title>'
        f'<desc id="{prefix}-desc">{ascii_only(escape(description(canvas, view)))}</desc>'
        f"<defs>{symbols}</defs>{sheet}{''.join(canvas.parts)}</svg>"
    )
