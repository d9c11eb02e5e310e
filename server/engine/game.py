"""A game of Ulm from its first position on: play, take back, look at any ply, as a seat saw it or with nothing hidden.

It is a record that can be played on and sought in: bots' matches, replays and branches all stand on it. States are made
from the log when they are asked for; every sixteenth that was passed is kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace

from server.engine import record, rulesets
from server.engine.events import Event
from server.engine.record import MoveEntry, Record, RecordPlayer
from server.engine.replaying import Step, play_log, seen
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.shapes import View
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW, RESIGN

EVERY = 16
GameStep = Step[MoveEntry]
"""One ply of a game. Neither of its states is changed later."""
_DRAW, _RESIGN = map(format_move, (DRAW, RESIGN))


def new_game(
    players: Sequence[str],
    server_seed: bytes,
    client_seeds: Sequence[str] = (),
    options: Mapping[str, object] = {},
    rules: Rules = rulesets.NEWEST,
) -> "Game":
    """Begin a game of `players`, by name, with the shuffle that follows from the seeds (record.md §1).

    Options are `tower` and `rotate_start`, false when left out. Raises `ValueError` for seats, seeds or options that no
    game can have.
    """
    clients = [*client_seeds, *[""] * (len(players) - len(client_seeds))]
    return Game(record.begun(players, server_seed, clients, options, rules))


class Game:
    """A record, its states at hand. Threads may share one that nobody plays: a state that is kept is never changed."""

    def __init__(self, record: Record, first: State | None = None) -> None:
        """Take a record, whose list of moves `push` adds to. An illegal move in it shows when it is passed
        (`RecordError`). `first` is the state at ply 0, where that does not follow from the record's seed."""
        self.record = record
        self.replayed = 0
        """How many moves were played so far; for tests and benchmarks."""
        self._checkpoints: dict[int, State] = {0: record.first_state() if first is None else first}
        self._newest: State | None = None  # after the last `push`

    @property
    def rules(self) -> Rules:
        """The ruleset that the game is played by."""
        return self.record.rules

    @property
    def plies(self) -> int:
        """The number of moves, which is the last ply."""
        return len(self.record.moves)

    @property
    def names(self) -> list[str]:
        """The players' names by seat."""
        return [str(player["name"]) for player in self.record.players]

    @property
    def active(self) -> int | None:
        """The seat that is to move, None when the game is over."""
        return self._at(self.plies).active

    def called(self, names: Sequence[str], title: str) -> "Game":
        """The same game with other names for its players, by seat, and for itself. What was replayed is at hand for
        both; neither must be played on."""
        if list(names) == self.names and title == self.record.name:
            return self
        other = copy(self)
        players: list[RecordPlayer] = [
            {**player, "name": name} for player, name in zip(self.record.players, names, strict=True)
        ]
        other.record = replace(self.record, players=players, name=title)
        return other

    def legal_moves(self, seat: int | None = None) -> list[Move]:
        """Return the legal moves of `seat` (of who is to move when None) but `resign`; [] when it is not to move."""
        state = self._at(self.plies)
        return state.rules.legal_moves(state, seat)

    def push(self, move: Move | str, seat: int | None = None) -> list[Event]:
        """Play a move, or its text, for `seat` (who is to move when None); return what happened.

        Raises `InvalidMoveError` for a text that is no move, `IllegalMoveError` for a move that the rules forbid,
        `ValueError` when the game is over.
        """
        state = self._at(self.plies)
        by = state.active if seat is None else seat
        if by is None:
            raise ValueError("the game is over")
        known = state.rules.parse_move(move) if isinstance(move, str) else move
        applied = state.rules.apply(state, by, known)
        self.record.moves.append(MoveEntry(format_move(known), by))
        self._newest = applied.state
        if applied.state.ply % EVERY == 0:
            self._checkpoints[applied.state.ply] = applied.state
        return applied.events

    def pop(self) -> MoveEntry:
        """Take the last move back and return it. Raises `IndexError` when there is none."""
        if not self.plies:
            raise IndexError("there is no move to take back")
        self._checkpoints.pop(self.plies, None)
        self._newest = None
        return self.record.moves.pop()

    def state(self, ply: int | None = None) -> State:
        """The full state at `ply` (None: the last), the caller's own. Raises `IndexError` when there is no such ply."""
        return self._at(self.plies if ply is None else ply).copy()

    def view(self, ply: int | None = None, seat: int | None = None) -> View:
        """What `seat` (None: a spectator) saw when `ply` (None: the last) was the newest: a newest `draw` is masked."""
        at = self.plies if ply is None else ply
        state = self._at(at)
        return seen(state, None if seat is not None and seat == state.active else self._hidden(at), seat)

    def steps(self, first: int = 1, last: int | None = None) -> Iterator[GameStep]:
        """The plies `first` to `last` (the newest when None), in order; their states must not be changed."""
        last = self.plies if last is None else last
        if first < 1 or last > self.plies:
            raise IndexError(f"the record has the plies 1 to {self.plies}")
        yield from self._play(self._at(first - 1), last, self._hidden(first - 1))

    def to_record(self) -> Record:
        """The record as it stands now, digests and result computed. Raises `RecordError`."""
        return record.completed(self.record)

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
        if self._newest is not None and ply == self.plies:
            return self._newest
        nearest = ply - ply % EVERY
        while nearest not in self._checkpoints:
            nearest -= EVERY
        state = self._checkpoints[nearest]
        for step in self._play(state, ply):
            state = step.state
        return state

    def _play(self, state: State, last: int, hidden: State | None = None) -> Iterator[GameStep]:
        """Play on from a state of the game to ply `last`, and keep the checkpoints that are passed."""
        for step in play_log(state, self.record.moves[state.ply : last], hidden=hidden):
            self.replayed += 1
            if step.ply % EVERY == 0:
                self._checkpoints.setdefault(step.ply, step.state)
            yield step
