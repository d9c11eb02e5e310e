"""The pictures of the board on the page of a game, with their links; kept, for drawing one is dear."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock

import orjson
from cachetools import LRUCache, cached
from flask import request

from server.board.svg import board_svg
from server.engine.ulm1.shapes import View
from server.routes.pages.game.access import GameAccess
from server.routes.pages.game.board_links import links_of
from server.service.explain import game_words
from server.service.views.turn_page import TurnPage

LAYOUT_COOKIE = "ulm_board"
PANELS = {"desk": {"desk": "b"}, "phone": {"square": "b", "town": "w"}}
"""How a page is laid out, and the pictures that it has then: the layout of each, and what its ids begin with."""
BOARDS_KEPT = 300
"""A board is some 70 KB, of a phone's two some 40: this many are 20 MB at most. One that is kept saves 0.9 ms."""


def layout() -> str:
    """How the page is laid out, one of `PANELS`: as its script found fit, else by what kind of machine asks."""
    wish = request.cookies.get(LAYOUT_COOKIE, "")
    if wish in PANELS:
        return wish
    mobile = request.headers.get("Sec-CH-UA-Mobile") == "?1" or "Mobi" in request.headers.get("User-Agent", "")
    return "phone" if mobile else "desk"


def boards(access: GameAccess, shown: TurnPage, view: View, chosen: str) -> dict[str, str]:
    """The SVGs of a view, by their layouts, to be put into the page; in them the legal moves are links. `chosen` is one
    of `PANELS`."""
    seen = orjson.dumps(view, option=orjson.OPT_SORT_KEYS)
    spoken = game_words.board_language()
    draft = shown.draft
    drafted = None if draft is None else (access.here, draft.ply, draft.text)
    # All that a picture shows follows from these: whoever gets a stored one would have got the same.
    return {
        name: _drawn((seen, shown.reader, tuple(shown.names), name, spoken, drafted), access, shown, view, name, prefix)
        for name, prefix in PANELS[chosen].items()
    }


@cached(LRUCache(BOARDS_KEPT), lambda made_of, *_: made_of, Lock())
def _drawn(made_of: Hashable, access: GameAccess, shown: TurnPage, view: View, chosen: str, prefix: str) -> str:
    return board_svg(
        view,
        seat=shown.reader,
        names=shown.names,
        layout=chosen,
        theme="page",
        language=game_words.board_language(),
        prefix=prefix,
        links={} if shown.draft is None else links_of(access, shown.draft),
    )
