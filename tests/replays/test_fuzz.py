"""Hostile files: they never crash a command, never hang it, never pass. (Records: tests/engine/test_record_fuzz.py.)"""

import json
import subprocess
import sys
import time
import zlib

import pytest

from replays.checking import Finding, check
from replays.files import Item, Source
from tests.replays.conftest import ROOT, game

SECONDS = 10.0  # of this process's CPU, so that a busy machine changes nothing; what hangs takes for ever


def finding(text: bytes) -> Finding:
    """What is found, which may not take long."""
    begun = time.process_time()
    found = check(Item(Source("fuzz"), text))
    assert time.process_time() - begun < SECONDS
    return found


@pytest.mark.parametrize("text", [
    b"", b" ", b"\x00", b"null", b"[]", b"{}", b'"x"', b"\xff\xfe", b"{" * 50_000, b"[" * 500_000, b'{"a":' * 50_000,
    b"1" * 100_000, b"-" * 1000, b"NaN", b"1e999999", b'{"format":"ulm-record/1","format":"ulm-record/1"}',
    b'"' + b"\\" * 99_999, b"[" + b"1," * 200_000 + b"1]", b"\xef\xbb\xbf{}", b'{"format":"ulm-sandbox/1"}',
    b'{"format":"ulm-sandbox/1","position":' + b"[" * 50_000,
], ids=lambda text: repr(text[:12]))  # fmt: skip
def test_texts_that_are_no_record(text):
    assert finding(text).message


def test_a_long_log_of_nonsense_is_over_soon():
    data = game(9)
    data["moves"] = [["push N1", 0, None]] * 80_000
    assert finding(json.dumps(data).encode()).message
    data["moves"] = [["pvsh N1 pvsh N1 pvsh N1 pvsh N1", 0, None]] * 3_000  # each looked up for what it may have meant
    assert finding(json.dumps(data).encode()).message


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
