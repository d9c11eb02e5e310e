"""How a finished game went: which turns brought most (by `final_scores`), and when the lead changed for good."""

from __future__ import annotations

from threading import Lock
from typing import NamedTuple

from cachetools import LRUCache, cached

from server.engine.errors import UlmError
from server.engine.game import Game
from server.engine.ulm1.shapes import Score
from server.engine.ulm1.turn import END, RESIGN
from server.service.archive import replays
from server.service.games import loading
from server.storage.database import Store

SWINGS = 3  # So many of the greatest turns are told
LEAST = 4  # A turn that brought fewer points is none to be told of
_KEPT = 500


class Point(NamedTuple):
    """A turn, or a resignation; `ply` is the last one before it."""

    ply: int
    round: int
    seat: int
    gain: int = 0
    """So many points more the seat would have if the game ended with it."""
    before: tuple[int, ...] = ()
    """Who led until then."""


class Course(NamedTuple):
    """How a game went. `lead` is the turn after which those led who won and nobody else any more, None where they led
    after every turn."""

    lead: Point | None
    swings: tuple[Point, ...]
    leavings: tuple[Point, ...]


@cached(LRUCache(_KEPT), lambda store, game_id: (store.number, game_id), Lock())
def of_game(store: Store, game_id: str) -> Course | None:
    """How a finished game went; None where its log does not replay. Asks no permission. Raises `NotFound`."""
    try:
        with store.read():
            replay = Game(replays.make_record(store, loading.for_reader(store, game_id, None)))
        return of_replay(replay)
    except UlmError:
        return None


def of_replay(replay: Game) -> Course:
    """The same of a replay, to its last ply."""
    first = replay.state(0)
    before = first.rules.final_scores(first)
    leaders, lead = _leaders(before), None
    swings: list[Point] = []
    leavings: list[Point] = []
    began = 0
    for step in replay.steps() if replay.plies else ():
        if step.move == RESIGN:
            leavings.append(Point(step.ply - 1, step.before.round, step.entry.seat))
        elif step.move != END:
            continue
        scores = step.state.rules.standing(step.state, step.state.scores)
        seat, number = step.entry.seat, step.before.round
        gain = scores[seat]["total"] - before[seat]["total"]
        if step.move == END and gain >= LEAST:
            swings.append(Point(began, number, seat, gain))
        now = _leaders(scores)
        if now != leaders:
            lead = Point(began if step.move == END else step.ply - 1, number, seat, before=leaders)
        leaders, before = now, scores
        if step.move == END:
            began = step.ply
    best = sorted(swings, key=lambda one: (-one.gain, one.ply))[:SWINGS]
    return Course(lead, tuple(sorted(best, key=lambda one: one.ply)), tuple(leavings))


def _leaders(scores: list[Score]) -> tuple[int, ...]:
    return tuple(seat for seat, score in enumerate(scores) if score["rank"] == 1)
