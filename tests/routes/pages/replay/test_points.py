"""The chart of the points and its tables."""

import re

from server.service.archive import replay_lists
from server.service.seating.example_game import EXAMPLE_ID
from tests.routes.pages.replay.viewer import GAME


def test_tables_tell_the_same_as_the_chart(example, browser):
    text = browser.open(GAME).text
    scores = replay_lists.summary(example, EXAMPLE_ID)["result"]["scores"]
    assert "<td>\u22122</td>" in re.findall(r'<tr class="of-barge">(.*?)</tr>', text, re.DOTALL)[0], "a minus"
    [total] = re.findall(r'<tr class="of-total">(.*?)</tr>', text, re.DOTALL)
    assert re.findall(r"<td>(-?\d+)</td>", total) == [str(score["total"]) for score in scores]
    assert text.count("<tr>") >= 12  # ten rounds, the final scoring, heads
