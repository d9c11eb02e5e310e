"""Logs packed into bytes: whatever a row can hold comes back, and what a version means never changes."""

from __future__ import annotations

import random
import zlib

import pytest

from server.storage import packed_log
from server.storage.packed_log import LoggedMove, UnreadableLogError

ROWS = [
    LoggedMove(41, 1, 1, "draw", "2026-11-21T09:30:00Z", True, None),
    LoggedMove(42, 2, 1, "push N1", "2026-11-21T09:30:00Z", False, "2026-11-21T09:31:00Z"),
    LoggedMove(57, 2, 1, "push S2", "2026-11-21T09:31:05Z", False, None),
    LoggedMove(1 << 40, 3, 0, "end", None, False, None),
]


def test_rows_come_back_as_they_were() -> None:
    assert packed_log.unpack(packed_log.VERSION, packed_log.pack(ROWS)) == ROWS
    assert packed_log.unpack(packed_log.VERSION, packed_log.pack([])) == []


def test_any_rows_come_back() -> None:
    rng = random.Random(3)
    times = [None, "2026-11-21T09:30:00Z", "2026-11-22T00:00:00Z", ""]
    for length in range(40):
        numbers = sorted(rng.sample(range(1000), length))
        rows = [
            LoggedMove(
                number, rng.randrange(9), rng.randrange(4), rng.choice(("push N1", "ü\n,", "")), rng.choice(times),
                rng.random() < 0.3, rng.choice(times),
            )
            for number in numbers
        ]  # fmt: skip
        assert packed_log.unpack(packed_log.VERSION, packed_log.pack(rows)) == rows


def test_version_1_is_read_for_ever() -> None:
    text = (
        '[[41,1,15,1099511627719],[1,1,0,1],[1,1,1,0],["draw","push N1","push S2","end"],'
        '["2026-11-21T09:30:00Z",0,"2026-11-21T09:31:05Z",null],[1,0,0,0],[null,"2026-11-21T09:31:00Z",null,0]]'
    )
    assert packed_log.unpack(1, zlib.compress(text.encode())) == ROWS


@pytest.mark.parametrize(
    ("version", "packed"),
    [
        (99, packed_log.pack(ROWS)),
        (1, b""),
        (1, packed_log.pack(ROWS)[:-1]),
        (1, packed_log.pack(ROWS)[:20] + b"\0" + packed_log.pack(ROWS)[21:]),
        (1, zlib.compress(b"[[1],[1],[0],[],[null],[0],[null]]")),
        (1, zlib.compress(b"{}")),
    ],
)
def test_what_cannot_be_read_is_refused(version: int, packed: bytes) -> None:
    with pytest.raises(UnreadableLogError):
        packed_log.unpack(version, packed)
