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

from server.engine import record, replaying
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.shapes import View
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW, RESIGN

EVERY = 16
_DRAW, _RESIGN = map(format_move, (DRAW, RESIGN))

Step = replaying.Step[record.MoveEntry]
"""One ply of a record. Neither of its states is changed later."""


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
        return replaying.seen(state, self._hidden(ply), seat)

    def steps(self, first: int = 1, last: int | None = None) -> Iterator[Step]:
        """The plies `first` to `last` (the newest when None), in order."""
        last = self.plies if last is None else last
        if first < 1 or last > self.plies:
            raise IndexError(f"the record has the plies 1 to {self.plies}")
        yield from self._play(self._at(first - 1), last, self._hidden(first - 1))

    def _hidden(self, ply: int) -> State | None:
        """What all but the active seat saw at `ply`, None when that was the state: behind a newest `draw`."""
        drawn, moves = ply, self.record.moves
        while drawn and moves[drawn - 1].text == _RESIGN:
            drawn -= 1
        if not drawn or moves[drawn - 1].text != _DRAW:
            return None
        hidden = None
        for step in self._play(self._at(drawn - 1), ply):
            hidden = step.hidden
        return hidden

    def _at(self, ply: int) -> State:
        """The state at `ply`, which must not be changed."""
        if not 0 <= ply <= self.plies:
            raise IndexError(f"the record has the plies 0 to {self.plies}")
        nearest = ply - ply % self.every
        while nearest not in self._checkpoints:
            nearest -= self.every
        state = self._checkpoints[nearest]
        for step in self._play(state, ply):
            state = step.state
        return state

    def _play(self, state: State, last: int, hidden: State | None = None) -> Iterator[Step]:
        """Play on from a state of the game to ply `last`, and keep the checkpoints that are passed."""
        for step in replaying.play_log(state, self.record.moves[state.ply : last], hidden=hidden):
            self.replayed += 1
            if step.ply % self.every == 0:
                self._checkpoints.setdefault(step.ply, step.state)
            yield step
