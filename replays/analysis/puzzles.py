"""Puzzles: positions of a finished game in which one turn clearly beats all others, by what the seat on move knew.

A puzzle is a decision (see `course`): all that a seat plays until something is revealed or its turn is over. All its
turns are looked through, those that promise most are played on as in an analysis, and the best one is held against the
next best in positions that had no part in choosing it. Turns that lead to the same position are the same turn.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Literal, NamedTuple, TypedDict

from bots.chances import odds
from bots.determinise import Worlds, seed_of
from bots.features import standing
from bots.search import Searcher, key
from bots.sight import Sight
from bots.value import Value
from replays.analysis.course import standard_error
from replays.analysis.plans import Look, Moves, Planner, after, steps
from server.engine.events import Event, any_reveals
from server.engine.game import Game
from server.engine.ulm1.notation import Move, format_move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import MONEY, RESIGN


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


METHOD = 1
"""To be counted up when the same record would give other puzzles."""
LEAST = 0.06
"""By so much of a chance to win a solution beats every other turn, at the least."""
OPEN = (0.08, 0.98)
"""The chance with the solution: where it is less or more, the game was as good as decided."""
FEWEST = 8
"""So many different turns there are to choose from, at the least."""
MOST = 1500
"""Where a turn has more positions than these, not all of it is looked through, and it is no puzzle."""
DIGITS = 4
_BEGINNING = ("keep", "push")
"""The phases in which a turn is still to be pushed: whoever solves a puzzle plays it from there."""

Level = Literal["easy", "medium", "hard"]


class Effort(NamedTuple):
    """How much is looked at, and how often."""

    ends: int = 14  # turns that are played on, of those that go to the end,
    reveals: int = 8  # and of those that reveal something
    looked_in: int = 2  # positions dealt anew in which all of these are weighed,
    chosen_in: int = 6  # in which those that are left are,
    left: int = 6  # so many,
    measured_in: int = 24  # and others in which it is measured by how much the best one is better
    clear: float = 3.0  # standard errors by which it has to be better than nothing


class OtherForm(TypedDict):
    """Another turn than the solution, and the chance to win with it."""

    moves: list[str]
    chance: float


class PuzzleForm(TypedDict):
    """A puzzle: `seat` is on move at `ply`. `moves` is its solution, `chance` what the seat has with it, `others` the
    next best turns, the best first; `played` is what it did in the game, `turns` from how many it could choose."""

    ply: int
    round: int
    seat: int
    level: Level
    moves: list[str]
    chance: float
    others: list[OtherForm]
    played: list[str]
    turns: int


EFFORT, LOOK = Effort(), Look()


def puzzles(
    replay: Game, effort: Effort = EFFORT, look: Look = LOOK, passed: Callable[[int], object] = lambda ply: None
) -> Iterator[PuzzleForm]:
    """Yield the puzzles of a finished game in its order; the same record gives the same. `passed` is told the
    ply of each decision. Raises `ValueError` for a game that is not finished."""
    if replay.record.result is None:
        raise ValueError("only positions of a finished game make puzzles")
    seats = len(replay.names)
    planner = Planner(odds.shipped(seats), look)
    finder = Finder(planner, effort, replay.record.commitment)
    for decision in decisions(replay):
        passed(decision.ply)
        found = finder.puzzle(decision)
        if found is not None:
            yield found


class Decision(NamedTuple):
    """What a seat had to decide, and what it played: up to a reveal, or to the end of its turn."""

    state: State
    ply: int
    seat: int
    log: tuple[tuple[int, str], ...]
    """As the seat may read it."""
    played: Moves


def decisions(replay: Game) -> Iterator[Decision]:
    """Yield what seats decided when they had drawn and not pushed yet, and what they played; not where somebody
    resigned."""
    logs: list[list[tuple[int, str]]] = [[] for _ in replay.names]
    begun: Decision | None = None
    played: list[Move] = []
    for step in replay.steps():
        before, seat = step.before, step.entry.seat
        if begun is None:
            begun, played = Decision(before, step.ply - 1, seat, tuple(logs[seat]), ()), []
        played.append(step.move)
        for viewer, log in enumerate(logs):
            log.append((seat, before.rules.log_entry(step.move, seat, viewer)))
        over = step.state.active != begun.seat or step.state.round != begun.state.round
        if step.move == RESIGN:
            begun = None
        elif over or any_reveals(step.events):
            if begun.state.phase in _BEGINNING and len(before.rules.legal_moves(begun.state)) > 1:
                yield begun._replace(played=tuple(played))
            begun = None


class Finder:
    """Looks for puzzles. All chance follows from `word`."""

    def __init__(self, planner: Planner, effort: Effort, word: str) -> None:
        self.planner, self.effort, self.word = planner, effort, word

    def puzzle(self, decision: Decision) -> PuzzleForm | None:
        """Return the puzzle that a decision is, if it is one."""
        state, seat, effort = decision.state, decision.seat, self.effort
        worlds = Worlds(Sight(state.rules.view(state, seat), state.rules.legal_moves(state), decision.log))
        deal = random.Random(seed_of("puzzle", self.word, decision.ply))  # noqa: S311 - repeated, not secret
        first = [worlds.one(deal) for _ in range(effort.looked_in)]
        every = turns(first[0], seat, self.planner.odds.value, MOST)
        if every is None or len(every) < FEWEST:
            return None
        left = self._chosen([turn.moves for turn in _promising(every, effort)], first, worlds, deal, seat)
        if left is None:
            return None
        fresh = [worlds.one(deal) for _ in range(effort.measured_in)]
        found = {moves: self._each(fresh, seat, moves) for moves in left}
        best, *rest = left
        if not all(self._beats(found[best], found[other]) for other in rest):
            return None
        chances = {moves: sum(each) / len(each) for moves, each in found.items()}
        if not OPEN[0] <= chances[best] <= OPEN[1]:
            return None
        rest.sort(key=chances.__getitem__, reverse=True)
        return {
            "ply": decision.ply,
            "round": state.round,
            "seat": seat,
            "level": _level(every, best),
            "moves": _texts(best),
            "chance": round(chances[best], DIGITS),
            "others": [{"moves": _texts(other), "chance": round(chances[other], DIGITS)} for other in rest],
            "played": _texts(decision.played),
            "turns": len(every),
        }

    def _chosen(
        self, plans: Sequence[Moves], first: Sequence[State], worlds: Worlds, deal: random.Random, seat: int
    ) -> list[Moves] | None:
        """Return the turns that do best, the best first; None when the first of them hardly beats the second."""
        effort = self.effort
        sums = {
            moves: sum(self._each(first, seat, moves))
            for moves in plans
            if all(after(world, moves) is not None for world in first)
        }
        left = sorted(sums, key=sums.__getitem__, reverse=True)[: effort.left]
        if len(left) < 2 or sums[left[0]] - sums[left[1]] < LEAST / 4 * len(first):
            return None
        more = [worlds.one(deal) for _ in range(effort.chosen_in - effort.looked_in)]
        left = [moves for moves in left if all(after(world, moves) is not None for world in more)]
        for moves in left:
            sums[moves] += sum(self._each(more, seat, moves))
        left.sort(key=sums.__getitem__, reverse=True)
        if len(left) < 2 or sums[left[0]] - sums[left[1]] < LEAST / 2 * effort.chosen_in:
            return None
        return left

    def _each(self, worlds: Sequence[State], seat: int, moves: Moves) -> list[float]:
        return [self.planner.outcome(world, seat, moves)[seat] for world in worlds]

    def _beats(self, some: Sequence[float], others: Sequence[float]) -> bool:
        """Whether one turn is better than another by enough, and for certain."""
        gaps = [one - other for one, other in zip(some, others, strict=True)]
        mean = sum(gaps) / len(gaps)
        return mean >= LEAST and mean > self.effort.clear * standard_error(gaps)


def _promising(every: Sequence[Turn], effort: Effort) -> list[Turn]:
    """Return the turns that promise most of either kind."""
    ordered = sorted(every, key=lambda turn: turn.worth, reverse=True)
    return [
        *[turn for turn in ordered if not turn.reveals][: effort.ends],
        *[turn for turn in ordered if turn.reveals][: effort.reveals],
    ]


def _level(every: Sequence[Turn], best: Moves) -> Level:
    """Return how hard a puzzle is: easy when the solution looks best at a glance and brings most points at once, hard
    when it does neither."""
    solution = next(turn for turn in every if turn.moves == best)
    signs = (
        solution.worth >= max(turn.worth for turn in every),
        solution.points >= max(turn.points for turn in every),
    )
    return "easy" if all(signs) else "medium" if any(signs) else "hard"


def _texts(moves: Moves) -> list[str]:
    return [format_move(move) for move in moves]
