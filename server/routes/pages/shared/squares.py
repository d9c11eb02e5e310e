"""The Minster square in small, as lists of games show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from server.board.drawings import TILE_SYMBOLS, define
from server.board.themes import PAGE
from server.engine.ulm1.tables import COLORS
from server.routes.http.context import store
from server.service.archive import analyses
from server.service.archive.analyses import Moment
from server.service.lists import board_view


class Pictured(NamedTuple):
    """What a list shows of a finished game: the colours of its square, when it was decided or else in the end."""

    square: Sequence[str] | None
    decided: Moment | None


def of_replays(ids: Sequence[str]) -> dict[str, Pictured]:
    """The pictures of finished games. The caller has asked who may see them."""
    ends, moments = board_view.glances(store(), ids), analyses.moments(store(), ids)
    found = {}
    for one in ids:
        end, decided = ends.get(one), moments.get(one)
        last = None if end is None else end.square
        found[one] = Pictured(last if decided is None else decided["square"], decided)
    return found


_ON_TILE = "translate(.8 .8) scale(.517)"  # a sign fills a box of 24 × 24, here nearly all of its tile


def _signs() -> Markup:
    signs = "".join(
        f'<g id="sign-{color}" transform="{_ON_TILE}">{define(sign, PAGE)}</g>'
        for color, sign in zip(COLORS, TILE_SYMBOLS, strict=True)
    )
    return Markup(f'<svg class="sprites" aria-hidden="true" focusable="false">{signs}</svg>')  # noqa: S704 - ours


SIGNS = _signs()
"""What lies on the tiles of the board, defined once for a page with any number of squares: they refer to it."""
