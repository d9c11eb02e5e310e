"""The file of record.md §5: what a reader refuses, and which ply it names."""

import copy
import json
from random import Random
from typing import Any

import pytest

from server.engine import record
from server.engine.errors import RecordError
from server.engine.record import MoveEntry, Record
from server.engine.ulm1 import game
from server.engine.ulm1.notation import format_move

SERVER, CLIENTS = b"\x05" * 32, ["", "zwei"]


def short_game(plies: int = 40, resign: bool = True, every_digest: bool = True) -> Record:
    """A game of so many random moves that ends, if it shall, with a resignation."""
    bare = record.make("id", "name", {"tower": True}, ["Anna", "Bob"], SERVER, CLIENTS, [])
    state, rng, moves = bare.first_state(), Random(3), []
    for _ in range(plies):
        move = rng.choice(game.legal_moves(state))
        assert state.active is not None
        moves.append(MoveEntry(format_move(move), state.active, "2026-11-21T09:30:00Z"))
        game.advance(state, move, [])
    if resign:
        moves.append(MoveEntry("resign", 1))
    return record.make("id", "name", {"tower": True}, ["Anna", "Bob"], SERVER, CLIENTS, moves, every_digest)


SHORT = short_game()
LAST = len(SHORT.moves)


def changed(**changes: Any) -> dict[str, Any]:
    """The short game as JSON data, with keys replaced; `seed_…` keys replace those inside `seed`."""
    data = copy.deepcopy(SHORT.to_dict())
    for key, value in changes.items():
        if key.startswith("seed_"):
            data["seed"][key.removeprefix("seed_")] = value
        else:
            data[key] = value
    return data


def refused(data: Any, ply: int, words: str = "ply") -> None:
    """Assert that a reader refuses, naming that ply, whether it gets data or text."""
    with pytest.raises(RecordError, match=words) as caught:
        record.verify(record.from_dict(data))
    assert caught.value.ply == ply
    with pytest.raises(RecordError) as again:
        record.verify(record.loads(json.dumps(data)))
    assert (again.value.ply, str(again.value)) == (ply, str(caught.value))
    assert str(caught.value).startswith(f"ply {ply}: ")


def accepted(data: Any) -> Record:
    """Assert that a reader takes it, as data and as text, and writes it back as it was."""
    found = record.from_dict(data)
    record.verify(found)
    assert record.loads(json.dumps(data)) == found
    assert found.to_dict() == data
    assert json.loads(record.dumps(found)) == data
    return found


def test_a_good_record_is_accepted() -> None:
    """The game that the others change is itself good, finished and with all digests."""
    assert accepted(SHORT.to_dict()) == SHORT
    assert SHORT.result["winners"] == [0]
    assert len(SHORT.digests) == LAST + 1


@pytest.mark.parametrize("junk", [None, 1, "x", [], True, {}])
def test_what_is_no_record(junk: Any) -> None:
    """record.md §5: wrong types name ply 0."""
    refused(junk, 0)


WRONG: dict[str, list[Any]] = {
    "format": ["ulm-record/2", ["ulm-record/1"]],
    "ruleset": ["ulm/0", [], None],
    "id": [7],
    "name": [None],
    "options": [[], {"tower": True}, {"tower": True, "rotate_start": 0},
                {"tower": True, "rotate_start": False, "house_rules": True}],
    "players": [{}, [{"name": "a"}], [{"name": "a"}] * 5, ["a", "b"], [{"name": 1}, {}]],
    "seed": [None, []],
    "moves": [{}, None],
    "digests": [[], None],
    "result": [[], {}, "won", {"scores": {}, "winners": []}, {"scores": []}],
    "move": [["draw", 0], "draw", [7, 0, None], ["draw", "0", None], ["draw", True, None], ["draw", 0.0, None],
             ["draw", 0, 5], ["draw", 0, "yesterday"], ["draw", 0, "2026-11-21T09:30:00+01:00"], ["draw", -1, None],
             ["draw", 2, None], ["draw", 10**30, None]],
    "server": ["", "05" * 31, "0" * 63, "AB" * 32, "05" * 32 + "\n", 5, "٠٥" * 32],
    "clients": [[""], ["", "", ""], ["", "x" * 65], ["", "a\0b"], ["", "\ud800"], ["", 7], "ab", {"0": "", "1": ""}],
    "commitment": ["", "00" * 32, None, 7, SHORT.commitment.upper()],
    "digest": [None, 7, "", "0" * 15, "A" * 16, ["0"], "0" * 16 + "\n"],
}  # fmt: skip
"""What stands wrong in a record: keys of the file, of `seed`, a move of the log, a digest."""


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in WRONG.items() for value in values])
def test_what_is_wrong_by_itself_names_ply_0(key: str, value: Any) -> None:
    """record.md §5: an unknown format or ruleset, wrong types, unknown options, seeds that are none name ply 0."""
    data = changed()
    place: Any = data["seed"] if key in ("server", "clients", "commitment") else data
    if key == "move":
        place, key = data["moves"], 5  # type: ignore[assignment]
    elif key == "digest":
        place, key = data["digests"], "0"
    place[key] = value
    refused(data, 0)


