"""The stored games, here and in tests/golden: two hundred at least, of all kinds; they verify for ever."""

from __future__ import annotations

from collections import Counter

from replays import reading
from server.engine import record
from tests.replays.conftest import ROOT, good
from tests.replays.make_corpus import CORPUS, EACH, KINDS, play

GOLDEN = ROOT / "tests" / "golden"


def test_two_hundred_games_of_all_kinds():
    found = Counter()
    for _, one in reading.records([CORPUS, GOLDEN]):
        found[(len(one.players), tuple(sorted(one.options.items())))] += 1
    assert sum(found.values()) >= 200
    assert set(found) == {(players, tuple(sorted(options.items()))) for players, options in KINDS}
    assert min(found.values()) >= EACH


def test_they_verify():
    assert ", 0 defective; " in good("check", CORPUS, GOLDEN)


def test_seats_resign_in_some():
    games = [one for _, one in reading.records([CORPUS])]
    resigned = [one for one in games if any(entry.text == "resign" for entry in one.moves)]
    assert len(games) // 8 < len(resigned) < len(games) // 2


def test_how_they_are_made():
    assert record.verify(play(3)).scores is not None
    assert play(3) == play(3)
