"""The stored games, here and in tests/golden: two hundred at least, of all kinds; they verify for ever."""

from collections import Counter
from itertools import product
from pathlib import Path

from replays import reading
from tests.replays.conftest import ROOT, good

CORPUS = Path(__file__).with_name("corpus.jsonl.gz")  # random games; what it holds is never made anew
GOLDEN = ROOT / "tests" / "golden"


def test_two_hundred_games_of_all_kinds():
    found, resigned = Counter(), 0
    for _, one in reading.records([CORPUS, GOLDEN]):
        resigned += any(entry.text == "resign" for entry in one.moves)
        found[(len(one.players), tuple(sorted(one.options.items())))] += 1
    assert sum(found.values()) >= 200
    kinds = product((2, 3, 4), (False, True), (False, True))
    assert set(found) == {(players, (("rotate_start", rotate), ("tower", tower))) for players, rotate, tower in kinds}
    assert min(found.values()) >= 10
    assert resigned > 10


def test_they_verify():
    assert ", 0 defective; " in good("check", CORPUS, GOLDEN)
