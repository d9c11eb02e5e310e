"""Hostile and damaged records: they never crash a reader, never hang it, and never pass."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
import zlib
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from replays.checking import Finding, check
from replays.commands import COMMANDS
from replays.files import Item, Source
from server.engine import record
from server.engine.errors import RecordError
from tests.replays.conftest import ROOT, VECTORS, game, ulm_replay

TEXTS = {path.stem: path.read_bytes() for path in VECTORS}
SMALL = TEXTS["vector-09.ulm"]
SECONDS = 10.0  # of this process's CPU, so that a busy machine changes nothing; what hangs takes for ever


def finding(text: bytes) -> Finding:
    """What is found, which may not take long."""
    begun = time.process_time()
    found = check(Item(Source("fuzz"), text))
    assert time.process_time() - begun < SECONDS
    return found


def same_game(text: bytes) -> bool:
    """Whether a text holds the same game as the one it was made from: only names, times, ids or unknown keys differ."""
    original = record.loads(SMALL)
    try:
        other = record.loads(text)
    except RecordError:
        return False
    bare = [
        replace(
            one, id="", name="", players=[], extra={}, seed_extra={}, digests={}, moves=[move[:2] for move in one.moves]
        )
        for one in (original, other)
    ]
    return bare[0] == bare[1]


@pytest.mark.parametrize("seed", range(150))
def test_bit_flips(seed):
    rng = random.Random(seed)
    data = bytearray(SMALL)
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    found = finding(bytes(data))
    assert found.message or same_game(bytes(data))


@pytest.mark.parametrize("seed", range(40))
def test_truncation(seed):
    rng = random.Random(seed)
    assert finding(SMALL.rstrip()[: rng.randrange(len(SMALL) - 2)]).message


@pytest.mark.parametrize("seed", range(60))
def test_swapped_dropped_doubled_and_exchanged_moves(seed):
    rng = random.Random(seed)
    data = json.loads(SMALL)
    moves = data["moves"]
    one, other = rng.sample(range(len(moves)), 2)
    while moves[one][:2] == moves[other][:2]:
        other = rng.randrange(len(moves))
    what = seed % 4
    if what == 0:
        moves[one], moves[other] = moves[other], moves[one]
    elif what == 1:
        del moves[one]
    elif what == 2:
        moves.insert(one, moves[one])
    else:
        moves[one][1] = (moves[one][1] + 1) % len(data["players"])
    assert finding(json.dumps(data).encode()).message


PATHS = [
    ("format",),
    ("ruleset",),
    ("id",),
    ("name",),
    ("options",),
    ("options", "tower"),
    ("players",),
    ("players", 0),
    ("players", 0, "name"),
    ("seed",),
    ("seed", "server"),
    ("seed", "clients"),
    ("seed", "clients", 0),
    ("seed", "commitment"),
    ("moves",),
    ("moves", 3),
    ("moves", 3, 0),
    ("moves", 3, 1),
    ("moves", 3, 2),
    ("digests",),
    ("digests", "0"),
    ("result",),
    ("result", "scores"),
    ("result", "scores", 0, "total"),
    ("result", "winners"),
]
VALUES = [
    None,
    True,
    0,
    -1,
    1.0,
    1e300,
    10**4000,
    "",
    "x",
    "\x00",
    "\ud800",
    "é" * 100,
    [],
    {},
    [[]],
    [None] * 3,
    {"": ""},
    "9" * 10_000,
]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: ".".join(map(str, path)))
def test_wrong_types_and_huge_numbers_everywhere(path):
    for value in VALUES:
        data = json.loads(SMALL)
        inner = data
        for key in path[:-1]:
            inner = inner[key]
        before = inner[path[-1]]
        inner[path[-1]] = value
        text = json.dumps(data).encode()
        found = finding(text)
        harmless = path in (("id",), ("name",), ("players", 0, "name"), ("moves", 3, 2))
        if not found.message:
            assert harmless or (before == value and type(before) is type(value)), (path, value)


@pytest.mark.parametrize("text", [
    b"", b" ", b"\x00", b"null", b"[]", b"{}", b'"x"', b"\xff\xfe", b"{" * 50_000, b"[" * 500_000, b'{"a":' * 50_000,
    b"1" * 100_000, b"-" * 1000, b"NaN", b"1e999999", b'{"format":"ulm-record/1","format":"ulm-record/1"}',
    b'"' + b"\\" * 99_999, b"[" + b"1," * 200_000 + b"1]", b"\xef\xbb\xbf{}", b'{"format":"ulm-sandbox/1"}',
    b'{"format":"ulm-sandbox/1","position":' + b"[" * 50_000,
], ids=lambda text: repr(text[:12]))  # fmt: skip
def test_texts_that_are_no_record(text):
    assert finding(text).message


@pytest.mark.parametrize("where", ["top", "seed", "player", "result"])
@pytest.mark.parametrize("depth", [50, 900, 20_000])
def test_deep_nesting_in_unknown_keys(where, depth):
    deep = b'{"a":' * depth + b"1" + b"}" * depth
    text = {
        "top": SMALL.replace(b'"format"', b'"x":' + deep + b',"format"', 1),
        "seed": SMALL.replace(b'"server"', b'"x":' + deep + b',"server"', 1),
        "player": SMALL.replace(b'{"name"', b'{"x":' + deep + b',"name"', 1),
        "result": SMALL.replace(b'"winners"', b'"x":' + deep + b',"winners"', 1),
    }[where]
    assert finding(text).message


def test_a_long_log_of_nonsense_is_over_soon():
    data = game(9)
    data["moves"] = [["push N1", 0, None]] * 80_000
    assert finding(json.dumps(data).encode()).message
    data["moves"] = [["pvsh N1 pvsh N1 pvsh N1 pvsh N1", 0, None]] * 3_000  # each looked up for what it may have meant
    assert finding(json.dumps(data).encode()).message


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=15,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(path=st.sampled_from(PATHS), value=anything)
def test_anything_anywhere(path, value):
    data = json.loads(SMALL)
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    finding(json.dumps(data).encode("utf-8", "surrogatepass"))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes(data):
    assert finding(data).message


def test_whatever_is_read_can_be_written():
    """An accepted record survives dumps and loads, lone surrogates and unknown keys included."""
    data = game(9) | {"x": [[["\ud800"]]], "name": "\ud800", "id": "a\u0000b"}
    one = record.loads(json.dumps(data))
    assert record.loads(record.dumps(one)) == one


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
@pytest.mark.parametrize(
    "text",
    [b"{" * 50_000, SMALL[:3000], SMALL.replace(b'"draw"', b'"dr\x1b[31maw"', 3)],
    ids=["deep", "cut off", "illegal"],
)
def test_every_command_refuses_in_words(command, text, tmp_path):
    path = tmp_path / "bad.ulm.json"
    path.write_bytes(text)
    result = ulm_replay(command, path, timeout=30)
    said = result.stdout + result.stderr
    if command == "audit" and b"\x1b" in text:  # looks at the set-up alone, which is good
        return
    assert b"Traceback" not in said
    assert result.returncode in (1, 2), said
    assert b"\x1b" not in said
    assert said


LITTLE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from replays.cli import main
sys.exit(main())
"""


def bomb() -> bytes:
    """Four gigabytes of zeros, packed."""
    block = bytes(1 << 20)
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2)]
    return parts[0] + parts[1] * 4095  # after a full flush every block is packed alike


def test_a_bomb_on_the_command_line(tmp_path):
    """Four gigabytes in a few megabytes at most are refused by a process that may use one."""
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(bomb())
    assert path.stat().st_size < 8 << 20
    result = subprocess.run(
        [sys.executable, "-c", LITTLE, "check", str(path)], cwd=ROOT, capture_output=True, timeout=120, check=False
    )
    assert result.returncode == 1, result.stderr
    assert b"bomb" in result.stdout
    assert b"Traceback" not in result.stderr
