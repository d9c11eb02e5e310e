"""The board in pages: the layout that fits a visitor, and its pictures with their links, kept: drawing one is dear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
"""A picture has 20 to 90 KB: this many are 40 MB at most. One that is kept saves 3 ms."""


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
    links: Mapping[str, Link],
    pennants: bool = True,
) -> dict[str, str]:
    """The SVGs of a view by their layouts and the beginning of their ids."""
    shown = orjson.dumps(view, option=orjson.OPT_SORT_KEYS)
    options = (seat, tuple(names), language.current(), tuple(links.items()), pennants)
    return {name: _drawn((shown, *options, name, prefix), view) for name, prefix in layouts.items()}


@cached(LRUCache(KEPT), lambda key, _: key, Lock())
def _drawn(key: tuple[Any, ...], view: View) -> str:
    _shown, seat, names, code, links, pennants, layout, prefix = key
    options = {"layout": layout, "theme": "page", "language": code, "prefix": prefix, "pennants": pennants}
    return board_svg(view, seat, names, links=dict(links), **options)
