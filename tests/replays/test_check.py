"""`ulm-replay check` and the lenient reader."""

from __future__ import annotations

import json

import pytest

from replays.checking import check, check_all, in_parallel
from replays.damage import examine
from replays.errors import ReplayError
from replays.files import Item, Source, Writer, texts
from server.engine import record
from tests.replays.conftest import GAMES, game, good, ulm_replay


def test_good_records():
    assert good("check", GAMES).startswith("12 records checked, 0 defective; 2319 plies in ")


def test_a_defect_names_file_ply_and_rule(save):
    data = game(1)
    data["moves"][6][0] = "push S1"
    path = save(data)
    out = good("check", path, GAMES, code=1)
    assert out.splitlines()[0].startswith(f"{path}: ply 7: 'push S1' by seat 0: ")
    assert "(T3)" in out.splitlines()[0]
    assert "13 records checked, 1 defective" in out


def test_json_lines(save):
    data = game(2)
    data["digests"]["40"] = "0" * 16
    result = ulm_replay("check", "--json", save(data), GAMES / "vector-03.ulm.json")
    assert result.returncode == 1
    bad, fine = map(json.loads, result.stdout.decode().splitlines())
    assert (bad["valid"], bad["ply"], bad["rule"], bad["message"]) == (False, 40, None, "the digest differs")
    assert (fine["valid"], fine["ply"], fine["id"], fine["line"]) == (True, None, "vector-03", None)
    assert b"2 records checked, 1 defective" in result.stderr
    illegal = game(2)
    illegal["moves"][0][0] = "money"
    found = json.loads(good("check", "--json", "-q", save(illegal), code=1))
    assert (found["ply"], found["rule"]) == (1, "T3")


def test_lines_on_standard_input(vectors):
    text = "\n".join(record.dumps(one) for one in vectors[:3]) + "\n{}\n"
    out = good("check", "-", stdin=text.encode(), code=1)
    assert "standard input:4: ply 0: 'format' is not 'ulm-record/1'" in out


def test_many_records_in_order_on_several_processes(tmp_path, vectors):
    path = tmp_path / "many.jsonl.zst"
    with Writer(str(path)) as writer:
        for number in range(150):
            text = record.dumps(vectors[number % 12])
            writer.write("", text.replace('"draw"', '"end"', 1) if number % 50 == 7 else text)
    found = [json.loads(line) for line in good("check", "--json", "-j", 2, path, code=1).splitlines()]
    assert [one["line"] for one in found] == list(range(1, 151))
    assert [one["line"] for one in found if not one["valid"]] == [8, 58, 108]


def _dies(item: Item) -> None:
    import os

    os._exit(9)


def test_a_worker_that_dies_is_an_error_not_a_hang():
    items = [Item(Source("x"), b"{}")] * 40
    with pytest.raises(ReplayError, match="ended from outside"):
        list(in_parallel(items, _dies, 2))


def test_the_first_finding_comes_before_all_is_read(tmp_path, vectors):
    """The reader never runs far ahead of the workers."""
    handed_out = 0

    def endless():
        nonlocal handed_out
        while True:
            handed_out += 1
            yield Item(Source("x", handed_out), b"{}")

    findings = in_parallel(endless(), check, 2)
    assert [next(findings).source.line for _ in range(100)] == list(range(1, 101))
    assert handed_out < 100 + 32 * (2 * 3 + 3)
    findings.close()


@pytest.mark.parametrize("args", [["check"], ["check", "nowhere.ulm.json"], ["check", "-j", "0", "x"], ["nothing"], []])
def test_wrong_use_ends_with_a_code_and_no_traceback(args):
    result = ulm_replay(*args)
    assert result.returncode in (1, 2)
    assert b"Traceback" not in result.stderr


def test_control_characters_do_not_reach_the_terminal(save):
    data = game(1)
    data["moves"][0][0] = "draw\x1b[2J"
    assert "\x1b" not in good("check", save(data), code=1)


def test_check_all_lists_every_defect(save):
    data = game(5)
    data["seed"]["commitment"] = "0" * 64
    data["digests"]["3"] = "f" * 16
    data["moves"][59][2] = "yesterday"
    data["result"]["winners"] = [0, 1, 2]
    lines = good("check", "--all", save(data), code=1).splitlines()
    assert [line.split(": ply ")[1].split(":")[0] for line in lines[:-1]] == ["0", "3", "60", str(len(data["moves"]))]


def test_an_illegal_move_is_skipped_and_the_rest_tried():
    data = game(1)
    at = next(ply for ply, move in enumerate(data["moves"]) if move[0] == "money")
    data["moves"].insert(at, ["push N2", data["moves"][at][1], None])
    found = examine(json.dumps(data))
    assert [defect.ply for defect in found.defects] == [at + 1]
    assert found.state.scores is not None  # the game was played to its end all the same


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9])
def test_a_text_that_breaks_off_is_read_as_far_as_it_goes(share):
    text = json.dumps(game(4))
    found = examine(text[: int(len(text) * share)].encode())
    assert found.defects[0].message.startswith("not JSON")
    assert found.record is not None
    assert found.state.ply == len(found.record.moves) > 10


@pytest.mark.parametrize("key", ["format", "ruleset", "id", "name", "options", "players", "moves", "digests", "result"])
def test_a_missing_part_is_named_and_done_without(key):
    data = game(3)
    del data[key]
    found = examine(json.dumps(data))
    assert found.defects
    assert any(key in defect.message for defect in found.defects)
    assert found.record is not None


def test_check_and_check_all_agree(vectors):
    for item in texts([GAMES]):
        assert check(item) == check_all(item)
