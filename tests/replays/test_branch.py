"""`branch`, variations, sandboxes, `anonymise`, `migrate`."""

from __future__ import annotations

import json
import random

import pytest

from replays import branching, positions, sandbox
from replays.anonymous import anonymise
from replays.files import Item, Source
from replays.positions import plausible
from replays.reading import parse
from replays.replay import Replay
from server.engine import record, rulesets
from server.engine.errors import InvalidStateError, RecordError
from server.engine.ulm1 import game as rules
from server.engine.ulm1.view import view
from tests.replays.conftest import GAMES, VECTORS, game, good, ulm_replay

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


def test_a_variation_is_kept_and_older_readers_ignore_it(tmp_path):
    out = tmp_path / "kept.ulm.json"
    good("branch", GAME, "--ply", 100, "--random", 12, "--keep", "what if", "-o", out)
    good("branch", out, "--ply", 50, "--random", 3, "--keep", "or so", "-o", out)
    good("check", out)
    kept = record.loads(out.read_text("utf-8"))
    assert [(one["ply"], one["name"], len(one["moves"])) for one in kept.extra["variations"]] == [
        (100, "what if", 12),
        (50, "or so", 3),
    ]
    record.verify(kept)  # the engine's reader knows nothing of variations


@pytest.mark.parametrize(("field", "message"), [
    ([{"ply": 3, "moves": [["push N9", 0, None]]}], "variation 1"), ("x", "not a list"), ([3], "has 'ply'"),
    ([{"ply": 9999, "moves": []}], "has 'ply'"), ([{"ply": 3, "moves": [["draw", True, None]]}], "is \\[text"),
    ([{"ply": 3, "moves": [["draw", 17, None]]}], "is \\[text"), ([{"ply": 0, "moves": []}] * 1001, "at most 1000"),
])  # fmt: skip
def test_variations_that_cannot_be_played(field, message, save):
    data = {**game(5), "variations": field}
    out = good("check", save(data), code=1)
    assert message.replace("\\", "") in out


def test_a_running_game_needs_a_seat(save):
    data = game(5)
    data["moves"] = data["moves"][:90]
    data["digests"] = {ply: digest for ply, digest in data["digests"].items() if int(ply) <= 90}
    data["result"] = None
    path = save(data)
    result = ulm_replay("branch", path)
    assert result.returncode == 2
    assert b"not finished; --seat" in result.stderr
    made = json.loads(good("branch", path, "--seat", 1, "--random", 10, "--random-seed", 3))
    assert made["format"] == "ulm-sandbox/1"
    assert made["branch"] == {"of": "vector-05", "ply": 90, "seat": 1}
    assert made["seed"] not in (data["seed"]["server"], record.loads(json.dumps(data)).first_state().seed.hex())
    box = save(made, "box.ulm.json")
    good("check", box)
    for command in ("show", "moves", "report", "timeline"):
        assert good(command, box)
    good("branch", box, "--random", 4)


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_what_a_seat_sees_is_kept_and_the_rest_can_be_played(path):
    """At every third ply and for every seat: same view, all pieces there, playable to the end of the turn."""
    replay = Replay(record.loads(path.read_text("utf-8")))
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
    replay = Replay(vectors[4])
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


def test_a_view_from_the_server(tmp_path, vectors):
    seen = Replay(vectors[2]).view(80, 1)
    path = tmp_path / "view.json"
    path.write_text(json.dumps(seen), "utf-8")
    assert json.loads(good("branch", path, "--view"))["players"][0]["name"] == "seat 0"
    page = {"id": "g1", "players": [{"name": f"P{seat}"} for seat in range(len(seen["players"]))], "view": seen}
    path.write_text(json.dumps(page), "utf-8")
    made = json.loads(good("branch", path, "--view", "--random", 3))
    assert made["players"][0]["name"] == "P0"
    assert made["id"] == "g1-sandbox"


@pytest.mark.parametrize("change", [
    lambda seen: seen.pop("bag"), lambda seen: seen.update(pile_size=99), lambda seen: seen.update(pile_size=-1),
    lambda seen: seen.update(pile_size="3"), lambda seen: seen["bag"].update(gray=11), lambda seen: seen.update(x=1),
    lambda seen: seen["players"].pop(), lambda seen: seen["players"][0].update(coins=-5),
    lambda seen: seen.update(grid=[]),
    lambda seen: seen["players"][0].update(hand=["siege", "siege"]), lambda seen: seen.update(active=None),
    lambda seen: seen.update(pending=[{"kind": ["x"]}]), lambda seen: seen.update(phase="over"),
    lambda seen: seen.update(players=[]), lambda seen: seen["players"][0].update(vp=10**400),
    lambda seen: seen.update(tower=["x"] * 10), lambda seen: seen.update(discard=[{}])])  # fmt: skip
def test_views_that_are_none(change, vectors, save):
    seen = Replay(vectors[3]).view(60, 0)
    change(seen)
    with pytest.raises(InvalidStateError):
        plausible(seen, random.Random(1))
    result = ulm_replay("branch", save(seen, "view.json"), "--view")
    assert result.returncode == 2
    assert b"Traceback" not in result.stderr


def test_a_sandbox_is_read_back_and_guarded(vectors):
    replay = Replay(vectors[3])
    box = branching.of_view(replay.view(60, 1), replay.names, random.Random(5), "box", {})
    box = branching.branch(box, 0, rng=random.Random(6), plies=10)
    assert sandbox.loads(record.dumps(box)) == box
    record.verify(box)
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


def test_anonymise(save, tmp_path):
    data = game(4)
    data |= {"id": "secret-id", "name": "Ada's game", "site": "https://ada.example", "branch": {"of": "secret-id"}}
    data["players"][0] |= {"name": "Ada", "mail": "ada@example.org"}
    data["seed"]["note"] = "by Ada"
    moves = [["resign", 0, "2026-11-21T09:30:00Z"]]
    data["variations"] = [{"ply": 2, "name": "Ada's idea", "moves": moves, "by": "Ada"}]
    out = tmp_path / "nameless.ulm.json"
    good("anonymise", save(data), "-o", out)
    text = out.read_text("utf-8")
    assert "ada" not in text.lower()
    assert "secret" not in text
    assert "2026" not in text
    good("check", out)
    good("audit", out)
    assert "the same game" in good("diff", out, GAMES / "vector-04.ulm.json")
    again = anonymise(record.loads(text))
    assert record.dumps(again) + "\n" == text


def test_anonymise_a_corpus(tmp_path):
    good("anonymise", GAMES, "-o", f"{tmp_path}/out/")
    assert good("check", tmp_path / "out").startswith("12 records checked, 0 defective")


def test_the_rulesets_stand_in_order():
    first, *later = rulesets.ALL
    assert [rules.name for rules in rulesets.since(first)] == later
    with pytest.raises(ValueError, match="unknown ruleset"):
        rulesets.since("ulm/0")


def test_migrate(save):
    assert "12 records under ulm/1: the newest" in good("migrate", GAMES)
    assert "ruleset' is none of ulm/1" in good("migrate", save({**game(1), "ruleset": "ulm/9"}), code=1)
    assert parse(Item(Source("x"), json.dumps(game(1)).encode())).ruleset == rulesets.NEWEST.name
