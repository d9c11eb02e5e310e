"""A finished game from ply to ply: what each seat's chance to win was, and what changed it.

The chance after a turn is that of the position then (`bots.chances.odds`). Within the turn it goes by what was revealed
(luck), by what was given away (errors), and by what the turn had to offer at all: how much better or worse the position
was to play than it had looked before. The three of all plies add up to the result less the chance at the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bots.chances import odds
from replays.analysis.judging import Effort, Judge
from replays.analysis.plans import Chances, Look, Moves, Planner
from server.engine.events import any_reveals
from server.engine.game import Game, GameStep
from server.engine.ulm1.turn import RESIGN


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
