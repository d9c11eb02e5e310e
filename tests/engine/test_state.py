"""State and its JSON form (record.md §4): its canonical text, what stands in it and what does not."""

from __future__ import annotations

from typing import Any

from server.engine.canonical import canonical_json
from server.engine.ulm1.rules import RULES
from tests.engine.positions import SEED, position


def test_shapes_of_pending_choices() -> None:
    """record.md §4: offers, a maximum, or the kind alone; they read back."""
    choices: list[dict[str, Any]] = [
        {"kind": kind} for kind in ("descendant", "town_hall", "goose_tower", "tillage", "shipyard", "dock", "abbot")
    ]
    choices += [
        {"kind": "coat", "offer": ["N1", "E2"]},
        {"kind": "choose", "offer": ["siege"]},
        {"kind": "barge", "max": 3},
    ]
    assert position(pending=choices).to_dict()["pending"] == choices


def test_canonical_json() -> None:
    """record.md §4: keys sorted, no white space, ASCII."""
    text = canonical_json({"b": [1, True, None], "a": "ü\U0001f600"})
    assert text == '{"a":"\\u00fc\\ud83d\\ude00","b":[1,true,null]}'


def test_the_seed_is_no_part_of_the_state() -> None:
    """The seed is neither dumped nor digested, nor shown in the object's text."""
    state = RULES.new_game(SEED, 2, {})
    assert SEED.hex() not in canonical_json(state.to_dict())
    other = state.copy()
    other.seed = bytes(32)
    assert other.digest() == state.digest()
    assert SEED.hex() not in repr(state)
    assert repr(SEED) not in repr(state)


def test_a_dump_is_independent_of_the_state() -> None:
    """Changing the JSON form changes no state, nor another dump."""
    state = position(pending=[{"kind": "choose", "offer": ["siege"]}], outer={"N1": "gray"})
    data, clean = state.to_dict(), state.to_dict()
    for key in ("pile", "coats", "discard", "descendants", "tower"):
        data[key].append("x")
    data["players"][0]["hand"].append("x")
    data["pending"][0]["offer"].append("x")
    data["outer"]["N2"] = "gray"
    data["grid"][0][0] = "x"
    assert state.to_dict() == clean
