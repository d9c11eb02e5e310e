"""The board as one SVG, drawn from a view: `board_svg`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from server.board.canvas import FONT, Canvas, Link, ascii_only, escape, num
from server.board.describe import description, headline
from server.board.drawings import define, needed
from server.board.layouts import LAYOUTS, NARROW, WIDE
from server.board.measure import clean
from server.board.sheets import draw
from server.board.themes import theme_of
from server.board.words import words_of
from server.engine import rulesets
from server.engine.ulm1.shapes import View

NARROW_BELOW = 800  # pixels: at 600, the width of a mail, the wide layout's small type would be 6 pixels high


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
    pennants: bool = True,
) -> Canvas:
    """Return an empty canvas for a view (record.md §4).

    `seat` is the reader's own, `names` those of the seats (their colours when None), `size` the width in pixels (None:
    as wide as what it is put into), `layout` one of `LAYOUTS` (None: narrow below 800 pixels, else wide), `theme` one
    of `THEMES` or "page", `highlight` what changed (see `changes.changed`), `prefix` begins every id, so that several
    boards can stand on one page, `links` what leads where, by the keys of docs/board.md; without `pennants` no layout
    shows whose barge reaches a quarter.

    Raises `ValueError` for a theme, language, layout or number of names that does not fit.
    """
    if layout is not None and layout not in LAYOUTS:
        raise ValueError(f"the layouts are {', '.join(LAYOUTS)}; there is no {layout!r}")
    if size is not None and not 1 <= size <= 20000:
        raise ValueError(f"the size is a width of 1 to 20000 pixels, not {size}")
    if not prefix.isidentifier() or not prefix.isascii():
        raise ValueError("the prefix of ids is made of letters, digits and underscores")
    words = words_of(language, rulesets.rules_for(view["ruleset"]))
    chosen = LAYOUTS[layout] if layout else NARROW if size is not None and size < NARROW_BELOW else WIDE
    shown = seat_names(view, names, words.seats)
    if not pennants:
        chosen = replace(chosen, pennant=0)
    highlights = frozenset(highlight or ())
    return Canvas(theme_of(theme), words, shown, seat, chosen, highlights, prefix, size, links or {})


class Style(TypedDict, total=False):
    """How a picture is to look; see `canvas_for`."""

    size: int | None
    layout: str | None
    theme: str
    language: str
    prefix: str


def board_svg(view: View, seat: int | None = None, names: Sequence[str] | None = None, **options: Any) -> str:
    """Return the picture of a view as a complete SVG document; arguments and errors as of `canvas_for`."""
    canvas = canvas_for(view, seat, names, **options)
    return finish(canvas, view, *draw(canvas, view))


def halves_svg(view: View, seat: int | None, names: Sequence[str], size: int, language: str) -> str:
    """The two halves of the board for a phone, one below the other, `size` pixels wide: for mails. Without players and
    turn. Arguments and errors as of `canvas_for`."""
    parts, width, top = [], 0.0, 0.0
    for layout in ("square", "town"):
        canvas = canvas_for(view, seat, names, layout=layout, language=language, prefix=layout)
        width, height = draw(canvas, view)
        parts.append(
            f'<g transform="translate(0 {num(top)})" font-size="{num(canvas.small)}">'
            f"<defs>{definitions(canvas)}</defs>{canvas.drawn()}</g>"
        )
        top += height
    theme = canvas.theme
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(width)} {num(top)}" width="{size}" '
        f'height="{round(size * top / width)}" font-family="{FONT}" fill="{theme.color("ink")}">'
        f'<rect width="100%" height="100%" fill="{theme.color("paper")}"/>{"".join(parts)}</svg>'
    )


def seat_names(view: View, names: Sequence[str] | None, colors: Sequence[str]) -> list[str]:
    """One printable name for each seat (else its colour). Raises `ValueError` for another number of names."""
    seats = len(view["players"])
    if names is not None and len(names) != seats:
        raise ValueError(f"{seats} seats need {seats} names, not {len(names)}")
    return [clean(name) or color for name, color in zip(names or colors, colors[:seats], strict=False)]


def definitions(canvas: Canvas) -> str:
    """Return the symbols that were used on a canvas, for its `defs`."""
    return "".join(
        f'<g id="{canvas.prefix}_{name}">{define(name, canvas.theme, canvas.prefix)}</g>'
        for name in needed(canvas.used)
    )


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
    w, h = num(width), num(height)
    sheet = f'<rect width="{w}" height="{h}" fill="{theme.color("paper")}"/>'
    if inset := canvas.layout.inset:
        sheet += (
            f'<rect x="{num(inset)}" y="{num(inset)}" width="{num(width - 2 * inset)}" '
            f'height="{num(height - 2 * inset)}" fill="none" stroke="{theme.color("line")}" stroke-width="1.2"/>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}"{scale} {role} '
        f'font-family="{FONT}" font-size="{num(canvas.small)}" fill="{theme.color("ink")}" data-ply="{view["ply"]}">'
        f'<title id="{prefix}-title">{ascii_only(escape(headline(canvas, view)))}</title>'
        f'<desc id="{prefix}-desc">{ascii_only(escape(description(canvas, view)))}</desc>'
        f"<defs>{definitions(canvas)}</defs>{sheet}{canvas.drawn()}</svg>"
    )
