"""The deal of the guided first game: one game of two, played on by the real rules.

Its seed is public and the same for everybody, and so are the moves of the first five turns, which are the lessons.
`lessons` says in words what this deal brings; a test plays it and holds both against each other.
"""

from __future__ import annotations

import random
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from bots.rules_of_thumb import play_steady
from server.engine import rulesets
from server.engine.errors import IllegalMoveError
from server.engine.events import Event
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import RESIGN

RULES = rulesets.rules_for("ulm/1")
"""The rules that were there when the deal was looked for: others would deal otherwise."""
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
