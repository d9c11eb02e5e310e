"""`diff`: two records, and one corpus under two checkouts of the engine."""

from __future__ import annotations

import json
import shutil

import pytest

from replays import difference
from server.engine import record
from tests.replays.conftest import GAMES, ROOT, game, good, ulm_replay


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(name="other"),
        lambda data: data["players"][0].update(name="other"),
        lambda data: data["moves"][4].__setitem__(2, None),
    ],
)
def test_the_same_game(change, save):
    data = game(1)
    change(data)
    assert good("diff", GAMES / "vector-01.ulm.json", save(data)) == "the same game, 189 plies\n"


def test_another_move_is_named(save):
    data = game(1)
    data["moves"][7][0] = "push N2"
    out = good("diff", GAMES / "vector-01.ulm.json", save(data), code=1)
    assert out == "ply 8: push S1 by seat 0 | push N2 by seat 0\n"


def test_another_digest_shows_the_positions(save):
    data = game(1)
    data["digests"]["30"] = "0" * 16
    out = good("diff", GAMES / "vector-01.ulm.json", save(data), code=1)
    assert out.startswith("ply 30: the digests differ: ")


def test_a_shorter_game_another_seed_another_result(save):
    data = game(1)
    data["moves"] = data["moves"][:100]
    data["digests"] = {ply: digest for ply, digest in data["digests"].items() if int(ply) <= 100}
    data["result"] = None
    assert good("diff", GAMES / "vector-01.ulm.json", save(data), code=1).startswith("ply 101: one goes on, 189 | 100")
    assert "set up differently" in good("diff", GAMES / "vector-01.ulm.json", GAMES / "vector-02.ulm.json", code=1)
    data = game(1)
    data["result"]["winners"] = []
    assert good("diff", GAMES / "vector-01.ulm.json", save(data), code=1).startswith("the results differ")


def test_positions_part_by_part(vectors):
    one, other = vectors[0], record.loads(json.dumps(game(1)))
    assert difference.positions(one, other, 50) == []
    found = list(difference.parts({"a": [1, 2], "b": {"c": True}, "d": 1}, {"a": [1, 3], "b": {"c": 1}}))
    assert found == ["a[1]: 2 | 3", "b.c: true | 1", "d: 1 | null"]


@pytest.fixture
def checkout(tmp_path):
    """Another checkout, whose engine a test may change: the sources alone."""
    ignored = shutil.ignore_patterns("*.so")
    shutil.copytree(ROOT / "server" / "engine", tmp_path / "other" / "server" / "engine", ignore=ignored)
    (tmp_path / "other" / "server" / "__init__.py").touch()
    return tmp_path / "other"


def change(checkout, module: str, old: str, new: str) -> None:
    path = checkout / "server" / "engine" / "ulm1" / module
    source = path.read_text("utf-8")
    assert old in source
    path.write_text(source.replace(old, new), "utf-8")


def test_two_checkouts_that_agree(checkout):
    out = good("diff", "--engines", ROOT, checkout, GAMES)
    assert out.startswith("12 records, 2319 plies, 0 differ; ")
    assert out.count("plies/s") == 2


def test_a_rule_that_changed_is_found_with_ply_and_part(checkout):
    change(
        checkout,
        "tables.py",
        "FIRST_COINS: Final = 2",
        "FIRST_COINS: Final = 3",
    )
    out = good("diff", "--engines", ROOT, checkout, GAMES / "vector-02.ulm.json", code=1)
    assert "ply 0: the states differ" in out
    assert "players[0].coins: 2 | 3" in out


def test_a_rule_that_only_some_games_meet(checkout):
    change(checkout, "tables.py", "GUARD_VP: Final = 2", "GUARD_VP: Final = 3")
    result = ulm_replay("diff", "--json", "--engines", ROOT, checkout, GAMES)
    lines = [json.loads(line) for line in result.stdout.decode().splitlines()]
    assert len(lines) == 12
    assert any(line["differences"] for line in lines)
    assert not all(line["differences"] for line in lines)
    assert result.returncode == 1


def test_an_engine_that_raises_or_dies(checkout, tmp_path):
    change(checkout, "danube.py", "player.barge = space\n", "raise ZeroDivisionError('engine broken')\n")
    assert "fine | engine broken" in good("diff", "--engines", ROOT, checkout, GAMES / "vector-02.ulm.json", code=1)
    change(checkout, "../record.py", "import json\n", "import json, os\nos._exit(3)\n")
    result = ulm_replay("diff", "--engines", ROOT, checkout, GAMES)
    assert result.returncode == 2
    assert b"ended without an answer" in result.stderr or b"does not run" in result.stderr
    result = ulm_replay("diff", "--engines", ROOT, tmp_path / "nowhere", GAMES)
    assert result.returncode == 2
    assert b"no checkout of this project" in result.stderr
