"""The boards of a lesson: one for a desk, two halves for a phone; what the coach asks for is marked on them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from threading import Lock
from typing import NamedTuple

import orjson
from cachetools import LRUCache, cached
from markupsafe import Markup

from server.board.canvas import Link
from server.board.svg import board_svg
from server.engine.ulm1.shapes import View
from server.routes.pages.game.board_links import keys
from server.service.learning.deal import LEARNER
from server.service.learning.lessons import OPPONENT
from server.service.learning.walk import Place
from server.service.views import game_words
from server.service.views.move_choices import Option

KEPT = 100
"""So many places have their boards kept: 12 MB at most."""
_TOWN = frozenset({"river", "sail", "seal", "barge", "coat", "descendant"})
"""Verbs whose moves are seen in the town, not in the square."""


class Choice(NamedTuple):
    """A move to choose: where it leads, what the coach says for it, whether it is what was asked for."""

    option: Option
    href: str
    why: str = ""
    asked: bool = False


class Boards(NamedTuple):
    """The pictures; `town_first`: on a phone the town is what matters now."""

    desk: Markup
    square: Markup
    town: Markup
    town_first: bool


def of(place: Place, choices: Sequence[Choice]) -> Boards:
    """The boards of a place, with the legal moves as links."""
    links: dict[str, Link] = {}
    for choice in choices:
        label = choice.option.label
        for key in keys(choice.option.move):
            links.setdefault(key, Link(choice.href, choice.option.move, label))
    asked = choices[0].option.move if choices and choices[0].asked else ""
    view = place.state.rules.view(place.state, LEARNER)
    made_of = (
        orjson.dumps(view, option=orjson.OPT_SORT_KEYS),
        tuple(links.items()),
        asked,
        game_words.board_language(),
    )
    desk, square, town = _drawn(made_of, view, links, asked)
    return Boards(desk, square, town, _in_town(place, asked))


def _in_town(place: Place, asked: str) -> bool:
    verb = asked.split(" ")[0] or (place.last.move[0] if place.last is not None and not place.over else "")
    return verb in _TOWN


@cached(LRUCache(KEPT), lambda made_of, *_: made_of, Lock())
def _drawn(made_of: Hashable, view: View, links: dict[str, Link], asked: str) -> tuple[Markup, ...]:
    drawn = []
    for layout in ("desk", "square", "town"):
        svg = board_svg(
            view,
            seat=LEARNER,
            names=[game_words.words().seats[LEARNER], OPPONENT],
            layout=layout,
            theme="page",
            language=game_words.board_language(),
            prefix=f"l{layout[0]}",
            links=links,
        )
        mark = f'data-move="{asked}"'
        drawn.append(Markup(svg.replace(mark, f'{mark} data-asked=""') if asked else svg))  # noqa: S704 - the board's own
    return tuple(drawn)
