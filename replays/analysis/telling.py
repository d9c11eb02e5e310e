"""An analysis in words: what was played, what would have been better, and what that brings, as the game tells it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from replays.analysis.results import MomentForm
from replays.sight import in_words
from server.engine.events import REVEALING, Event
from server.engine.game import Game
from server.engine.ulm1.sentences import ENGLISH, Speaker


class MomentInWords(NamedTuple):
    """A moment in words: what the seat did, and what it should have gone on with."""

    moment: MomentForm
    played: list[str]
    better: list[str]


def moments(replay: Game, found: Sequence[MomentForm], speaker: Speaker = ENGLISH) -> Iterator[MomentInWords]:
    """Yield the moves that decided, in words. What nobody could know then is not told of what was not played."""
    for moment in found:
        yield MomentInWords(
            moment,
            words(replay, moment["ply"], moment["seat"], [moment["move"]], speaker),
            words(replay, moment["ply"], moment["seat"], moment["instead"], speaker),
        )


def words(replay: Game, ply: int, seat: int, moves: list[str], speaker: Speaker = ENGLISH) -> list[str]:
    """Return what moves of a seat from a ply on bring about, without what they would reveal."""
    state, found = replay.state(ply), list[str]()
    for text in moves:
        applied = state.rules.apply(state, seat, state.rules.parse_move(text))
        events = [event for event in applied.events if _foreseen(event)]
        found += in_words(state.rules, events, replay.names, seat, text, speaker=speaker)
        state = applied.state
        if applied.reveals or state.active != seat:
            break
    return found


def _foreseen(event: Event) -> bool:
    """Whether an event could be known before the move. Private ones are told without what is secret in them."""
    return event.private or event.kind not in REVEALING
