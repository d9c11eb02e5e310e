"""`engine.Game`: steps, seeking in bounded moves and memory."""

import gc
import json
import random
import tracemalloc

import pytest

from replays.sight import chapters, timeline
from server.engine import record
from server.engine.errors import RecordError
from server.engine.game import EVERY, Game
from server.engine.ulm1.state import State
from tests.replays.conftest import GAMES, OF_EACH_RULESET, game


@pytest.mark.parametrize("path", OF_EACH_RULESET, ids=str)
def test_seeking_gives_the_states_of_the_vectors_in_any_order(path):
    data = json.loads(path.read_text("utf-8"))
    replay = Game(record.from_dict(data))
    plies = list(range(replay.plies + 1))
    random.Random(path.name).shuffle(plies)
    for ply in plies:
        assert replay.state(ply).digest() == data["digests"][str(ply)]


def test_a_seek_costs_at_most_a_round(vectors):
    """After one pass no seek replays more than `EVERY` moves, and a round has more than that."""
    for one in vectors:
        replay = Game(one)
        replay.state(replay.plies)
        assert replay.replayed == replay.plies
        for ply in range(replay.plies + 1):
            before = replay.replayed
            replay.state(ply)
            assert replay.replayed - before < EVERY
        rounds = [replay.state(ply).round for ply in range(replay.plies)]
        assert replay.plies / len(set(rounds)) > EVERY / 2


def states_alive() -> int:
    gc.collect()
    return sum(isinstance(one, State) for one in gc.get_objects())


def test_memory_is_bounded(vectors):
    before = states_alive()
    tracemalloc.start()
    try:
        replay = Game(vectors[1])
        for ply in range(replay.plies + 1):
            replay.state(ply)
        assert states_alive() - before <= replay.plies // EVERY + 2, "one a checkpoint, and the newest"
        assert tracemalloc.get_traced_memory()[0] < 1 << 20
    finally:
        tracemalloc.stop()


def test_what_is_handed_out_is_the_callers_own(vectors):
    replay = Game(vectors[0])
    state = replay.state(32)
    state.bag[0] += 5
    state.players[0].tiles[0] += 5
    assert replay.state(32).digest() == vectors[0].digests[32]


@pytest.mark.parametrize("ply", [-1, 190, 10**9])
def test_no_such_ply(vectors, ply):
    replay = Game(vectors[0])
    with pytest.raises(IndexError):
        replay.state(ply)
    with pytest.raises(IndexError):
        list(replay.steps(ply if ply > 0 else 0, 189 if ply < 0 else ply))


def test_an_illegal_move_shows_when_it_is_passed():
    data = game(1)
    data["moves"][20][0] = "money"
    replay = Game(record.from_dict(data))
    assert replay.state(20).ply == 20
    with pytest.raises(RecordError) as caught:
        replay.state(21)
    assert caught.value.ply == 21


def test_every_move_is_told_in_words():
    """Also those that nothing followed from: a barge that may sail on and stays."""
    replay = Game(record.loads((GAMES / "vector-07.ulm.json").read_text("utf-8")))
    for seat in (None, 0):
        lines = [line for chapter in chapters(replay, seat) for line in chapter.lines]
        assert all(line.text for line in lines)
        assert next(line.text for line in lines if line.move == "barge 0") == ["player 0 sails no further."]
    assert next(row["text"] for row in timeline(replay) if row["move"] == "barge 0") == ["player 0 sails no further."]
