"""`branch`, positions from views, sandboxes."""

import json
import random

import pytest

from replays import positions, sandbox
from replays.commands.check import branched
from replays.positions import plausible
from server.engine import record
from server.engine.errors import InvalidStateError, RecordError
from server.engine.game import Game
from server.engine.ulm1 import game as rules
from server.engine.ulm1.view import view
from tests.replays.conftest import GAMES, OF_EACH_RULESET, game, good, ulm_replay

GAME = GAMES / "vector-05.ulm.json"


def test_a_branch_is_a_record_that_verifies(tmp_path):
    out = tmp_path / "branch.ulm.json"
    good("branch", GAME, "--ply", 120, "--random", 25, "--random-seed", 7, "-o", out)
    good("check", out)
    made = record.loads(out.read_text("utf-8"))
    assert made.extra["branch"] == {"of": "vector-05", "ply": 120}
    assert [entry[:2] for entry in made.moves[:120]] == [tuple(entry[:2]) for entry in game(5)["moves"][:120]]
    assert len(made.moves) == 145
    assert made.result is None
    further = tmp_path / "further.ulm.json"
    good("branch", out, "--random", 5000, "-o", further)  # a branch can be branched, here to its end
    good("check", further)
    assert record.loads(further.read_text("utf-8")).result is not None


def test_moves_of_ones_own(tmp_path):
    out = tmp_path / "branch.ulm.json"
    good("branch", GAME, "--ply", 0, "--moves", "draw; push W1", "-o", out)
    assert [entry.text for entry in record.loads(out.read_text("utf-8")).moves] == ["draw", "push W1"]
    result = ulm_replay("branch", GAME, "--ply", 0, "--moves", "draw; money")
    assert result.returncode == 2
    assert b"ply 2: " in result.stderr
    assert b"(T3)" in result.stderr or b"(A1)" in result.stderr
    assert b"the game is over" in ulm_replay("branch", GAME, "--moves", "draw").stderr


def test_a_running_game_is_not_branched(save):
    """Its piles are in its record; nobody may play with what is still to come."""
    data = game(5)
    data["moves"] = data["moves"][:90]
    data["digests"] = {ply: digest for ply, digest in data["digests"].items() if int(ply) <= 90}
    data["result"] = None
    result = ulm_replay("branch", save(data))
    assert result.returncode == 2
    assert b"not finished" in result.stderr


@pytest.mark.parametrize("path", OF_EACH_RULESET, ids=str)
def test_what_a_seat_sees_is_kept_and_the_rest_can_be_played(path):
    """At every third ply and for every seat: same view, all pieces there, playable to the end of the turn."""
    replay = Game(record.loads(path.read_text("utf-8")))
    rng = random.Random(path.name)
    for ply in range(0, replay.plies, 3):
        for seat in (*range(len(replay.names)), None):
            seen = replay.view(ply, seat)
            if seen["active"] is None:
                continue
            state = plausible(seen, rng)
            assert view(state, seat) == {**seen, "ply": 0}
            for _ in range(6):
                moves = rules.legal_moves(state)
                assert moves
                state = rules.apply(state, state.active, rng.choice(moves)).state
                if state.active is None:
                    break
            else:
                positions.check(state)


def test_hidden_things_are_dealt_anew_and_nothing_is_taken_from_the_game(vectors):
    """Two deals differ, and what they deal does not depend on what the view hides."""
    replay = Game(vectors[4])
    ply = 150
    true = replay.state(ply)
    seen = replay.view(ply, 0)
    piles = {plausible(seen, random.Random(number)).pile for number in range(20)}
    assert len(piles) == 20
    other = true.copy()  # the same for seat 0, but with all that it does not see in another order
    other.pile = tuple(reversed(other.pile))
    other.tower = (*other.tower[: other.round + 1], *reversed(other.tower[other.round + 1 :]))
    other.chance, other.seed = 0, bytes(32)
    assert view(other, 0) == view(true, 0)
    one, two = (plausible(view(state, 0), random.Random(1)) for state in (true, other))
    assert (one.to_dict(), one.seed) == (two.to_dict(), two.seed)


def test_from_a_game_that_is_over_nobody_goes_on(vectors):
    replay = Game(vectors[3])
    with pytest.raises(InvalidStateError):
        plausible(replay.view(replay.plies, 0), random.Random(1))


def test_a_sandbox_is_read_back_and_guarded(vectors, save):
    replay = Game(vectors[3])
    box = sandbox.make(plausible(replay.view(60, 1), random.Random(5)), replay.names, "box", "box", {})
    box = branched(box, 0, [], random.Random(6), 10)
    assert sandbox.loads(record.dumps(box)) == box
    record.verify(box)
    path = save(record.dumps(box), "box.ulm.json")
    for command in ("check", "show", "moves", "report", "branch"):
        assert good(command, path)
    for path, value in ((("position", "bag", "gray"), 40), (("position", "ply"), 3), (("seed",), "xy" * 32),
                        (("position", "players", 0, "tiles", "gray"), 1.0), (("players",), []), (("moves",), "x"),
                        (("position", "phase"), "over"), (("position", "turn", "tiles"), ["gray"] * 3)):  # fmt: skip
        data = json.loads(record.dumps(box))
        inner = data
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        with pytest.raises(RecordError):
            sandbox.loads(json.dumps(data))