@pytest.mark.parametrize(
    "key", ["format", "ruleset", "id", "name", "options", "players", "seed", "moves", "digests", "result"]
)
def test_a_missing_key_names_ply_0(key: str) -> None:
    """record.md §5: every key of the file stands."""
    data = changed()
    del data[key]
    refused(data, 0, key)


def test_another_seed_gives_other_digests_from_ply_0_on() -> None:
    """record.md §1: a client's text is part of the seed, so the first digest differs."""
    refused(changed(seed_clients=["", "drei"]), 0, "digest differs")
    refused(changed(seed_clients=["zwei", ""]), 0, "digest differs")


@pytest.mark.parametrize("ply", [1, 7, 20, LAST])
def test_an_illegal_move_names_its_ply(ply: int) -> None:
    """record.md §5: an illegal move names its ply; so does one of the wrong seat, or a text that is no move."""
    for text in ("castle", "", "push n2", "draw " * 50, "pass", "take siege"):
        data = changed()
        data["moves"][ply - 1][0] = text
        refused(data, ply, "by seat")
    data = changed()
    seat = data["moves"][ply - 1][1]
    if data["moves"][ply - 1][0] != "resign":
        data["moves"][ply - 1][1] = 1 - seat
        refused(data, ply, "not your turn")


def test_a_move_after_the_end_names_its_ply() -> None:
    """E1: nobody moves when the game is over."""
    data = changed(moves=[*changed()["moves"], ["draw", 0, None]])
    refused(data, LAST + 1, "The game is over")


@pytest.mark.parametrize("ply", [0, 1, 9, LAST])
def test_a_digest_that_differs_names_its_ply(ply: int) -> None:
    """record.md §5: a digest that differs names its ply, wherever it stands."""
    data = changed()
    old = data["digests"][str(ply)]
    data["digests"][str(ply)] = ("1" if old[0] == "0" else "0") + old[1:]
    refused(data, ply, "digest differs")


def test_a_digest_must_stand_at_0_at_each_round_and_at_the_last() -> None:
    """record.md §5: at least ply 0, each start of a round, and the last; others may be left out."""
    sparse = short_game(every_digest=False).to_dict()
    rounds = {step.state.ply: step.state.round for step in record.replay(SHORT)}
    starts = {ply for ply, number in rounds.items() if ply == 0 or number != rounds[ply - 1]}
    assert len(starts) > 2
    assert {int(ply) for ply in sparse["digests"]} == starts | {LAST}
    accepted(sparse)
    for ply in starts | {LAST}:
        data = copy.deepcopy(sparse)
        del data["digests"][str(ply)]
        refused(data, ply, "missing")


@pytest.mark.parametrize("key", [str(LAST + 1), "-1", "01", "1.0", "x", "", " 1", "1" * 400, "٣"])
def test_a_digest_of_an_unknown_ply_names_the_last(key: str) -> None:
    """record.md §5: a digest of an unknown ply names the last."""
    data = changed()
    data["digests"][key] = "0" * 16
    refused(data, LAST, "unknown ply")


