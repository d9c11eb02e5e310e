"""A finished game from ply to ply: what each seat's chance to win was, and what changed it.

The chance after a turn is that of the position then (`bots.chances.odds`). Within the turn it goes by what was revealed
(luck), by what was given away (errors), and by what the turn had to offer at all: how much better or worse the position
was to play than it had looked before. The three of all plies add up to the result less the chance at the beginning.

A decision is everything that a seat plays from one reveal to the next: its plan. It is held against the other plans
that there were, all played in the same positions, which are dealt anew to what the seat could see. The plan that looks
best is chosen in some of these positions and measured in others, so that chance does not choose it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bots.chances import odds
from bots.determinise import Worlds, seed_of
from bots.sight import Sight
from replays.analysis.plans import Chances, Look, Moves, Planner, after, dealt
from server.engine.events import any_reveals
from server.engine.game import Game, GameStep
from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW, RESIGN


class Effort(NamedTuple):
    """How many positions are dealt."""

    looked_in: int = 2  # in which plans are looked for
    chosen_in: int = 4  # in which the best one is chosen, those among them
    few: int = 3  # plans that are still compared after the first positions
    measured_in: int = 8  # others, in which it is held against what was played,
    most: int = 24  # and up to so many where that is not clear
    clear: float = 2.0  # standard errors by which a loss has to be more than nothing
    least: float = 0.004  # of a chance: less is no loss
    revealed_in: int = 8  # for what a reveal might have been
    drawn_in: int = 5  # for each tile that might have been drawn
    draws: int = 240  # for how often a draw brings which tiles


class Verdict(NamedTuple):
    """What a decision was worth: the chance of its own seat with the best plan less that with what it played."""

    loss: float
    change: Chances
    """What the error did to the chance of each seat; adds up to 0."""
    shares: list[float]
    """Which part of the loss each of the moves has; adds up to 1."""
    best: list[Moves]
    """Before each of the moves, what it should have gone on with; the move itself where it was as good as any."""


class Judge:
    """Judges the decisions of a game. All chance follows from `word`."""

    def __init__(self, planner: Planner, effort: Effort, word: str) -> None:
        self.planner, self.effort, self.word = planner, effort, word

    def rng(self, *words: object) -> random.Random:
        """Return the chance for a purpose."""
        return random.Random(seed_of("analysis", self.word, *words))  # noqa: S311 - repeated, not secret

    def decision(self, state: State, log: Sequence[tuple[int, str]], played: Moves) -> Verdict:
        """Return what a seat's moves from one reveal to the next were worth. `log` is as the seat may read it."""
        seat = state.active
        if seat is None:
            raise ValueError("nobody is to move")
        legal = state.rules.legal_moves(state)
        nothing = Verdict(0.0, [0.0] * len(state.players), [1.0, *[0.0] * (len(played) - 1)],
                          [played[index:] for index in range(len(played))])  # fmt: skip
        if len(legal) == 1 and len(played) == 1:
            return nothing
        worlds = Worlds(Sight(state.rules.view(state, seat), legal, log))
        deal = self.rng(state.ply, "worlds")
        chosen = [worlds.one(deal) for _ in range(self.effort.chosen_in)]
        best = self._chosen(chosen, seat, played)
        if best == played:
            return nothing
        measured: list[State] = []
        gaps: list[Chances] = []
        while not gaps or (len(gaps) < self.effort.most and not _is_clear([gap[seat] for gap in gaps], self.effort)):
            fresh = [worlds.one(deal) for _ in range(self.effort.measured_in)]
            measured += fresh
            gaps += [
                _less(self.planner.outcome(world, seat, played), self.planner.outcome(world, seat, best))
                for world in fresh
            ]
        change = _mean(gaps)
        loss, error = -change[seat], standard_error([gap[seat] for gap in gaps])
        if loss < max(self.effort.least, self.effort.clear * error):
            return nothing
        shares, plans = self._shared(measured[: self.effort.looked_in], seat, played, best)
        return Verdict(loss, change, shares, plans)

    def _chosen(self, worlds: Sequence[State], seat: int, played: Moves) -> Moves:
        """Return the plan that does best in some positions."""
        plans: dict[Moves, None] = {played: None}
        for world in worlds[: self.effort.looked_in]:
            plans |= dict.fromkeys(plan for plan in self.planner.plans(world, seat) if self._playable(worlds, plan))
        sums = dict.fromkeys(plans, 0.0)
        left = list(plans)
        for number, world in enumerate(worlds, 1):
            for plan in left:
                sums[plan] += self.planner.outcome(world, seat, plan)[seat]
            if number == self.effort.looked_in:
                left.sort(key=sums.__getitem__, reverse=True)
                del left[self.effort.few :]
                if played not in left:
                    left.append(played)
        # Between plans that are worth the same, the one that was played.
        return max(left, key=lambda plan: (sums[plan], plan == played))

    @staticmethod
    def _playable(worlds: Sequence[State], plan: Moves) -> bool:
        """Whether a plan can be played in all positions; what it needs may be seen in one of them alone."""
        return all(after(world, plan) is not None for world in worlds)

    def _mean(self, worlds: Sequence[State], seat: int, plan: Moves) -> Chances:
        return _mean([self.planner.outcome(world, seat, plan) for world in worlds])

    def _shared(
        self, worlds: Sequence[State], seat: int, played: Moves, best: Moves
    ) -> tuple[list[float], list[Moves]]:
        """Return which part of a loss each of the moves has, and what to go on with before each of them."""
        least = self._mean(worlds, seat, played)[seat]
        most = max(least, self._mean(worlds, seat, best)[seat])
        levels, plans, now = [most], [best], list(worlds)
        for number, move in enumerate(played[:-1], 1):
            ahead = [after(world, (move,)) for world in now]
            now = [world for world in ahead if world is not None]
            plan, worth = self._gone_on(now, seat, plans[-1], move, levels[-1], played[number:])
            plans.append(plan)
            levels.append(min(levels[-1], max(least, worth)))
        levels.append(least)
        whole = most - least
        if whole <= 0:
            return [1.0, *[0.0] * (len(played) - 1)], plans
        return [(one - other) / whole for one, other in pairwise(levels)], plans

    def _gone_on(
        self, now: Sequence[State], seat: int, plan: Moves, move: Move, worth: float, rest: Moves
    ) -> tuple[Moves, float]:
        """Return the best plan after a move was played, and what it is worth; `rest` is what was played then."""
        if move in plan:
            place = plan.index(move)
            left = (*plan[:place], *plan[place + 1 :])
            if left and self._playable(now, left):
                return left, worth
        plans = [rest, *[found for found in self.planner.plans(now[0], seat) if self._playable(now, found)]]
        found = [(self._mean(now, seat, one)[seat], -number) for number, one in enumerate(plans)]
        best, number = max(found)
        return plans[-number], best

    def reveal(self, before: State, move: Move, revealed: State) -> tuple[Chances, Chances]:
        """Return the chances that were to be expected of a move of the active seat that reveals something, and those
        with what it revealed. The hands of all are taken as they are; what nobody knew is dealt anew."""
        seat = before.active
        if seat is None:
            raise ValueError("nobody is to move")
        if move == DRAW:
            return self._draw(before, seat, revealed)
        chance = self.rng(before.ply, "reveal")
        times = range(self.effort.revealed_in)
        expected = _mean([self.planner.outcome(dealt(before, chance), seat, (move,)) for _ in times])
        return expected, _mean([self.planner.outcome(dealt(revealed, chance), seat, ()) for _ in times])

    def outlook(self, state: State) -> Chances:
        """Return the chances at the beginning of a turn: those that are to be expected of it."""
        if state.active is None:
            return self.planner.odds.of(state)
        chance = self.rng(state.ply, "outlook")
        move = state.rules.legal_moves(state)[0]
        drawn = state.copy()
        drawn.seed = chance.randbytes(32)
        drawn.rules.advance(drawn, move, [])
        if move == DRAW:
            return self._draw(state, state.active, drawn)[0]
        seat, times = state.active, range(self.effort.revealed_in)
        return _mean([self.planner.outcome(dealt(state, chance), seat, ()) for _ in times])

    def _draw(self, before: State, seat: int, revealed: State) -> tuple[Chances, Chances]:
        chance = self.rng(before.ply, "draw")
        times: dict[tuple[int, ...], int] = {}
        kept: dict[tuple[int, ...], list[State]] = {}
        for _ in range(self.effort.draws):
            state = dealt(before, chance)
            state.rules.advance(state, DRAW, [])
            tiles = tuple(sorted(state.turn.tiles))
            times[tiles] = times.get(tiles, 0) + 1
            if len(kept.setdefault(tiles, [])) < self.effort.drawn_in:
                kept[tiles].append(state)
        drawn = tuple(sorted(revealed.turn.tiles))
        if drawn not in kept:  # so seldom that it was not met
            times[drawn], kept[drawn] = 0, [dealt(revealed, chance) for _ in range(self.effort.drawn_in)]
        worth = {
            tiles: _mean([self.planner.outcome(state, seat, ()) for state in states]) for tiles, states in kept.items()
        }
        expected = [
            sum(times[tiles] * worth[tiles][each] for tiles in kept) / self.effort.draws
            for each in range(len(before.players))
        ]
        return expected, worth[drawn]


