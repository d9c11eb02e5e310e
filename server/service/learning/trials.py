"""Moves tried out by the coach, on what the learner may see."""

from __future__ import annotations

from typing import NamedTuple

from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import Player, State
from server.engine.ulm1.tables import COLOR_INDEX
from server.service.learning.deal import LEARNER


class Hint(NamedTuple):
    """A move that the coach would think of, how much, and why."""

    move: str
    worth: float
    why: str
    instead: bool = False
    """It can be done instead of the first move, and no longer after it."""


def legal(state: State, *verbs: str) -> list[Move]:
    """The learner's legal moves, or those of some verbs."""
    return [move for move in state.rules.legal_moves(state, LEARNER) if not verbs or move[0] in verbs]


def after_move(state: State, move: Move) -> State:
    """The position after a move of the learner."""
    return state.rules.apply(state, LEARNER, move).state


def me(state: State) -> Player:
    """The learner."""
    return state.players[LEARNER]


def total(state: State) -> int:
    """What the learner would have if the game ended now."""
    return state.rules.final_scores(state)[LEARNER]["total"]


def settled(state: State) -> State:
    """The position after all choices were answered somehow."""
    while state.pending and state.active == LEARNER:
        state = after_move(state, legal(state)[-1])
    return state


def uses(state: State, move: Move, color: str) -> bool:
    """Whether a move uses an activated tile of a colour: a play may be the free one instead."""
    index = COLOR_INDEX[color]
    return after_move(state, move).turn.activated[index] < state.turn.activated[index]
