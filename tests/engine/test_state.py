"""State and its JSON form (record.md §4): the circle, the digest, and what is no state."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from server.engine.canonical import canonical_json
from server.engine.ulm1.rules import RULES
from server.engine.ulm1.state import State
from tests.engine.battery import MORE, some_games
from tests.engine.positions import SEED, position

QUICK = settings(max_examples=100 * MORE, deadline=None, derandomize=MORE == 1)
STATE_KEYS = """ruleset options ply round phase start active chance grid outer docks bag pile discard coats coat_seals
                crests quarters descendants tower players turn pending scores""".split()
PLAYER_KEYS = "vp coins sparrows tiles seals crests barge descendants coats hand table played resigned".split()
TURN_KEYS = "tiles slot activated credits free_play swapped exchanged salvaged levy_paid patrician".split()
COLORS = {"gray", "white", "brown", "turquoise", "orange"}
STATES = [ply.after for game in some_games() for ply in game[::7]]


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


@QUICK
@given(st.sampled_from(STATES))
def test_the_circle(state: State) -> None:
    """from_dict(to_dict) and back through JSON text: nothing is lost, the digest is the same."""
    data = state.to_dict()
    text = canonical_json(data)
    again = RULES.state_from_dict(json.loads(text))
    assert again.to_dict() == data
    assert canonical_json(again.to_dict()) == text
    assert again.digest() == state.digest() == sha256(text.encode("ascii")).hexdigest()[:16]
    assert again.seed is None
    assert json.loads(text) == data


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


def paths(data: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path into a JSON value."""
    found = [at] if at else []
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        found += paths(value, (*at, key))
    return found


FULL = position(
    3,
    tower="free_seal",
    outer={"N1": "gray"},
    discard=["siege"],
    drawn="gray",
    phase="push",
    seats=[{"hand": ["nave-1"], "coats": ["N1"], "descendants": ["abbot"]}],
    pending=[{"kind": "choose", "offer": ["nave-2"]}, {"kind": "barge", "max": 2}],
).to_dict()
SPARSE = ("outer", "crests", "coat_seals")  # objects in which a missing key means none