def result_changes() -> list[Any]:
    """Results that differ from the true one."""
    changes: list[dict[str, Any]] = [{"winners": winners} for winners in ([], [1], [0, 1], [False], [0.0])]
    changes += [{"scores": []}, {"scores": [1, 2]}]
    found: list[Any] = [None, *(changed()["result"] | change for change in changes)]
    for key in ("vp", "total", "rank", "barge", "chronicle"):
        result = changed()["result"]
        result["scores"][0][key] = {"siege": 3} if key == "chronicle" else result["scores"][0][key] + 1
        found.append(result)
        result = changed()["result"]
        del result["scores"][1][key]
        found.append(result)
    result = changed()["result"]
    result["scores"][0]["total"] = float(result["scores"][0]["total"])
    found.append(result)
    result = changed()["result"]
    result["scores"].reverse()
    found.append(result)
    return found


@pytest.mark.parametrize("result", result_changes())
def test_a_result_that_differs_names_the_last(result: Any) -> None:
    """record.md §5: a result that differs names the last ply; 1.0 and false are no 1 and 0."""
    refused(changed(result=result), LAST, "result differs")


def test_a_running_game() -> None:
    """record.md §5: the result of a game that is not over is null."""
    running = short_game(30, resign=False).to_dict()
    assert running["result"] is None
    accepted(running)
    running["result"] = {"scores": [], "winners": []}
    refused(running, 30, "result differs")
    accepted(record.make("", "", {}, ["a", "b"], SERVER, CLIENTS, []).to_dict())


def test_unknown_keys_are_kept_and_ignored() -> None:
    """record.md §5: unknown keys are kept, wherever an object of the file has room for them, but in `options`."""
    data = changed(comment={"deep": [1, None, "ü"]}, clock=None)
    data["seed"]["note"] = "x"
    data["players"][0]["bot"] = True
    kept = accepted(data)
    assert kept.extra == {"comment": {"deep": [1, None, "ü"]}, "clock": None}
    assert kept.seed_extra == {"note": "x"}


def test_text_that_is_no_json() -> None:
    """Not JSON, cut off, other numbers than JSON has, a key twice, bad UTF-8: ply 0, no traceback."""
    text = record.dumps(SHORT)
    assert record.loads(text) == SHORT == record.loads(text.encode())
    twice = ['"id":"id"', '"x":NaN', '"x":Infinity', '"x":-Infinity', '"x":1e999', '"x":' + "9" * 5000]
    broken: list[str | bytes] = [text.replace('"id":"id"', '"id":"id",' + more) for more in twice]
    assert text not in broken
    broken += ["", "{", "nul", text[:-1], text + "x", "\ufeff" + text, text.encode()[:-2] + b"\xff}"]
    for bad in broken:
        with pytest.raises(RecordError) as caught:
            record.verify(record.loads(bad))
        assert caught.value.ply == 0


def test_a_name_with_a_lone_surrogate_is_written_all_the_same() -> None:
    """Names are text of any kind: what UTF-8 cannot carry is escaped."""
    odd = record.make("id", "\ud800", {}, ["a\udfff", "b"], SERVER, CLIENTS, [])
    text = record.dumps(odd)
    assert text.encode()
    assert record.loads(text) == odd


def test_make_refuses_what_is_no_game() -> None:
    """`make` replays: an illegal move names its ply, a text that is no move is refused."""
    with pytest.raises(RecordError) as caught:
        record.make("", "", {}, ["a", "b"], SERVER, CLIENTS, [MoveEntry("end", 0)])
    assert caught.value.ply == 1
    with pytest.raises(ValueError, match="is no move"):
        record.make("", "", {}, ["a", "b"], SERVER, CLIENTS, [MoveEntry("castle", 0)])
    with pytest.raises(ValueError, match="2 to 4 players"):
        record.make("", "", {}, ["a"], SERVER, [""], [])
    with pytest.raises(ValueError, match="unknown option"):
        record.make("", "", {"rotate": True}, ["a", "b"], SERVER, CLIENTS, [])
