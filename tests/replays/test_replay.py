"""Stepping through a record: seeking is bounded, states are the caller's own, views are masked as they were."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from replays.replay import EVERY, Replay
from replays.timeline import changed, timeline
from server.engine import game, record, setup
from server.engine.errors import RecordError
from server.engine.notation import format_move
from server.engine.record import MoveEntry, Record
from server.engine.state import State
from server.engine.view import view

SEED = bytes(range(32))


def random_record(players: int, seed: int, options: dict[str, bool] | None = None) -> Record:
    """A whole game of random moves."""
    rng = random.Random(seed)
    options = options or {}
    state = setup.new_game(setup.game_seed(SEED, [""] * players), players, options)
    moves = []
    while state.active is not None:
        legal = game.legal_moves(state)
        verb = rng.choice(sorted({move[0] for move in legal}))
        move = rng.choice([move for move in legal if move[0] == verb])
        moves.append(MoveEntry(format_move(move), state.active, "2026-11-21T09:30:00Z"))
        game.advance(state, move, [])
    names = [f"Player {seat}" for seat in range(players)]
    return record.make("a-game", "A game", options, names, SEED, [""] * players, moves, every_digest=True)


@pytest.fixture(scope="module", params=[(2, {}), (4, {"tower": True, "rotate_start": True})])
def whole(request: pytest.FixtureRequest) -> Record:
    players, options = request.param
    return random_record(players, 7, options)


def states(whole: Record) -> Iterator[State]:
    return (step.state for step in record.replay(whole))


def test_every_ply_is_the_one_of_the_record(whole: Record) -> None:
    replay = Replay(whole)
    for ply, state in enumerate(states(whole)):
        assert replay.state(ply).digest() == state.digest() == whole.digests[ply]
    assert replay.plies == len(whole.moves)


def test_seeking_in_any_order_gives_the_same(whole: Record) -> None:
    replay = Replay(whole)
    plies = list(range(replay.plies + 1))
    random.Random(1).shuffle(plies)
    for ply in plies:
        assert replay.state(ply).digest() == whole.digests[ply]


def test_a_seek_replays_at_most_sixteen_moves_and_keeps_few_states(whole: Record) -> None:
    replay = Replay(whole)
    replay.state(replay.plies)
    for ply in reversed(range(replay.plies + 1)):
        before = replay.replayed
        replay.state(ply)
        assert replay.replayed - before < EVERY
    assert len(replay._checkpoints) == replay.plies // EVERY + 1


def test_states_are_the_callers_own(whole: Record) -> None:
    replay = Replay(whole)
    for ply in (0, EVERY, EVERY + 3):
        state = replay.state(ply)
        state.players[0].coins = 999
        state.bag[0] = 999
        assert replay.state(ply).digest() == whole.digests[ply]


def test_views_are_those_of_the_time(whole: Record) -> None:
    """record.md §4: a newest draw is masked for all but the one who drew."""
    replay = Replay(whole)
    previous: State | None = None
    masked = 0
    for ply, state in enumerate(states(whole)):
        drawn = ply and whole.moves[ply - 1].text == "draw"
        for seat in (*range(len(whole.players)), None):
            hidden = drawn and seat != state.active
            assert replay.view(ply, seat) == view(previous if hidden and previous else state, seat)
            masked += bool(hidden)
        previous = state
    assert masked


def test_steps_from_the_middle(whole: Record) -> None:
    replay = Replay(whole)
    steps = list(replay.steps(20, 40))
    assert [step.ply for step in steps] == list(range(20, 41))
    assert [step.state.digest() for step in steps] == [whole.digests[ply] for ply in range(20, 41)]
    assert steps[0].before.digest() == whole.digests[19]


@pytest.mark.parametrize("ply", [-1, 10_000])
def test_there_is_no_such_ply(whole: Record, ply: int) -> None:
    with pytest.raises(IndexError, match="plies 0 to"):
        Replay(whole).state(ply)


def test_illegal_move_names_its_ply(whole: Record) -> None:
    moves = [*whole.moves[:10], MoveEntry("salvage", whole.moves[10].seat), *whole.moves[11:]]
    data = whole.to_dict() | {"moves": [list(entry) for entry in moves]}
    with pytest.raises(RecordError) as refused:
        Replay(record.from_dict(data)).state(20)
    assert refused.value.ply == 11


def test_timeline_tells_of_every_ply(whole: Record) -> None:
    entries = timeline(Replay(whole))
    assert [entry["ply"] for entry in entries] == list(range(1, len(whole.moves) + 1))
    assert [(entry["move"], entry["seat"], entry["at"]) for entry in entries] == [tuple(move) for move in whole.moves]
    assert all(entry["text"] for entry in entries)
    last = entries[-1]
    assert last["vp"] == [scores["vp"] for scores in whole.result["scores"]]
    assert {"phase", "scores"} <= set(last["changed"])


def test_timeline_names_just_what_changed(whole: Record) -> None:
    before: State | None = None
    for state in states(whole):
        if before is not None:
            old, new = before.to_dict(), state.to_dict()
            tops = {key for key in old if old[key] != new[key]} - {"ply", "chance"}
            assert {name.split(".")[0] for name in changed(before, state)} == tops
        before = state
