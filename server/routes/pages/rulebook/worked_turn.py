"""One turn to step through: real moves of the engine, and what each did; why it was made stands in the template."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from server.board.events import sentences
from server.engine import rulesets
from server.engine.errors import UlmError
from server.engine.events import Event
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.service.explain import game_words
from server.service.views.showcase import NAMES

_SEED = sha256(b"a turn of Ulm 154").digest()
_TURN: tuple[Move, ...] = (
    ("draw",),
    ("push", "N2"),
    ("money",),
    ("river",),
    ("seal", "tillage"),
    ("dock", "brown"),
    ("barge", "2"),
    ("end",),
)
STEPS = len(_TURN)
"""The last step; step 0 is the position before the turn."""


class Moment(NamedTuple):
    """A step: the position after its move, the one before, the move (None at step 0) and what happened."""

    before: State
    state: State
    move: Move | None
    events: tuple[Event, ...]


@lru_cache(maxsize=8)
def moments(rules: Rules) -> tuple[Moment, ...]:
    """The positions of the turn under `rules`; under the newest rules of ours where these forbid one of its moves."""
    try:
        return _played(rules)
    except UlmError:
        return _played(rulesets.NEWEST)


def _played(rules: Rules) -> tuple[Moment, ...]:
    state = rules.new_game(_SEED, len(NAMES), {"tower": False})
    found = [Moment(state, state, None, ())]
    for move in _TURN:
        applied = rules.apply(state, state.active or 0, move)
        found.append(Moment(state, applied.state, move, tuple(applied.events)))
        state = applied.state
    return tuple(found)


def steps(rules: Rules) -> list[str]:
    """What happened in each step, in the words of the language in force; nothing yet in the first."""
    found = [""]
    for moment in moments(rules)[1:]:
        speaker = game_words.speaker(moment.state.rules)
        said = sentences(moment.state.rules, moment.events, list(NAMES), moment.before.active, speaker=speaker)
        found.append(" ".join(said))
    return found
