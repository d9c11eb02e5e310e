"""What the coach says in the five lessons of the guided first game: at each step what to do, and why.

The texts, in English, stand in `lessons.toml`. Each step belongs to the move of `deal.TURNS` at its place.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any, NamedTuple

from server.service.learning import deal

_TEXTS = tomllib.loads(files("server.service.learning").joinpath("lessons.toml").read_text("utf-8"))
SAID: dict[str, str] = _TEXTS["said"]
"""What the coach says of moves that were not asked for, and of what others get."""
GOLD, REFUSED_END = SAID["gold"], SAID["refused_end"]
BOT: dict[str, str] = _TEXTS["bot"]
"""What he says of a move of the bot, by its verb (`lay` of a card that is laid on the table)."""
QUARTERS: dict[str, str] = _TEXTS["quarters"]
"""What a seal in a quarter brings."""
OPPONENT = "Jörg"
"""Whom the bot plays; the same in every language."""
_COLORS = ("gray", "white", "brown", "turquoise", "orange")


class Step(NamedTuple):
    """One thing that the learner is asked to do: the move, what the coach says, and why. `about_town`: it speaks of the
    Danube and the town, although what is done is seen elsewhere."""

    move: str
    say: str
    why: str
    about_town: bool = False


class Lesson(NamedTuple):
    """A lesson: its name, the colour of the tile that it is about ("" for none), its steps, what was learned."""

    name: str
    color: str
    steps: tuple[Step, ...]
    learned: str

    @property
    def is_free(self) -> bool:
        """The learner plays as they like."""
        return not self.steps


def _lesson(number: int, form: dict[str, Any]) -> Lesson:
    if "steps" not in form:
        return Lesson(form["name"], "", (), form["learned"])
    steps = tuple(Step(move, **step) for move, step in zip(deal.TURNS[number], form["steps"], strict=True))
    return Lesson(form["name"], _COLORS[number], steps, form["learned"])


LESSONS = tuple(_lesson(number, form) for number, form in enumerate(_TEXTS["lessons"]))
"""The five lessons, and the two rounds in which the learner is free."""
LAST = len(LESSONS)
FREE = len(deal.TURNS) + 1
"""The number of the first lesson in which the learner is free."""
_SPARROWS = FREE - 2
"""The number of the lesson whose last words are about sparrows."""


def knows_sparrows(number: int, step: Step | None) -> bool:
    """Whether the learner has been told what sparrows are, who is at a step of the lesson with this number (None: it is
    over, or the learner has strayed). Before, the page does not speak of them."""
    return number > _SPARROWS or (number == _SPARROWS and (step is None or step.move == "end"))


def knows_crests(number: int, chose: bool) -> bool:
    """Whether the learner has been told what family crests are, who is at the lesson with this number; `chose`: among
    coats of arms, in it. It is said of the first golden one that is theirs to take; before, the page is silent."""
    return number > FREE or (number == FREE and chose)


_TAUGHT = {"clear": 2, "buy": 3, "play": 3, "river": 4, "sail": 4, "seal": 5, "coat": 5, "descendant": 5}


def taught_in(verb: str) -> int:
    """The number of the lesson that explains a move's verb; 1 for what all know from the beginning."""
    return _TAUGHT.get(verb, 1)
