"""The parts of a score as bars."""

import re

from server.routes.pages.shared import score_parts


def score(**parts):
    points = dict.fromkeys(score_parts.PARTS, 0) | parts
    total = sum(points.values())
    cards = {"patrician": points.pop("chronicle")}
    return {**points, "chronicle": cards, "total": total, "quarters": 0, "rank": 1}


def boxes(bar):
    return {part: (int(x), int(wide)) for part, x, wide in re.findall(r'of-(\w+)" x="(\d+)" width="(\d+)"', bar)}


def test_what_counts_against_a_player_lies_left_of_nothing_at_one_scale():
    one, two = map(str, score_parts.bars([score(vp=12, barge=-5, trade=3), score(vp=8, sparrows=2, barge=4)]))
    # Nothing is 50 from the left in both, and a point is 10 wide.
    assert boxes(one) == {"vp": (50, 120), "barge": (0, 50), "trade": (170, 30)}
    assert boxes(two) == {"vp": (50, 80), "sparrows": (130, 20), "barge": (150, 40)}
    assert all('viewBox="0 0 200 26"' in bar and "M50 0v" in bar for bar in (one, two))
