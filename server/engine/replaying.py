"""A log played again, move by move: the one loop that records, replays, stories and stored games share."""

from collections.abc import Iterable, Iterator
from typing import Generic, NamedTuple, Protocol, TypeVar

from server.engine.errors import IllegalMoveError, InvalidMoveError, RecordError
from server.engine.events import Event
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.shapes import View
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW, RESIGN


class Logged(Protocol):
    """A line of a log."""

    @property
    def seat(self) -> int:
        """Who made the move."""

    def read(self, rules: Rules) -> Move:
        """Return the move. May raise `InvalidMoveError`, where a text is read only now."""


Line = TypeVar("Line", bound=Logged)


class Step(NamedTuple, Generic[Line]):
    """One ply: the log's line, the state before and after it, and what happened.

    `hidden` is what all but the active seat saw then (`engine.view.hidden_behind`), None when that was `state`.
    """

    ply: int
    entry: Line
    move: Move
    before: State
    state: State
    events: list[Event]
    hidden: State | None

    @property
    def begins_round(self) -> bool:
        """Whether the move began a round: one of the plies at which a record must have a digest."""
        return self.state.round != self.before.round

    def seen_by(self, seat: int | None) -> View:
        """What `seat` (None: a spectator) saw when this ply was the newest."""
        return seen(self.state, self.hidden, seat)


def seen(state: State, hidden: State | None, seat: int | None) -> View:
    """The view that `seat` has of `state`, behind which `hidden` is what others see."""
    return state.rules.view(state.rules.visible_state(state, hidden, seat), seat)


def play_log(
    state: State, log: Iterable[Line], *, hidden: State | None = None, trusted: bool = False, hiding: bool = True
) -> Iterator[Step[Line]]:
    """Yield a step for each line of a log that goes on from `state`, behind which `hidden` is what others see.

    Each move is checked, and each state its own. A `trusted` log is known to be legal: nothing is checked then, `state`
    is used up, and the states of a step hold only until the next one is asked for (`before` only for a `draw`). Without
    `hiding` nothing is found out about what others see, and of a trusted log a step has no `before`: `state` stands
    there. Raises `RecordError` with the ply of a move that cannot be played.
    """
    rules = state.rules
    apply = rules.apply
    for ply, entry in enumerate(log, state.ply + 1):
        before = state
        try:
            move = entry.read(rules)
            if not trusted or move == RESIGN:  # also out of turn
                state, events, _ = apply(state, entry.seat, move)
            else:
                if hiding and move == DRAW:
                    before = state.copy()
                events = []
                rules.advance(state, move, events)
        except (InvalidMoveError, IllegalMoveError) as error:
            text = str(getattr(entry, "text", "the move"))
            shown = text if len(text) <= 60 else text[:60] + "…"
            raise RecordError(ply, f"{shown!r} by seat {entry.seat}: {error}") from error
        if hiding and (hidden is not None or move == DRAW):  # else there is nothing to hide
            hidden = rules.hidden_behind(hidden, before, entry.seat, move, state)
        yield Step(ply, entry, move, before, state, events, hidden)


def end_of(state: State, log: Iterable[Line]) -> tuple[State, State | None]:
    """The state after a trusted log, and what all but the active seat see of it. `state` is used up."""
    hidden: State | None = None
    for step in play_log(state, log, trusted=True):
        state, hidden = step.state, step.hidden
    return state, hidden
