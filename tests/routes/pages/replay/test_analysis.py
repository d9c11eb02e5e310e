"""The tab about luck and skill."""

import re

from server.service.archive import analyses, replay_lists, replays
from server.service.seating.example_game import EXAMPLE_ID
from tests import tables
from tests.routes.pages.replay.viewer import GAME, Page


def test_the_tab_about_luck_and_skill_needs_no_script(example, browser):
    """The example brings its analysis along: chances, sums, and the moves that decided, each a link to its ply."""
    plain = browser.open(f"{GAME}?ply=100").text
    assert Page(plain).with_("a", href="?ply=100&tab=analysis#tabs")
    assert 'id="analysis"' not in plain
    text = browser.open(f"{GAME}?ply=100&tab=analysis").text
    page = Page(text)
    found = analyses.required(example, EXAMPLE_ID, None)
    assert "moments" in found
    assert found["plies"][-1]["ply"] == replay_lists.summary(example, EXAMPLE_ID)["plies"]
    assert [seat["last"] for seat in found["seats"]] == [0, 1, 0]
    assert len(found["moments"]) == 5
    replay = replays.replay_at(example, EXAMPLE_ID, 0, None, None)
    for moment in found["moments"]:
        assert replay.record.moves[moment["ply"]].text == moment["move"], "the packed analysis is of another game"
        assert page.with_("a", href=f"?ply={moment['ply']}&tab=analysis")
        assert page.with_("a", href=f"?ply={moment['ply']}#go-on")
    assert len(page.with_("svg", aria_labelledby="chances-title chances-desc")) == 1
    assert len(page.with_("svg", aria_labelledby="chart-title chart-desc")) == 1
    added = re.findall(r'<div class="sum">.*?</dl>', text, re.S)
    assert len(added) == 3
    for one in added:
        numbers = [int(number.replace("−", "-")) for number in re.findall(r"<dd>([+−]?\d+)", one)]
        assert len(numbers) == 6
        assert sum(numbers[:-1]) == numbers[-1]
    assert "Played:" in text
    assert "Better:" in text
    assert "Gespielt:" in browser.client.get(f"{GAME}?tab=analysis", headers={"Accept-Language": "de"}).text
    assert "chances-title" not in browser.open(f"/embed/{EXAMPLE_ID}?tab=analysis").text


def test_who_wishes_an_analysis_presses_a_button(example, browser):
    """Then the tab says how far it is."""
    with example.write():
        tables.Analysis.delete().execute()
    wished = browser.open(f"{GAME}?ply=3&tab=analysis").text
    assert "That takes about 35 seconds" in wished
    assert 'http-equiv="refresh"' not in wished
    text = browser.press(browser.button("Analyse this game")).text
    with example.read():
        assert tables.Analysis.get().wanted_at is not None
    assert "This game is waiting to be analysed" in text
    assert "About 35 seconds more" in text
    with example.write():
        tables.Analysis.update(lease_owner="a job", done=120).execute()
    shown = browser.open(f"{GAME}?ply=3&tab=analysis").text
    assert "120 of 197 moves are done" in shown
    assert "About 15 seconds more" in shown
    # It is loaded again where no script does it, by itself or by a press, and stays where it is.
    assert '<noscript><meta http-equiv="refresh"' in shown
    assert Page(shown).with_("a", href=f"{GAME}?ply=3&tab=analysis", autofocus=None)
    with example.write():
        tables.Analysis.update(failures=9).execute()
    assert "could not be analysed" in browser.open(f"{GAME}?tab=analysis").text
