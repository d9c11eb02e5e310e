"""The Minster square in small, for the card of a game: nine tiles in the colours of the page, for the eye alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from markupsafe import Markup

_STEP, _TILE = 16, 14
# A sign of its own for each colour, as the tiles of the board have one, within 14 units.
_SIGNS = {
    "gray": '<circle cx="7" cy="7" r="3"/>',
    "white": '<path d="M4 7h6"/>',
    "brown": '<path d="M5 4h4v6h-4z"/>',
    "turquoise": '<path d="M3 8q2-3 4 0t4 0"/>',
    "orange": '<path d="M7 3 10.5 10h-7z"/>',
}


@lru_cache(maxsize=2000)
def svg(square: Sequence[str]) -> Markup:
    """The picture of nine tiles, row by row. It needs the page's `lobby.css` for its colours."""
    tiles = "".join(
        f'<g class="t-{color}" transform="translate({_STEP * (place % 3)} {_STEP * (place // 3)})">'
        f'<rect width="{_TILE}" height="{_TILE}" rx="2"/>{_SIGNS[color]}</g>'
        for place, color in enumerate(square)
    )
    return Markup(  # noqa: S704 - numbers and names of our own
        f'<svg class="small-square" viewBox="-1 -1 48 48" aria-hidden="true" focusable="false">{tiles}</svg>'
    )
