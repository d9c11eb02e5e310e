"""All that a seat can play until something is revealed or its turn is over, and which of that comes to the same."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from bots.features import standing
from bots.search import Searcher, key
from bots.value import Value
from replays.analysis.plans import Moves, steps
from server.engine.events import Event, any_reveals
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import MONEY


class Turn(NamedTuple):
    """What a seat can play: what it is worth at a glance, the points as if the game ended with it, whether it ends with
    something that is revealed."""

    moves: Moves
    worth: float
    points: float
    reveals: bool


def turns(world: State, seat: int, value: Value, most: int) -> list[Turn] | None:
    """Return all turns of the seat to move that come to different positions; None where there are more than `most`
    positions on the way. Coins are taken first, and nothing is exchanged, as in `bots.search`."""
    searcher = Searcher(value, world, seat)
    found: dict[Hashable, Turn] = {}
    seen = set[Hashable]()
    waiting: list[tuple[State, Moves]] = [(world, ())]
    looked = 0
    while waiting:
        ahead: list[tuple[State, Moves]] = []
        for state, done in waiting:
            looked += 1
            if looked > most:
                return None
            for move, child, ended, revealed in steps(state, seat):
                line, points = (*done, move), standing(child, seat)
                if ended:
                    found.setdefault(_place(child, seat), Turn(line, searcher.after(child), points, False))
                elif revealed:
                    found.setdefault((move, _place(state, seat)), Turn(line, searcher.glance(child), points, True))
                elif (known := _place(child, seat)) not in seen:
                    seen.add(known)
                    ahead.append((child, line))
        waiting = ahead
    return list(found.values())


def comes_to(start: State, seat: int, moves: Moves) -> Hashable | None:
    """Return what tells turns of a seat from `start` on apart: equal for two that are the same. None for moves that are
    no whole turn: one of them is not legal, they stop too early, or go on behind a reveal or the end."""
    state = start.copy()
    for index, move in enumerate(moves):
        if state.active != seat or move not in state.rules.legal_moves(state):
            return None
        before = state.copy()
        events = list[Event]()
        state.rules.advance(state, move, events)
        ended = state.active != seat or state.round != start.round
        if ended or any_reveals(events):
            if index < len(moves) - 1:
                return None
            return _place(state, seat) if ended else (move, _place(_coins_taken(before), seat))
    return None


def _coins_taken(state: State) -> State:
    """Return the position with all coins taken: whether before a reveal or behind it is the same."""
    while not state.pending and MONEY in state.rules.legal_moves(state):
        state.rules.advance(state, MONEY, [])
    return state


def _place(state: State, seat: int) -> Hashable:
    return key(state, seat), state.grid
