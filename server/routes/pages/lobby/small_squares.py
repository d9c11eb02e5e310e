"""The Minster square in small, for the card of a game: nine tiles with the board's own signs, for the eye alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from markupsafe import Markup

from server.board.drawings import TILE_SYMBOLS, define
from server.board.themes import PAGE
from server.engine.ulm1.tables import COLORS

_STEP, _TILE = 16, 14
_ON_TILE = "translate(.8 .8) scale(.517)"  # a sign fills a box of 24 × 24, here nearly all of its tile


def _signs() -> Markup:
    signs = "".join(
        f'<g id="sign-{color}" transform="{_ON_TILE}">{define(sign, PAGE)}</g>'
        for color, sign in zip(COLORS, TILE_SYMBOLS, strict=True)
    )
    return Markup(f'<svg class="sprites" aria-hidden="true" focusable="false">{signs}</svg>')  # noqa: S704 - ours


SIGNS = _signs()
"""What lies on the tiles of the board, defined once for a page with any number of squares: they refer to it."""


@lru_cache(maxsize=2000)
def svg(square: Sequence[str]) -> Markup:
    """The picture of nine tiles, row by row. It needs `SIGNS` in its page, and `lobby.css` for its colours."""
    tiles = "".join(
        f'<g class="t-{color}" transform="translate({_STEP * (place % 3)} {_STEP * (place // 3)})">'
        f'<rect width="{_TILE}" height="{_TILE}" rx="2"/><use href="#sign-{color}"/></g>'
        for place, color in enumerate(square)
    )
    return Markup(  # noqa: S704 - numbers and names of our own
        f'<svg class="small-square" viewBox="-1 -1 48 48" aria-hidden="true" focusable="false">{tiles}</svg>'
    )
