"""The chart of the points and its tables."""

from __future__ import annotations

import re
from itertools import pairwise

from replays.score_chart import Round, score_chart
from server.service.archive import replay_lists
from server.service.seating.example_game import EXAMPLE_ID
from server.service.views import replay_viewer
from tests.routes.pages.conftest import Browser
from tests.routes.pages.replay.viewer import GAME


def test_the_chart_shows_every_change_and_every_round(example):
    watched = replay_viewer.watch(example, EXAMPLE_ID, 50, None, None)
    assert len(watched.log.vp) == watched.plies + 1
    assert len(watched.log.rounds) == 10
    assert watched.log.rounds[-1] == watched.plies
    rounds = [Round(last, f"Round {number}", f"?ply={last}") for number, last in enumerate(watched.log.rounds, 1)]
    totals = [score["total"] for score in watched.summary["result"]["scores"]]
    svg = score_chart(["A<b>", "B", "C"], watched.log.vp, totals, rounds, ply=50, title="T", description='"D"')
    assert svg.count('<a href="?ply=') == 10
    assert "A<b>" not in svg
    assert "&quot;D&quot;" in svg
    assert " style=" not in svg
    for seat in range(3):
        line = re.search(rf'<g class="seat-{seat}"><path class="vp" d="([^"]+)"', svg)[1]  # type: ignore[index]
        values = [row[seat] for row in watched.log.vp]
        assert line.count("V") == sum(one != other for one, other in pairwise(values))
    left, step = (float(re.search(rf'data-{name}="([\d.]+)"', svg)[1]) for name in ("left", "ply-width"))  # type: ignore[index]
    assert f'transform="translate({round(left + 50 * step, 1):g} 0)"' in svg


def test_tables_tell_the_same_as_the_chart(example, browser: Browser):
    text = browser.open(GAME).text
    scores = replay_lists.summary(example, EXAMPLE_ID)["result"]["scores"]
    assert "<td>\u22122</td>" in re.findall(r'<tr class="of-barge">(.*?)</tr>', text, re.DOTALL)[0], "a minus"
    [total] = re.findall(r'<tr class="of-total">(.*?)</tr>', text, re.DOTALL)
    assert re.findall(r"<td>(-?\d+)</td>", total) == [str(score["total"]) for score in scores]
    assert text.count("<tr>") >= 12  # ten rounds, the final scoring, heads
