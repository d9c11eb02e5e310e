"""Damaged records: whatever was changed, a reader refuses with a ply, or what it accepts says the same game."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.engine import record
from server.engine.errors import RecordError
from server.engine.record import Record
from server.engine.ulm2 import RULES
from tests.engine.battery import MORE
from tests.engine.test_record import LAST, SHORT

QUICK = settings(max_examples=120 * MORE, deadline=None, derandomize=MORE == 1)


def paths(data: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path into a JSON value."""
    found = [at] if at else []
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        found += paths(value, (*at, key))
    return found


DATA = SHORT.to_dict()
TEXT = record.dumps(SHORT)
PATHS = paths(DATA)
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(10**400),
    st.floats(allow_nan=True),
    st.text(max_size=8),
    st.sampled_from(["ulm/1", "draw", "end", "0" * 16, "0" * 64, "\0", "\ud800", [], {}, [[]], -0.0, 1.0]),
    st.lists(st.integers(0, 3), max_size=4),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=3),
)
FINITE = st.floats(allow_nan=False, allow_infinity=False)


def same_game(found: Record) -> bool:
    """Whether a record tells the game of `SHORT`; names, times, ids and unknown keys may differ."""

    def told(of: Record) -> Any:
        return (
            of.options, len(of.players), of.server_seed, of.client_seeds, [(m.text, m.seat) for m in of.moves],
            of.result, [type(seat) for seat in (of.result or {}).get("winners", [])],
        )  # fmt: skip

    return told(found) == told(SHORT) and set(found.digests.items()) <= set(SHORT.digests.items())


def read(data: Any) -> Record | None:
    """Read and verify data or text: the record, or None when it was refused properly."""
    try:
        found = record.loads(data) if isinstance(data, str | bytes) else record.from_dict(data)
        record.verify(found)
    except RecordError as error:
        assert 0 <= error.ply <= LAST + 1, "it names a ply"  # noqa: PT017
        assert len(str(error)) < 2000, "it does not quote the whole file"  # noqa: PT017
        return None
    return found


def at(data: Any, path: tuple[Any, ...]) -> Any:
    """What lies at `path`."""
    for key in path:
        data = data[key]
    return data


@QUICK
@given(st.sampled_from(PATHS), JUNK)
def test_anything_replaced_by_anything(path: tuple[Any, ...], junk: Any) -> None:
    """A value anywhere in the file replaced by something else."""
    data = copy.deepcopy(DATA)
    at(data, path[:-1])[path[-1]] = junk
    found = read(data)
    assert found is None or same_game(found)


@QUICK
@given(st.sampled_from(PATHS))
def test_anything_left_out(path: tuple[Any, ...]) -> None:
    """A value anywhere in the file left out."""
    data = copy.deepcopy(DATA)
    del at(data, path[:-1])[path[-1]]
    found = read(data)
    assert found is None or same_game(found)


@QUICK
@given(st.integers(0, LAST - 1), st.integers(0, LAST - 1))
def test_moves_swapped(one: int, other: int) -> None:
    """Two moves of the log exchanged."""
    data = copy.deepcopy(DATA)
    moves = data["moves"]
    moves[one], moves[other] = moves[other], moves[one]
    found = read(data)
    assert found is None or same_game(found)


@QUICK
@given(st.integers(0, LAST - 1), st.sampled_from(sorted(RULES.notation.moves)), st.booleans())
def test_moves_changed_or_put_in(ply: int, text: str, instead: bool) -> None:
    """A move of the notation instead of another, or between two."""
    data = copy.deepcopy(DATA)
    seat = data["moves"][ply][1]
    data["moves"][ply : ply + instead] = [[text, seat, None]]
    found = read(data)
    assert found is None or same_game(found)


@QUICK
@given(st.integers(0, len(TEXT.encode()) - 1), st.integers(0, 7))
def test_a_bit_flipped(place: int, bit: int) -> None:
    """One bit of the file flipped: refused, or only a name, a time or an unknown key has changed."""
    raw = bytearray(TEXT.encode())
    raw[place] ^= 1 << bit
    found = read(bytes(raw))
    assert found is None or same_game(found)


@QUICK
@given(st.integers(0, len(TEXT) - 1), st.integers(0, 60))
def test_cut_off_or_with_a_piece_missing(place: int, length: int) -> None:
    """A file that ends early, or lacks a piece in its middle."""
    assert read(TEXT[:place]) is None
    found = read(TEXT[:place] + TEXT[place + length :])
    assert found is None or same_game(found)


@QUICK
@given(st.text() | st.binary())
def test_arbitrary_text(text: str | bytes) -> None:
    """Whatever is not a record is refused."""
    assert read(text) is None


@pytest.mark.parametrize("depth", [50, 300, 480, 900, 5_000, 100_000])
@pytest.mark.parametrize(
    "where", ["result", "scores", "extra", "moves", "digests", "players", "options", "alone", "objects"]
)
def test_deep_nesting(where: str, depth: int) -> None:
    """However deep a file is nested, it is refused or read, and written again."""
    deep = "[" * depth + "]" * depth
    if where == "objects":
        deep, where = '{"a":' * depth + "1" + "}" * depth, "scores"
    if where == "alone":
        assert read(deep) is None
        return
    data = copy.deepcopy(DATA)
    if where == "scores":
        data["result"]["scores"] = ["MARK"]
    else:
        data[where] = [{"name": "a", "x": "MARK"}] * 2 if where == "players" else "MARK"
    found = read(json.dumps(data).replace('"MARK"', deep))
    assert found is None or (same_game(found) and where in ("extra", "players"))
    if found is not None:
        assert record.loads(record.dumps(found)) == found


@QUICK
@given(
    st.text(max_size=30),
    st.text(max_size=30),
    st.lists(st.text(max_size=10), min_size=2, max_size=2),
    st.dictionaries(st.text(max_size=5), st.none() | st.integers() | st.text() | FINITE),
)
def test_dumps_and_loads_undo_each_other(game_id: str, name: str, players: list[str], extra: dict[str, Any]) -> None:
    """Any names and unknown keys come back as they were."""
    data = {**extra, **DATA, "id": game_id, "name": name, "players": [{"name": player} for player in players]}
    found = record.from_dict(data)
    assert record.loads(record.dumps(found)) == found
    assert found.to_dict() == data
    assert same_game(found)
