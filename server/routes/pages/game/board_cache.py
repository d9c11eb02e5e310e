"""The picture of the board on the page of a game, with its links; kept, for drawing one is dear."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock

import orjson
from cachetools import LRUCache, cached
from flask import request

from server.board.svg import board_svg
from server.engine.ulm1.shapes import View
from server.routes.pages.game.board_links import links_of
from server.routes.pages.game.session_or_link import Door
from server.service.views import game_words
from server.service.views.turn_page import TurnPage

LAYOUT_COOKIE = "ulm_board"
LAYOUTS = ("wide", "narrow")
BOARDS_KEPT = 200
"""A board is some 70 KB: this many are 15 MB at most. One that is kept saves 0.9 ms."""
PREFIX = "b"


def layout() -> str:
    """How the board is laid out: as the page's script found fit, else by what kind of machine asks."""
    wish = request.cookies.get(LAYOUT_COOKIE)
    if wish in LAYOUTS:
        return str(wish)
    mobile = request.headers.get("Sec-CH-UA-Mobile") == "?1" or "Mobi" in request.headers.get("User-Agent", "")
    return "narrow" if mobile else "wide"


def board(door: Door, shown: TurnPage, view: View, chosen: str) -> str:
    """The SVG of a view, to be put into the page; in it the legal moves are links. `chosen` is one of `LAYOUTS`."""
    seen = orjson.dumps(view, option=orjson.OPT_SORT_KEYS)
    spoken = game_words.board_language()
    draft = shown.draft
    # All that the picture shows follows from these: whoever gets a stored one would have got the same.
    made_of = (seen, shown.reader, tuple(shown.names), chosen, spoken,
               None if draft is None else (door.here, draft.ply, draft.text))  # fmt: skip
    return _drawn(made_of, door, shown, view, chosen)


@cached(LRUCache(BOARDS_KEPT), lambda made_of, *_: made_of, Lock())
def _drawn(made_of: Hashable, door: Door, shown: TurnPage, view: View, chosen: str) -> str:
    return board_svg(
        view,
        seat=shown.reader,
        names=shown.names,
        layout=chosen,
        theme="page",
        language=game_words.board_language(),
        prefix=PREFIX,
        links={} if shown.draft is None else links_of(door, shown.draft),
    )
