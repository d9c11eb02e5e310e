"""The way to a game's analysis, and how it comes while it is made."""

import pytest

from server.service.seating.example_game import EXAMPLE_ID
from server.storage import sql
from server.storage.times import utc
from tests.browser.replay.conftest import GAME, at, on_stage, ready
from tests.service.conftest import NOW


def test_what_leads_to_the_analysis_is_in_sight(open_page):
    page = ready(open_page(f"{GAME}?ply=20", width=1280))
    there = page.get_by_role("link", name="Analysis: luck or skill?")
    box = there.bounding_box()
    assert box["y"] + box["height"] < 800
    page.click('[data-step="on"]')
    at(page, 21)
    there.click()
    page.wait_for_url("**?ply=21&tab=analysis#tabs")
    assert page.locator("#analysis h2").first.bounding_box()["y"] < 800


@pytest.fixture
def unfinished(site):
    """A function that says how many plies of the analysis are done, None: all; it is there again after the test."""
    store = site.store
    with store.read():
        version, data = sql.row(store, "SELECT version, data FROM analysis WHERE game_id = ?", EXAMPLE_ID)

    def done(plies):
        kept = (version, data) if plies is None else (None, None)
        wanted, owner = (None, None) if plies is None else (utc(NOW), "a test")
        with store.write():
            sql.execute(store, "UPDATE analysis SET version = ?, data = ?, wanted_at = ?, lease_owner = ?, done = ?"
                        " WHERE game_id = ?", *kept, wanted, owner, plies or 0, EXAMPLE_ID)  # fmt: skip

    yield done
    done(None)


def test_an_analysis_that_is_made_comes_by_itself(open_page, unfinished, axe):
    unfinished(50)
    page = ready(open_page(f"{GAME}?ply=20&tab=analysis#tabs", width=390))
    page.get_by_text("50 of 197 moves are done").wait_for()
    assert page.get_by_text("seconds more").is_visible()
    axe(page)
    top = page.evaluate("scrollY")
    assert top > 1000
    unfinished(90)
    page.get_by_text("90 of 197 moves are done").wait_for()
    assert page.evaluate("scrollY") == top
    unfinished(None)
    page.locator("#chances-title").wait_for(state="attached")
    assert page.locator("#said").text_content() == "The analysis is ready."
    assert page.evaluate("scrollY") == top
    page.locator(".moment a").first.click()
    on_stage(page, 1)


def test_an_analysis_that_is_made_comes_without_a_script_too(open_page, unfinished):
    unfinished(50)
    page = open_page(f"{GAME}?ply=20&tab=analysis#tabs", width=390, javascript=False)
    assert page.evaluate("scrollY") > 1000
    place = page.locator("#tabs")  # what is asked of the page itself fails while it loads itself anew
    before = place.bounding_box()["y"]
    unfinished(90)
    page.get_by_text("90 of 197 moves are done").wait_for()
    # The browser goes back to where the reader was when it has laid out the page, or to its end as far as it has that:
    # a line above, for who was at the end.
    near = pytest.approx(before, abs=60)
    for _ in range(100):
        if place.bounding_box()["y"] == near:
            break
        page.wait_for_timeout(100)
    assert place.bounding_box()["y"] == near
    for count in (120, 130, 140):
        unfinished(count)
        page.locator("#analysis noscript a").click()
        page.get_by_text(f"{count} of 197 moves are done").wait_for()
        assert page.locator("#tabs").bounding_box()["y"] < 400
    unfinished(None)
    page.locator("#chances-title").wait_for(state="attached")