def _is_clear(gaps: Sequence[float], effort: Effort) -> bool:
    """Whether more positions would hardly tell more: something is lost for certain, or next to nothing."""
    mean, error = sum(gaps) / len(gaps), standard_error(gaps)
    return abs(mean) > 2 * effort.clear * error or (abs(mean) < effort.least and error < effort.least)


def standard_error(numbers: Sequence[float]) -> float:
    """Return the standard error of the mean of some numbers."""
    count = len(numbers)
    mean = sum(numbers) / count
    return math.sqrt(sum((number - mean) ** 2 for number in numbers) / max(1, count - 1) / count)


def _mean(rows: Sequence[Chances]) -> Chances:
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def _less(some: Chances, others: Chances) -> Chances:
    return [one - other for one, other in zip(some, others, strict=True)]


class Ply(NamedTuple):
    """What a ply did to the chance of each seat. `chances` are those after it."""

    ply: int
    round: int
    seat: int
    chances: Chances
    luck: Chances
    offered: Chances
    error: Chances
    """What an error of `seat` did: a loss for itself, mostly a gain for others; adds up to 0."""
    instead: Moves
    """What the seat should have gone on with, by what it knew; () where it gave nothing away."""


def plies(replay: Game, effort: Effort, look: Look, passed: Callable[[], object] = lambda: None) -> Iterator[Ply]:
    """Yield every ply of a finished game. `passed` is told of each."""
    seats = len(replay.names)
    judged = odds.shipped(seats)
    judge = Judge(Planner(judged, look), effort, replay.record.commitment)
    logs: list[list[tuple[int, str]]] = [[] for _ in range(seats)]
    now = judge.outlook(replay.state(0))
    turn: list[GameStep] = []
    for step in replay.steps():
        turn.append(step)
        if _turn_is_over(step):
            for found in _of_turn(turn, now, judge, logs):
                passed()
                yield found
                now = found.chances
            turn = []


