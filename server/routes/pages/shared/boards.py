"""The board in pages: the layout that fits a visitor, and its pictures with their links, kept: drawing one is dear."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from threading import Lock
from typing import Any

import orjson
from cachetools import LRUCache, cached
from flask import request

from server import language
from server.board.canvas import Link
from server.board.svg import board_svg
from server.engine.ulm1.shapes import View

LAYOUT_COOKIE = "ulm_board"
PANELS = {"desk": {"desk": "b"}, "phone": {"square": "b", "town": "w"}}
"""How the page of a game is laid out, and the pictures that it has then: their layouts, and how their ids begin."""
KEPT = 600
"""A picture has 20 to 90 KB: this many are 40 MB at most. One that is kept saves 0.9 ms."""


def layout() -> str:
    """How the page of a game is laid out, one of `PANELS`: as its script found fit, else by the machine that asks."""
    wish = request.cookies.get(LAYOUT_COOKIE, "")
    if wish in PANELS:
        return wish
    mobile = request.headers.get("Sec-CH-UA-Mobile") == "?1" or "Mobi" in request.headers.get("User-Agent", "")
    return "phone" if mobile else "desk"


def boards(
    view: View,
    seat: int | None,
    names: Sequence[str],
    layouts: Mapping[str, str],
    made_of: Hashable,
    links: Callable[[], dict[str, Link]],
    pennants: bool = True,
) -> dict[str, str]:
    """The SVGs of a view by their layouts and the beginning of their ids; `links` follow from `made_of`."""
    # All that a picture shows follows from these.
    key = (orjson.dumps(view, option=orjson.OPT_SORT_KEYS), seat, tuple(names), language.current(), made_of, pennants)
    options = {"seat": seat, "names": names, "pennants": pennants}
    return {name: _drawn((*key, name, prefix), view, links, options, name, prefix) for name, prefix in layouts.items()}


@cached(LRUCache(KEPT), lambda key, *_: key, Lock())
def _drawn(
    key: Hashable, view: View, links: Callable[[], dict[str, Link]], options: dict[str, Any], layout: str, prefix: str
) -> str:
    code = language.current()
    return board_svg(view, **options, layout=layout, theme="page", language=code, prefix=prefix, links=links())
