"""The vectors of tests/vectors: chance, setups and whole games made by another implementation of the same text."""

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from server.engine import chance, record
from server.engine.canonical import canonical_json
from server.engine.seeds import commitment, game_seed
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.rules import RULES
from server.engine.ulm1.tables import COLORS
from server.engine.ulm2 import RULES as ULM2

VECTORS = Path(__file__).parent.parent / "vectors"
CHANCE = json.loads((VECTORS / "chance.json").read_text(encoding="utf-8"))
SETUPS = json.loads((VECTORS / "setups.json").read_text(encoding="utf-8"))
GAMES = sorted(VECTORS.rglob("*.ulm.json"))


def read(path: Path) -> dict[str, Any]:
    """The record in a file as plain JSON."""
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", CHANCE, ids=lambda entry: entry["seed"][:8])
def test_chance(entry: dict[str, Any]) -> None:
    """record.md §1: u64, below, shuffle and draw_tile, and where each leaves the counter."""
    assert set(entry) == {"seed", "u64", "u64_at", "below", "shuffle", "draw_tile"}
    seed = bytes.fromhex(entry["seed"])
    assert [str(chance.u64(seed, counter)) for counter in range(10)] == entry["u64"]
    for case in entry["u64_at"]:
        assert chance.u64(seed, int(case["counter"])) == int(case["result"])
    for case in entry["below"]:
        counter, results = case["first_counter"], []
        for _ in case["results"]:
            result, counter = chance.below(seed, counter, int(case["n"]))
            results.append(str(result))
        assert (results, counter) == (case["results"], case["counter"])
    for case in entry["shuffle"]:
        assert chance.shuffle(seed, case["first_counter"], range(case["size"])) == (case["result"], case["counter"])
    for case in entry["draw_tile"]:
        left = [case["bag"][color] for color in COLORS]
        counter, results = case["first_counter"], []
        while any(left):
            color, counter = chance.draw_color(seed, counter, left)
            left[color] -= 1
            results.append(COLORS[color])
        assert (results, counter) == (case["results"], case["counter"])


def test_setups() -> None:
    """record.md §1, §4: the counter and the digest of ply 0 for seeds, players and options; some whole states."""
    assert len(SETUPS["setups"]) == 12 * 3 * 4
    whole = 0
    for case in SETUPS["setups"]:
        state = RULES.new_game(bytes.fromhex(case["seed"]), case["players"], case["options"])
        assert (state.chance, state.digest()) == (case["chance"], case["digest"])
        if "state" in case:
            whole += 1
            assert state.to_dict() == case["state"]
            assert RULES.state_from_dict(case["state"]).to_dict() == case["state"]
    assert whole > 0


def test_seeds() -> None:
    """record.md §1: commitment and seed from the server's secret and the players' texts."""
    for case in SETUPS["seeds"]:
        server = bytes.fromhex(case["server"])
        assert commitment(server) == case["commitment"]
        seed = game_seed(server, case["clients"])
        assert seed.hex() == case["seed"]
        assert RULES.new_game(seed, len(case["clients"]), {"tower": True}).digest() == case["digest"]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.relative_to(VECTORS).as_posix())
def test_games(path: Path) -> None:
    """record.md §5: every digest at every ply, the result, and the file reads and writes back equal."""
    data = read(path)
    game = record.loads(path.read_text(encoding="utf-8"))
    assert set(data["digests"]) == {str(ply) for ply in range(len(data["moves"]) + 1)}
    for step in record.replay(game):
        assert step.state.digest() == data["digests"][str(step.state.ply)]
    last = record.verify(game)
    assert record.result_of(last) == data["result"]
    assert record.from_dict(data).to_dict() == data
    assert json.loads(record.dumps(game)) == data
    assert canonical_json(game.to_dict()) == canonical_json(data)


def test_no_game_is_missing() -> None:
    assert Counter(read(path)["ruleset"] for path in GAMES) == {"ulm/1": 12, "ulm/2": 6}


@pytest.mark.parametrize("path", sorted(VECTORS.rglob("*.legal.json")), ids=lambda path: path.name)
def test_legal_moves_of_games_of_ulm_2(path: Path) -> None:
    """R1: what may be moved at every ply, in any order."""
    game = path.with_name(path.name.replace(".legal.", ".ulm."))
    states = [step.state for step in record.replay(record.loads(game.read_text(encoding="utf-8")))]
    legal = [sorted(map(format_move, ULM2.legal_moves(state))) for state in states]
    assert legal == [sorted(texts) for texts in read(path)]


@pytest.mark.parametrize("path", GAMES[:3], ids=lambda path: path.name[:9])
def test_a_record_is_completed_as_it_was(path: Path) -> None:
    """From the log alone come the same digests and result; without `every_digest` they stand where rounds begin."""
    data = read(path)
    game = record.from_dict(data)
    bare = replace(game, digests={}, result=None)
    assert record.completed(bare, every_digest=True) == game
    sparse = record.completed(bare)
    states = [step.state for step in record.replay(game)]
    starts = {state.ply for before, state in pairwise(states) if state.round != before.round}
    assert set(sparse.digests) == {0, len(data["moves"]), *starts}
    assert record.verify(sparse).digest() == data["digests"][str(len(data["moves"]))]
