"""Where somebody is in the guided first game: computed from an address, the number of a lesson and the moves in it.

Whatever stands in an address leads somewhere: to the place that it means, or to the nearest one that there is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from server.engine.errors import UlmError
from server.engine.ulm1.state import State
from server.service.learning import lessons
from server.service.learning.lessons import BOT, FREE, LAST, LEARNER, LESSONS, Lesson, Played, Step
from server.service.views import drafts

MOVES_MAX = 60
LONGEST = 1500
"""So many moves, and characters, an address may have: two turns of twenty moves are far less."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the guided game: the position of a lesson after some moves. `moves` are all since the lesson began
    (those of the first round too, in the second of the learner's own)."""

    number: int
    state: State
    moves: tuple[str, ...] = ()
    left: tuple[Step, ...] = ()
    """What is still to be done in a lesson, in the order in which the coach asks for it."""
    last: Played | None = None
    """The learner's newest move in this lesson."""
    tried: bool = False
    """That move is not what was asked for: it was played to be looked at, and can only be taken back."""
    refused: bool = False
    """The learner wanted to end the turn before all was done: nothing was played."""
    answer: tuple[Played, ...] = ()
    """The lesson is over: the turn of the opponent, whose end `state` is."""
    over: bool = False
    problem: bool = False
    """The address meant something that there is not; this is the nearest place."""

    @property
    def lesson(self) -> Lesson:
        """The lesson that it is in."""
        return LESSONS[self.number - 1]

    @property
    def step(self) -> Step | None:
        """What the coach asks for now; None where the learner is free, or the lesson over."""
        return None if self.tried or not self.left else self.left[0]

    @property
    def text(self) -> str:
        """The moves as an address holds them."""
        return drafts.write(self.moves)

    @property
    def back(self) -> tuple[str, ...] | None:
        """The moves before the newest that can be taken back; None where there is none."""
        if self.last is None or (self.over and not self.lesson.is_free):
            return None
        return self.moves[:-1]


def at(number: int, text: str) -> Place:
    """The place of a lesson's number and the moves of an address, of which any part may be nonsense."""
    moves = tuple(drafts.read(text[:LONGEST])[:MOVES_MAX])
    if not 1 <= number <= LAST:
        return replace(_at(min(max(number, 1), LAST - 1), ()), problem=True)
    place = _at(number, moves)
    return replace(place, problem=True) if len(text) > LONGEST or text.count(",") >= MOVES_MAX else place


@lru_cache(maxsize=300)  # a place costs 1 to 5 ms, and each is looked at again when a move is taken back
def _at(number: int, moves: tuple[str, ...]) -> Place:
    return _free(number, moves) if number >= FREE else _guided(number, moves)


def _guided(number: int, moves: tuple[str, ...]) -> Place:
    place = Place(number, lessons.begin(number), left=LESSONS[number - 1].steps)
    for text in moves:
        if place.tried or place.over or place.refused:
            return replace(place, problem=True)  # nothing comes after these
        asked = next((index for index, step in enumerate(place.left) if step.move == text), None)
        if text == "end" and len(place.left) > 1 and place.state.phase == "actions" and not place.state.pending:
            place = replace(place, refused=True)
            continue
        try:
            played = lessons.play(place.state, LEARNER, text)
        except UlmError:
            return replace(place, problem=True)
        place = replace(place, state=played.after, moves=(*place.moves, played.text), last=played)
        if asked is None:
            place = replace(place, tried=True)
            continue
        left = (*place.left[:asked], *place.left[asked + 1 :])
        place = replace(place, left=left)
        if not left:
            answer = tuple(lessons.bots_turn(place.state))
            place = replace(place, state=lessons.begin(number + 1), answer=answer, over=True)
    return place


def _free(number: int, moves: tuple[str, ...]) -> Place:
    """The learner's own rounds, one after the other: the moves say in which of them the place is."""
    place = Place(FREE, lessons.begin(FREE))
    for text in moves:
        if place.over:
            if place.number == LAST:
                return replace(place, problem=True)
            place = Place(place.number + 1, place.state, place.moves)
        try:
            played = lessons.play(place.state, LEARNER, text)
        except UlmError:
            return replace(place, problem=True)
        place = replace(place, state=played.after, moves=(*place.moves, played.text), last=played)
        if place.state.active == BOT:
            answer = tuple(lessons.bots_turn(place.state))
            place = replace(place, state=answer[-1].after, answer=answer, over=True)
    if place.number < number and place.over:  # the next round, of which no move was made yet
        return Place(place.number + 1, place.state, place.moves)
    return replace(place, problem=True) if place.number != number and moves else place


def again(place: Place) -> tuple[str, ...]:
    """The moves with which the place's lesson begins: those of the rounds of the learner's own before it."""
    return place.moves[: place.moves.index("end") + 1] if place.number > FREE else ()


def next_place(place: Place) -> tuple[int, tuple[str, ...]]:
    """The lesson after this one, which is over and not the last, and the moves with which it begins."""
    return place.number + 1, place.moves if place.lesson.is_free else ()
