"""A record that can be stepped through and sought in.

    replay = Replay(record.loads(text))
    replay.state(120)            # at most `every` moves are replayed
    replay.view(120, seat=1)     # as that seat saw it then
    for step in replay.steps(): ...

States are made from the record when they are asked for; every sixteenth that was passed is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import NamedTuple

from server.engine import record
from server.engine.errors import IllegalMoveError, InvalidMoveError, RecordError
from server.engine.events import Event
from server.engine.ulm1 import game
from server.engine.ulm1.notation import Move, parse_move
from server.engine.ulm1.shapes import View
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW, RESIGN
from server.engine.ulm1.view import hidden_behind, view, visible_state

EVERY = 16


class Step(NamedTuple):
    """One ply: the log's line, the state before and after it (neither is changed later), and what happened.

    `hidden` is what all but the active seat saw then (`engine.view.hidden_behind`), None when that was `state`.
    """

    ply: int
    entry: record.MoveEntry
    move: Move
    before: State
    state: State
    events: list[Event]
    hidden: State | None = None

    def seen_by(self, seat: int | None) -> View:
        """What `seat` (None: a spectator) saw when this ply was the newest."""
        return _view(self.state, self.hidden, seat)


def _view(state: State, hidden: State | None, seat: int | None) -> View:
    return view(visible_state(state, hidden, None if hidden is None else DRAW, seat), seat)


class Replay:
    """A record with its states at hand. Safe to share between threads: what is kept is never changed."""

    def __init__(self, record: record.Record, every: int = EVERY) -> None:
        """`record` should be one that verifies: an illegal move shows only when it is passed (`RecordError`)."""
        if every < 1:
            raise ValueError("checkpoints stand at least one ply apart")
        self.record = record
        self.every = every
        self.replayed = 0
        """How many moves were played so far; for tests and benchmarks."""
        self._checkpoints: dict[int, State] = {0: record.first_state()}

    @property
    def plies(self) -> int:
        """The number of moves, which is the last ply."""
        return len(self.record.moves)

    @property
    def names(self) -> list[str]:
        """The players' names by seat."""
        return [str(player["name"]) for player in self.record.players]

    def called(self, names: Sequence[str], title: str) -> Replay:
        """The same game with other names for its players, by seat, and for itself. What was replayed is at hand for
        both."""
        if list(names) == self.names and title == self.record.name:
            return self
        other = copy(self)
        players: list[record.RecordPlayer] = [
            {**player, "name": name} for player, name in zip(self.record.players, names, strict=True)
        ]
        other.record = replace(self.record, players=players, name=title)
        return other

    def state(self, ply: int) -> State:
        """The full state at `ply`, the caller's own. Raises `IndexError` when there is no such ply."""
        return self._at(ply).copy()

    def view(self, ply: int, seat: int | None) -> View:
        """What `seat` (None: a spectator) saw when `ply` was the newest: a newest `draw` is masked."""
        state = self._at(ply)
        return _view(state, self._hidden(ply), seat)

    def steps(self, first: int = 1, last: int | None = None) -> Iterator[Step]:
        """The plies `first` to `last` (the newest when None), in order."""
        last = self.plies if last is None else last
        if first < 1 or last > self.plies:
            raise IndexError(f"the record has the plies 1 to {self.plies}")
        state, hidden = self._at(first - 1), self._hidden(first - 1)
        for ply in range(first, last + 1):
            step = self._step(state, ply)
            hidden = hidden_behind(hidden, state, step.entry.seat, step.move, step.state)
            yield step._replace(hidden=hidden)
            state = step.state

    def _hidden(self, ply: int) -> State | None:
        """What all but the active seat saw at `ply`, None when that was the state: behind a newest `draw`."""
        drawn, moves = ply, self.record.moves
        while drawn and parse_move(moves[drawn - 1].text) == RESIGN:
            drawn -= 1
        if not drawn or parse_move(moves[drawn - 1].text) != DRAW:
            return None
        state, hidden = self._at(drawn - 1), None
        for passed in range(drawn, ply + 1):
            step = self._step(state, passed)
            hidden = hidden_behind(hidden, state, step.entry.seat, step.move, step.state)
            state = step.state
        return hidden

    def _at(self, ply: int) -> State:
        """The state at `ply`, which must not be changed."""
        if not 0 <= ply <= self.plies:
            raise IndexError(f"the record has the plies 0 to {self.plies}")
        nearest = ply - ply % self.every
        while nearest not in self._checkpoints:
            nearest -= self.every
        state = self._checkpoints[nearest]
        for passed in range(nearest + 1, ply + 1):
            state = self._step(state, passed).state
        return state

    def _step(self, before: State, ply: int) -> Step:
        entry = self.record.moves[ply - 1]
        try:
            move = parse_move(entry.text)
            applied = game.apply(before, entry.seat, move)
        except (InvalidMoveError, IllegalMoveError) as error:
            raise RecordError(ply, str(error)) from error
        self.replayed += 1
        if ply % self.every == 0:
            self._checkpoints.setdefault(ply, applied.state)
        return Step(ply, entry, move, before, applied.state, applied.events)
