"""State and its JSON form (record.md §4): the circle, the digest, and what is no state."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.engine.canonical import canonical_json
from server.engine.errors import InvalidStateError
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


def test_the_keys_of_record_md() -> None:
    """record.md §4: exactly these keys, every {colour: count} with all five."""
    for state in STATES:
        data = state.to_dict()
        assert set(data) == set(STATE_KEYS)
        assert set(data["turn"]) == set(TURN_KEYS)
        assert set(data["turn"]["credits"]) == {"card", "seal", "seal_at_1", "step"}
        assert set(data["docks"]) == set(data["bag"]) == set(data["turn"]["activated"]) == COLORS
        assert len(data["quarters"]) == 8
        assert len(data["tower"]) == 10
        for player in data["players"]:
            assert set(player) == set(PLAYER_KEYS)
            assert set(player["tiles"]) == COLORS


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


@pytest.mark.parametrize(
    "path",
    [p for p in paths(FULL) if isinstance(p[-1], str) and p[0] not in SPARSE],
    ids=lambda path: ".".join(map(str, path)),
)
def test_a_missing_key_is_no_state(path: tuple[Any, ...]) -> None:
    """Each key of record.md §4 must be there."""
    data = copy.deepcopy(FULL)
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    with pytest.raises(InvalidStateError):
        RULES.state_from_dict(data)


@QUICK
@given(st.sampled_from(paths(FULL)), st.sampled_from([None, True, -1, 10**30, 1.5, "x", "", [], {}, [[]], {"a": 1}]))
def test_junk_is_refused_or_read_but_never_crashes(path: tuple[Any, ...], junk: Any) -> None:
    """Only `InvalidStateError` comes out of junk."""
    data = copy.deepcopy(FULL)
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = junk
    with suppress(InvalidStateError):
        RULES.state_from_dict(data)


@pytest.mark.parametrize("junk", [None, 1, "x", [], {}, {"ruleset": "ulm/0"}, {"ruleset": "ulm/1"}])
def test_what_is_no_state_at_all(junk: Any) -> None:
    """Neither other types nor another ruleset."""
    with pytest.raises(InvalidStateError):
        RULES.state_from_dict(junk)


def test_unknown_names_are_refused() -> None:
    """Colours and slots that do not exist."""
    for key, value in (("grid", [["gray"] * 3, ["gray"] * 3, ["gray", "gray", "pink"]]), ("outer", {"N1": "pink"})):
        with pytest.raises(InvalidStateError):
            RULES.state_from_dict(FULL | {key: value})


def test_copies_go_their_own_way() -> None:
    """A copy played on leaves its original alone, and draws what the original would have drawn."""
    rng = Random(5)
    for game in some_games()[:6]:
        ply = rng.choice(game)
        twin = ply.before.copy()
        assert twin is not ply.before
        assert twin.to_dict() == ply.before.to_dict()
        for mine, other in zip(twin.players, ply.before.players, strict=True):
            assert mine is not other
            assert mine.tiles is not other.tiles
        assert twin.turn is not ply.before.turn
        assert twin.docks is not ply.before.docks
        assert twin.bag is not ply.before.bag
