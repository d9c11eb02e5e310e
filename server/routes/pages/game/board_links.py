"""The board of a game's page: which of its parts are moves, and a store of boards that were drawn."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock
from typing import Any

import orjson
from cachetools import LRUCache, cached
from flask import request

from server.board.canvas import Link
from server.board.svg import board_svg
from server.language import gettext as _
from server.routes.pages.game.door import Door
from server.service.views import speech
from server.service.views.drafts import Draft
from server.service.views.move_choices import Option
from server.service.views.turn_page import TurnPage

LAYOUT_COOKIE = "ulm_board"
LAYOUTS = ("wide", "narrow")
BOARDS_KEPT = 200
"""A board is some 70 KB: this many are 15 MB at most."""
PREFIX = "b"

# Verbs whose moves stand on a part of the board named after their first word.
_BY_WORD = {"pick": "bag", "keep": "tile", "swap": "docks", "dock": "docks", "push": "slot", "seal": "quarter",
            "play": "card", "choose": "card", "take": "discard", "coat": "coat", "descendant": "descendant",
            "barge": "barge", "exchange": "supply"}  # fmt: skip
_USES = {"money": ["use-gray"], "river": ["use-turquoise", "barge"], "sail": ["credit-step", "barge"],
         "clear": ["use-white"], "buy": ["pile"]}  # fmt: skip
_PLAIN = ("draw", "coin", "search", "pass", "salvage", "levy", "end")


def layout() -> str:
    """How the board is laid out: as the page's script found fit, else by what kind of machine asks."""
    wish = request.cookies.get(LAYOUT_COOKIE)
    if wish in LAYOUTS:
        return str(wish)
    mobile = request.headers.get("Sec-CH-UA-Mobile") == "?1" or "Mobi" in request.headers.get("User-Agent", "")
    return "narrow" if mobile else "wide"


def board(door: Door, shown: TurnPage, view: dict[str, Any], chosen: str) -> str:
    """The SVG of a view, to be put into the page; in it the legal moves are links. `chosen` is one of `LAYOUTS`."""
    seen = orjson.dumps(view, option=orjson.OPT_SORT_KEYS)
    spoken = speech.board_language()
    draft = shown.draft
    # All that the picture shows follows from these: whoever gets a stored one would have got the same.
    made_of = (seen, shown.reader, tuple(shown.names), chosen, spoken,
               None if draft is None else (door.here, draft.ply, draft.text))  # fmt: skip
    return _drawn(made_of, door, shown, view, chosen)


@cached(LRUCache(BOARDS_KEPT), lambda made_of, *_: made_of, Lock())
def _drawn(made_of: Hashable, door: Door, shown: TurnPage, view: dict[str, Any], chosen: str) -> str:
    return board_svg(
        view,
        seat=shown.reader,
        names=shown.names,
        layout=chosen,
        theme="page",
        language=speech.board_language(),
        prefix=PREFIX,
        links={} if shown.draft is None else links_of(door, shown.draft),
    )


def links_of(door: Door, draft: Draft) -> dict[str, Link]:
    """What leads where. A part that stands for one move drafts it; where there are several, or the move would be sent,
    the page asks first."""
    found: dict[str, list[Option]] = {}
    for option in draft.options.values():
        for key in keys(option.move):
            found.setdefault(key, []).append(option)
    return {key: _link(door, draft, options) for key, options in found.items()}


def _link(door: Door, draft: Draft, options: list[Option]) -> Link:
    first, shared = options[0], _shared(options)
    if not shared:  # `river` and `sail` both move the barge: the page has buttons for both
        options = options[:1]
    if len(options) == 1 and first.move not in draft.sending:
        href = door.draft(draft.ply, [*draft.moves, first.move])
    else:
        href = door.draft(draft.ply, draft.moves, ask=shared or first.move)
    if len(options) > 1:
        return Link(href, first.move, _("%(label)s, or another of %(num)s moves", label=first.label, num=len(options)))
    label = f"{first.label}: {first.detail}" if first.detail else first.label
    return Link(href, first.move, label)


def _shared(options: list[Option]) -> str:
    """The words with which all these moves begin."""
    words = [option.move.split() for option in options]
    shared = words[0]
    for other in words[1:]:
        shared = [one for one, two in zip(shared, other, strict=False) if one == two]
    return " ".join(shared)


def keys(move: str) -> list[str]:
    """The parts of the board on which a move can be played, by the keys of docs/board.md."""
    verb, *rest = move.split()
    if verb in _PLAIN:
        return [verb]
    if verb in _USES:
        return _USES[verb]
    if verb in _BY_WORD:
        return [f"{_BY_WORD[verb]}-{rest[0]}"]
    return []
