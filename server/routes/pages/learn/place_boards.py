"""The boards of a lesson: one for a desk, two halves for a phone; what the coach asks for is marked on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from server.board.canvas import Link
from server.language import gettext as _
from server.routes.pages.game.board_links import parts
from server.routes.pages.shared import boards
from server.service.explain import game_words
from server.service.explain.move_choices import Option
from server.service.learning import lessons
from server.service.learning.lessons import LEARNER, OPPONENT
from server.service.learning.walk import Place

_LAYOUTS = {"desk": "ld", "square": "ls", "town": "lt"}
"""With what the ids of each begin."""
_TOWN = frozenset({"river", "sail", "seal", "barge", "coat", "descendant"})
"""Verbs whose moves are seen in the town, not in the square."""


_DANUBE = frozenset({"river", "sail", "barge"})
_ASKED = {"buy": 1, "play": 2}
"""Verbs whose moves on one part of the board differ in what is paid, and how many of their words are the same."""


class Choice(NamedTuple):
    """A move to choose: where it leads, what the coach says for it, whether it is what was asked for."""

    option: Option
    href: str
    why: str = ""
    asked: bool = False
    then: bool = False
    """It comes after one of the choices before it, which rule each other out."""


class Boards(NamedTuple):
    """The pictures; on a phone the town comes first, and (`moving_on`) the square after it was seen."""

    desk: str
    square: str
    town: str
    town_first: bool
    moving_on: bool


def of(place: Place, choices: Sequence[Choice], ask: Callable[[str], str]) -> Boards:
    """The boards of a place, with the legal moves as links; `ask` has the address of several ways to pay."""
    links: dict[str, Link] = {}
    ways: dict[str, list[Choice]] = {}
    view = place.state.rules.view(place.state, LEARNER)
    if place.number < lessons.taught_in("seal"):  # nobody has said what lies beside a gate
        view = {**view, "coat_seals": {}}
    for choice in choices:
        for key in parts(view, choice.option.move):
            ways.setdefault(key, []).append(choice)
    for key, there in ways.items():
        option = there[0].option
        link = Link(there[0].href, option.move, option.label)
        if place.lesson.is_free and len(there) > 1 and (begins := _ASKED.get(option.move.split()[0])):
            words = " ".join(option.move.split()[:begins])
            label = _("%(label)s, or another of %(num)s moves", label=option.label, num=len(there))
            link = Link(ask(words), option.move, label)
        links[key] = link
    drawn = boards.boards(
        view,
        LEARNER,
        [game_words.words().seats[LEARNER], OPPONENT],
        _LAYOUTS,
        links,
        pennants=place.number >= lessons.taught_in("river"),  # the coach names them there
    )
    asked = choices[0].option.move if choices and choices[0].asked else ""
    if asked:
        mark = f'data-move="{asked}"'
        drawn = {layout: svg.replace(mark, f'{mark} data-asked=""') for layout, svg in drawn.items()}
    last = place.last.move[0] if place.last is not None and not place.over else ""
    in_town = (asked.split(" ")[0] or last) in _TOWN or (place.step is not None and place.step.about_town)
    moving_on = not in_town and last in _DANUBE  # who sailed sees the barge move
    return Boards(**drawn, town_first=in_town or moving_on, moving_on=moving_on)
