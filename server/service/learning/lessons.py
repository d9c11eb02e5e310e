"""The guided first game: its deal, one game of two that is played on by the real rules, and its five lessons.

The seed is public and the same for everybody, and so are the moves of the first five turns, which are the lessons. What
the coach says in them, in English, stands in `lessons.toml`: each step belongs to the move of `TURNS` at its place. A
test plays the deal and holds both against each other.
"""

from __future__ import annotations

import random
import tomllib
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

from bots.rules_of_thumb import play_steady
from server.engine import rulesets
from server.engine.errors import IllegalMoveError
from server.engine.events import Event
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import RESIGN

RULES = rulesets.rules_for("ulm/2")
"""Under these the lessons were tried: the bot may play otherwise under others."""
SEED = sha256(b"a first game of Ulm 6251").digest()
LEARNER, BOT = 0, 1
TURNS: tuple[tuple[str, ...], ...] = (
    ("draw", "push E1", "money", "money", "money", "end"),
    ("draw", "push N2", "clear W", "clear S", "money", "end"),
    ("draw", "push N1", "buy turquoise turquoise", "choose steeple-1", "play steeple-1 top white",
     "money", "money", "end"),
    ("draw", "push N2", "river", "clear S", "money", "end"),
    ("draw", "push E3", "river", "river", "seal leaning_house", "coat W2", "end"),
)  # fmt: skip
"""What the learner plays in each lesson."""
ROUNDS = 2
"""So many turns after the lessons are the learner's own."""


class Played(NamedTuple):
    """A move that was made, what followed from it, and the positions before and after."""

    seat: int
    move: Move
    before: State
    after: State
    events: list[Event]

    @property
    def text(self) -> str:
        """The move as it is written."""
        return format_move(self.move)


def play(state: State, seat: int, text: str) -> Played:
    """Play a move. Raises `UlmError` for one that is not legal, or is none; nobody resigns here."""
    move = RULES.parse_move(text)
    if move == RESIGN:
        raise IllegalMoveError("O3", "A lesson is left, not resigned")
    applied = RULES.apply(state, seat, move)
    return Played(seat, move, state, applied.state, applied.events)


def bots_turn(state: State) -> list[Played]:
    """The turn of the bot, which is to move: the same in the same position, however one came there."""
    played: list[Played] = []
    while state.active == BOT:
        legal = RULES.legal_moves(state)
        # Among moves of equal worth it takes one by chance, here always the same.
        move = play_steady(RULES.view(state, BOT), legal, random.Random(state.ply))  # noqa: S311
        played.append(play(state, BOT, format_move(move)))
        state = played[-1].after
    return played


@lru_cache(maxsize=len(TURNS) + 1)
def begin(lesson: int) -> State:
    """The position in which a lesson (from 1) begins, or, after the last of them, the learner's own rounds."""
    if lesson == 1:
        return RULES.new_game(SEED, 2, {"rotate_start": False, "tower": False})
    state = begin(lesson - 1)
    for text in TURNS[lesson - 2]:
        state = play(state, LEARNER, text).after
    return bots_turn(state)[-1].after


_TEXTS = tomllib.loads(files("server.service.learning").joinpath("lessons.toml").read_text("utf-8"))
SAID: dict[str, str] = _TEXTS["said"]
"""What the coach says of moves that were not asked for, and of what others get."""
GOLD, REFUSED_END = SAID["gold"], SAID["refused_end"]
BOT_SAYS: dict[str, str] = _TEXTS["bot"]
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
    steps = tuple(Step(move, **step) for move, step in zip(TURNS[number], form["steps"], strict=True))
    return Lesson(form["name"], _COLORS[number], steps, form["learned"])


LESSONS = tuple(_lesson(number, form) for number, form in enumerate(_TEXTS["lessons"]))
"""The five lessons, and the two rounds in which the learner is free."""
LAST = len(LESSONS)
FREE = len(TURNS) + 1
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
