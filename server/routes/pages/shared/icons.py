"""Small pictures for pages, inline and in the colours of the page's theme: the marks of the seats, coins, sparrows."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from server.board.glyphs import define
from server.board.themes import theme_of


def seat_mark(seat: int) -> Markup:
    """The mark of a seat."""
    return Markup('<span class="seat-mark seat-%s">%s</span>') % (seat, icon(f"seal-{seat}"))


@lru_cache(maxsize=64)  # 0.2 ms a page whose seats are written anew
def icon(symbol: str) -> Markup:
    """The picture of a symbol of the board (`coin`, `seal-0` …), for the eye alone: say beside it what it means.

    A page that shows one must have `board.css`, which knows the colours.
    """
    box = 48 if symbol.startswith(("tile", "pip")) else 24
    # Made by the board's own code from a name that is ours: nothing in it came from outside.
    inner = define(symbol, theme_of("page"))
    return Markup(f'<svg class="icon" viewBox="0 0 {box} {box}" aria-hidden="true" focusable="false">{inner}</svg>')  # noqa: S704
