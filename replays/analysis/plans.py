"""What a seat can do until something is revealed or its turn is over, and what comes of it.

A plan is a row of moves of one seat of which only the last may reveal something: all of it can be decided at once, with
what the seat knows then. Nobody can plan beyond a reveal, so nothing here looks behind one before the plan is chosen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from bots.chances.odds import Odds
from bots.features import turns_left
from bots.search import Searcher, key, moves_of, promise
from server.engine.events import Event, any_reveals
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW, END

Moves = tuple[Move, ...]
Chances = list[float]
Line = tuple[float, Moves]
_WORTH = itemgetter(0)
CHANCE_AHEAD = 1000
"""Where the chance of what is played on begins, in the stream of a position that was dealt anew."""


class Beam(NamedTuple):
    """How far is looked for plans."""

    width: int  # positions of a step that are gone on from
    limit: int  # positions looked at, until one alone is gone on from
    best: int  # plans that end the turn, and as many that reveal something
    behind: int  # positions dealt anew in which the latter are weighed


class Look(NamedTuple):
    """How far is looked ahead."""

    judged: Beam = Beam(7, 260, 4, 0)  # for what a seat could have done instead
    own: Beam = Beam(4, 110, 3, 2)  # for the rest of a turn that is judged
    turn: Beam = Beam(2, 40, 2, 2)  # for each turn that is played on
    rounds: float = 1.0  # that are played on before a position is judged; towards the end all that there are


class Planner:
    """Looks for plans of the seat to move, in a position that it may believe to be the true one."""

    def __init__(self, odds: Odds, look: Look) -> None:
        self.odds, self.look = odds, look

    def plans(self, world: State, seat: int) -> list[Moves]:
        """Return the plans that promise most, at least one, the best first of each kind."""
        ends, reveals = self._beam(Searcher(self.odds.value, world, seat), world, self.look.judged)
        return [line for _, line in (*ends, *reveals)]

    def _beam(self, searcher: Searcher, world: State, size: Beam) -> tuple[list[Line], list[Line]]:
        """Return the best plans that end the turn, and those that reveal something and promise most at a glance."""
        seat = searcher.me
        ends: dict[object, Line] = {}
        reveals: dict[object, Line] = {}
        seen = set[object]()
        beam: list[tuple[State, Moves]] = [(world, ())]
        nodes = 0
        while beam:
            found: list[tuple[float, State, Moves]] = []
            for state, done in beam:
                for move, child, ended, revealed in steps(state, seat):
                    nodes += 1
                    line = (*done, move)
                    if ended:
                        _note(ends, key(state, seat), searcher.after(child), line)
                        continue
                    worth = searcher.glance(child)
                    if revealed:
                        _note(reveals, (move, key(state, seat)), worth, line)
                    elif (known := key(child, seat)) not in seen:
                        seen.add(known)
                        found.append((worth, child, line))
            found.sort(key=_WORTH, reverse=True)
            beam = [(child, line) for _, child, line in found[: size.width if nodes < size.limit else 1]]
        first, second = [sorted(kind.values(), key=_WORTH, reverse=True)[: size.best] for kind in (ends, reveals)]
        return first, second

    def _behind(self, searcher: Searcher, state: State) -> float:
        """Return what a position after a reveal is worth by a short look."""
        if state.phase in ("draw", "keep", "push") and not state.pending:
            return searcher.ended(state) + promise(state, searcher.me)
        return searcher.finish(state, 1, 6)[0]

    def outcome(self, world: State, seat: int, plan: Moves) -> Chances:
        """Return the chances to win when a plan is played in a position, and from there every seat's turn once as well
        as a short look finds. `world` stays as it was, and its chance decides: the same for all plans."""
        state = world.copy()
        for move in plan:
            state.rules.advance(state, move, [])
        # Whatever was drawn before, what comes now is the same.
        state.chance = CHANCE_AHEAD
        for number in range(self._horizon(world, seat) - (state.active != seat or state.round != world.round)):
            if state.active is None:
                break
            self.finish(state, state.active, self.look.own if number == 0 else self.look.turn)
        return self.odds.blurred(state)

    def _horizon(self, world: State, seat: int) -> int:
        """Return how many turns are played on before a position is judged, the one under way among them."""
        seats = range(len(world.players))
        left = sum(turns_left(world, other) for other in seats) + (world.phase != "draw")
        wanted = int(len(seats) * self.look.rounds)
        return left if left <= wanted + len(seats) else wanted

    def finish(self, state: State, seat: int, size: Beam) -> None:
        """Play the turn that `seat` is in the midst of to its end, in place. Each plan is made in positions that are
        dealt anew, so that nobody looks behind a reveal before it is made."""
        rules, number = state.rules, state.round
        chance = random.Random(f"{state.seed!r} {state.ply}")  # noqa: S311 - repeated, not secret
        while state.active == seat and state.round == number:
            legal = rules.legal_moves(state)
            plan: Moves = (legal[0],) if len(legal) == 1 or legal[0] == DRAW else self._plan(state, seat, size, chance)
            for move in plan:
                rules.advance(state, move, [])

    def _plan(self, state: State, seat: int, size: Beam, chance: random.Random) -> Moves:
        """Return what a seat goes on with."""
        world = dealt(state, chance)
        searcher = Searcher(self.odds.value, world, seat)
        ends, reveals = self._beam(searcher, world, size)
        if not reveals:
            return ends[0][1]
        if len(reveals) == 1 and not ends:
            return reveals[0][1]
        sums = [0.0] * len(reveals)
        for _ in range(size.behind):
            world = dealt(state, chance)
            for index, (_, line) in enumerate(reveals):
                child = world.copy()
                for move in line:
                    child.rules.advance(child, move, [])
                sums[index] += self._behind(searcher, child)
        found = [(worth / size.behind, line) for worth, (_, line) in zip(sums, reveals, strict=True)]
        return max([*ends, *found], key=_WORTH)[1]


def dealt(state: State, chance: random.Random) -> State:
    """Return a position with the same hands, and anew what nobody can know."""
    new = state.rules.dealt(state, range(len(state.players)), chance.shuffle)
    new.seed, new.chance = chance.randbytes(32), 0
    return new


def steps(state: State, seat: int) -> Iterator[tuple[Move, State, bool, bool]]:
    """Yield the moves of a seat that are worth a look, the end of the turn among them: each with the position after it,
    whether it ended the turn, and whether it revealed something."""
    for move in (*moves_of(state), *[END] * (state.phase == "actions" and not state.pending)):
        child, events = state.copy(), list[Event]()
        child.rules.advance(child, move, events)
        yield move, child, child.active != seat or move == END, any_reveals(events)


def _note(found: dict[object, Line], name: object, worth: float, line: Moves) -> None:
    if name not in found or worth > found[name][0]:
        found[name] = (worth, line)


def after(state: State, moves: Moves) -> State | None:
    """Return the position after moves, None where one of them is not legal. `state` stays as it was."""
    state = state.copy()
    for move in moves:
        if move not in state.rules.legal_moves(state):
            return None
        state.rules.advance(state, move, [])
    return state
