"""Small pictures for pages, inline and in the colours of the page's theme: marks of seats, coins, tiles, pieces."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from server.board.drawings import define
from server.board.pieces import Laid, piece_svg
from server.board.themes import theme_of
from server.engine.rulesets import Rules
from server.engine.ulm1.tables import COLORS
from server.language import current


def seat_mark(seat: int) -> Markup:
    """The mark of a seat, for the eye alone; a page that shows it has `SPRITES`."""
    return Markup(
        '<span class="seat-mark seat-%s"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
        '<use href="#t-seal-%s"/></svg></span>'
    ) % (seat, seat)


@lru_cache(maxsize=64)  # 0.2 ms a page whose seats are written anew
def icon(symbol: str) -> Markup:
    """A symbol of the board (`coin`, `seal-0` …), for the eye alone, in the colours of `board.css`."""
    box = 48 if symbol.startswith(("tile", "pip")) else 24
    # Made by the board's own code from a name that is ours: nothing in it came from outside.
    inner = define(symbol, theme_of("page"))
    return Markup(f'<svg class="icon" viewBox="0 0 {box} {box}" aria-hidden="true" focusable="false">{inner}</svg>')  # noqa: S704


def _sprites() -> Markup:
    page = theme_of("page")
    drawn = [(color, 48, f"tile-{color}") for color in COLORS] + [
        (f"seal-{seat}", 24, f"seal-{seat}") for seat in range(4)
    ]
    symbols = "".join(
        f'<symbol id="t-{name}" viewBox="0 0 {box} {box}">{define(symbol, page)}</symbol>'
        for name, box, symbol in drawn
    )
    return Markup(f'<svg class="sprites" aria-hidden="true" focusable="false">{symbols}</svg>')  # noqa: S704 - ours


SPRITES = _sprites()
"""The five tiles and the marks of four seats, defined once for a page; `tile` and `seat_mark` refer to them."""


def tile(color: str) -> Markup:
    """A tile, for the eye alone."""
    return (
        Markup('<svg class="pip" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><use href="#t-%s"/></svg>')
        % color
    )


def piece(rules: Rules, kind: str, name: str, width: int | None = None, *, hidden: bool = True,
          laid: Laid | None = None) -> Markup:  # fmt: skip
    """A piece of the game in the colours of `board.css`; unless `hidden`, a screen reader is told what it is."""
    language = current()
    svg = piece_svg(kind, name, language=language, width=width, hidden=hidden, rules=rules, laid=laid)
    return Markup(svg)  # noqa: S704 - the board's own
