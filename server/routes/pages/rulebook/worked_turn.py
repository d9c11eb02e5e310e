"""One turn to step through: real moves of the engine, what each did, and why it was made."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from server.engine import rulesets
from server.engine.errors import UlmError
from server.engine.events import Event
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.language import N_, gettext
from server.service.explain import game_words
from server.service.views.showcase import NAMES

_SEED = sha256(b"a turn of Ulm 154").digest()
_TURN: tuple[tuple[Move, str], ...] = (
    (("draw",), N_("The tile is in her hand. Before she pushes it, she looks at what each gate would give her.")),
    (
        ("push", "N2"),
        N_(
            "Column 2 has moved south. Its three tiles are her actions now: turquoise for the river, orange for a "
            "seal, gray for money. They fit together, and that is what a good push is."
        ),
    ),
    (("money",), N_("Money first: a seal costs two coins, and this way one is left for later.")),
    (
        ("river",),
        N_(
            "One step on the Danube, passing no one. Each space further is one more point in the end, and her "
            "space decides which quarters she reaches."
        ),
    ),
    (
        ("seal", "tillage"),
        N_(
            "Two coins for a seal in Tillage, which lies south of her barge. Its privilege comes at once, in three "
            "parts."
        ),
    ),
    (
        ("dock", "brown"),
        N_(
            "First a tile from the docks. She has a brown one already: for two tiles of one colour a card action "
            "shows two cards to choose from. The coin follows by itself."
        ),
    ),
    (("barge", "2"), N_("Then the barge sails on, up to two steps. Nothing is lost by going as far as you can.")),
    (
        ("end",),
        N_(
            "Nothing is left to do, so she ends her turn. The tile that fell out stays at S2: column 2 is blocked "
            "until somebody clears it away."
        ),
    ),
)
_FIRST = N_(
    "The first turn of a three-player game. Anna has two coins, two sparrows and a brown tile; her barge lies on "
    "space 1, and all gates are open."
)
STEPS = len(_TURN)
"""The last step; step 0 is the position before the turn."""


class Moment(NamedTuple):
    """A step: the position after its move, the one before, the move (None at step 0) and what happened."""

    before: State
    state: State
    move: Move | None
    events: tuple[Event, ...]


class Step(NamedTuple):
    """A step in words: what happened, and why it was done."""

    number: int
    move: Move | None
    happened: str
    why: str


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
    for move, _why in _TURN:
        applied = rules.apply(state, state.active or 0, move)
        found.append(Moment(state, applied.state, move, tuple(applied.events)))
        state = applied.state
    return tuple(found)


def steps(rules: Rules) -> list[Step]:
    """The turn in the words of the language in force."""
    found = [Step(0, None, "", gettext(_FIRST))]
    for number, (moment, (move, why)) in enumerate(zip(moments(rules)[1:], _TURN, strict=True), 1):
        played_by = moment.state.rules
        said = played_by.sentences(
            moment.events, list(NAMES), moment.before.active, speaker=game_words.speaker(played_by)
        )
        found.append(Step(number, move, " ".join(said), gettext(why)))
    return found
