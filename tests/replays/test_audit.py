"""The audit file, run as a distrustful player runs it: copied elsewhere, with nothing of this project beside it."""

import ast
import hashlib
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from replays import audit
from replays.cli import main
from server.engine import rulesets
from server.engine.seeds import commitment, game_seed
from tests.replays.conftest import OF_EACH_RULESET, ROOT, game

AUDIT = ROOT / "replays" / "audit.py"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A directory with the audit file alone, under another name."""
    shutil.copy(AUDIT, tmp_path / "check_my_game.py")
    return tmp_path


def run(directory: Path, path: Path) -> subprocess.CompletedProcess[str]:
    """`-I -S`: no site packages, no environment, so the engine cannot be imported."""
    nothing = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "import server.engine"], cwd=directory, capture_output=True, check=False
    )
    assert nothing.returncode != 0
    return subprocess.run(
        [sys.executable, "-I", "-S", "check_my_game.py", path],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("path", OF_EACH_RULESET, ids=str)
def test_every_vector_game(path, elsewhere):
    result = run(elsewhere, path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.endswith("The setup is the one that was promised.\n")


def test_every_vector_setup():
    found = json.loads((ROOT / "tests" / "vectors" / "setups.json").read_text("utf-8"))
    for entry in found["setups"]:
        state = audit.setup(bytes.fromhex(entry["seed"]), entry["players"], entry["options"])
        assert (audit.digest(state), state["chance"]) == (entry["digest"], entry["chance"])
        assert "state" not in entry or state == entry["state"]


@pytest.mark.parametrize("base", rulesets.built_in())
@pytest.mark.parametrize("own", [False, True])
def test_a_first_round_of_free_seal(base, own):
    """rules.md R2: in one ruleset the credit is there at ply 0; the name of an own box does not say of which it is."""
    rules = rulesets.rules_for(base)
    rules = replace(rules, name="ulm-box/1-0123abcd") if own else rules
    seeds = (bytes([number]) * 32 for number in range(256))
    server = next(
        one for one in seeds if rules.new_game(game_seed(one, ["", ""]), 2, {"tower": True}).tower_tile == "free_seal"
    )
    state = rules.new_game(game_seed(server, ["", ""]), 2, {"tower": True})
    made = {
        "ruleset": rules.name, "players": [{}, {}], "options": state.to_dict()["options"],
        "seed": {"server": server.hex(), "clients": ["", ""], "commitment": commitment(server)},
        "digests": {"0": state.digest()},
    }  # fmt: skip
    assert audit.audit(made)[1]


def test_another_secret_is_found_out(elsewhere, save):
    data = game(1)
    data["seed"]["server"] = "00" * 32
    result = run(elsewhere, save(data))
    assert result.returncode == 1
    assert "ANOTHER: the secret was changed" in result.stdout
    data["seed"]["commitment"] = hashlib.sha256(bytes(32)).hexdigest()
    result = run(elsewhere, save(data))
    assert result.returncode == 1
    assert "ANOTHER: not the setup of this seed" in result.stdout


def test_of_many_records_each_has_its_verdict(tmp_path, capsys):
    promised, other = game(1), game(2)
    other["seed"]["commitment"] = "0" * 64
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in (promised, other, {})))
    assert main(["audit", str(path)]) == 1
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == f"{path}:1: The setup is the one that was promised."
    assert second == f"{path}:2: THE SETUP IS NOT THE ONE THAT WAS PROMISED."
    assert third.startswith(f"{path}:3: not a record that can be audited: ")


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "[" * 100_000, '{"ruleset": "ulm/1", "seed": 3}', "\udcff"])
def test_what_is_no_record(text, elsewhere, tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    result = run(elsewhere, path)
    assert (result.returncode, result.stderr) == (2, "")


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data["seed"]["clients"].__setitem__(0, "a\0b"),
        lambda data: data["seed"].update(commitment="\x1b[2J"),
        lambda data: data["digests"].update({"0": "\x1b[2J"}),
        lambda data: data["seed"]["clients"].append("x"),
        lambda data: data.update(ruleset="ulm/0"),
        lambda data: data["seed"].update(server="00"),
    ],
)
def test_records_that_try_something(change, elsewhere, save):
    data = game(1)
    change(data)
    result = run(elsewhere, save(data))
    assert result.returncode == 2
    assert "\x1b" not in result.stdout


def test_it_is_short_and_stands_alone():
    source = AUDIT.read_text("utf-8")
    assert len(source.splitlines()) < 175
    nodes = list(ast.walk(ast.parse(source)))
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert imported == {"hashlib", "hmac", "json", "sys"}
    assert not any(isinstance(node, ast.ImportFrom) for node in nodes)