def _turn_is_over(step: GameStep) -> bool:
    before, after = step.before, step.state
    return after.active is None or after.active != before.active or after.round != before.round


def _of_turn(
    turn: Sequence[GameStep], first: Chances, judge: Judge, logs: Sequence[list[tuple[int, str]]]
) -> Iterator[Ply]:
    """Yield the plies of a turn, which began with the chances `first`."""
    seats, count = range(len(first)), len(turn)
    nothing = [0.0] * len(first)
    errors, lucks = [nothing] * count, [nothing] * count
    instead: list[Moves] = [()] * count
    for begin, end in _decisions(turn):
        steps = turn[begin:end]
        verdict = judge.decision(steps[0].before, logs[steps[0].entry.seat], tuple(step.move for step in steps))
        for place, index in enumerate(range(begin, end)):
            share = verdict.shares[place]
            if share and verdict.loss:
                errors[index] = [share * change for change in verdict.change]
                instead[index] = verdict.best[place]
        for step in steps:
            _noted(logs, step)
        last = steps[-1]
        if not _turn_is_over(last) and any_reveals(last.events):
            expected, came = judge.reveal(last.before, last.move, last.state)
            lucks[end - 1] = _change(expected, came)
    for step in turn:
        if step.move == RESIGN:
            _noted(logs, step)
    result = judge.outlook(turn[-1].state)
    known = [first[seat] + sum(errors[i][seat] + lucks[i][seat] for i in range(count)) for seat in seats]
    rest = [result[seat] - known[seat] for seat in seats]
    now = first
    for index, step in enumerate(turn):
        before, by = step.before, step.entry.seat
        if step.move == RESIGN:
            after = _without(now, by)
            errors[index], instead[index] = _change(now, after), ()
        elif index == count - 1:
            after = result
        else:
            offered = rest if index == 0 else nothing
            after = _within([now[s] + lucks[index][s] + errors[index][s] + offered[s] for s in seats])
        offered = [after[s] - now[s] - lucks[index][s] - errors[index][s] for s in seats]
        yield Ply(step.ply, before.round, by, after, lucks[index], offered, errors[index], instead[index])
        now = after


def _decisions(turn: Sequence[GameStep]) -> Iterator[tuple[int, int]]:
    """Yield from where to where the decisions of a turn go: each up to a reveal, or to where somebody resigned."""
    begin = 0
    for index, step in enumerate(turn):
        if step.move == RESIGN:
            if index > begin:
                yield begin, index
            begin = index + 1
        elif any_reveals(step.events) or index == len(turn) - 1:
            yield begin, index + 1
            begin = index + 1


def _noted(logs: Sequence[list[tuple[int, str]]], step: GameStep) -> None:
    rules = step.before.rules
    for seat, log in enumerate(logs):
        log.append((step.entry.seat, rules.log_entry(step.move, step.entry.seat, seat)))


def _without(chances: Chances, seat: int) -> Chances:
    """Return the chances when a seat resigns: the others have its part."""
    left = 1 - chances[seat]
    others = len(chances) - 1
    return [0.0 if s == seat else (chance / left if left > 0 else 1 / others) for s, chance in enumerate(chances)]


def _change(before: Chances, after: Chances) -> Chances:
    return [one - other for one, other in zip(after, before, strict=True)]


def _within(chances: Chances) -> Chances:
    """Return chances that estimates had made less than 0 as such that add up to 1."""
    cut = [max(0.0, chance) for chance in chances]
    whole = sum(cut)
    return [chance / whole for chance in cut]
