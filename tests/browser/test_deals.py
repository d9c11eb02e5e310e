"""A deal of the day from its button to the game beside the best, in a browser."""

import re
import time
from datetime import UTC, datetime, timedelta

import pytest

from server.service.contests import day
from tests.browser import site as sites


@pytest.fixture
def site(tmp_path):
    """A server that deals each day, as they do where nobody said otherwise."""
    made = sites.start(tmp_path, ULM_DEALS="on")
    yield made
    made.close()


def test_it_is_played_placed_and_compared(open_page, site):
    day.look_after(site.store, datetime.now(UTC))  # the server does it a moment after its start
    ann = site.person("Ann")
    page = open_page("/", person=ann, width=375, touch=True)
    page.get_by_role("link", name="Deal of the day").tap()
    page.get_by_role("button", name="Play today’s deal").tap()
    page.wait_for_url(re.compile("/games/"))
    game = page.url.rsplit("/", 1)[1].partition("#")[0].partition("?")[0]
    assert page.locator(".advice").count() == 0  # no hints
    site.advance(game, ann, until=lambda shown: shown["round"] == 3 and shown["to_move"] == 0)
    site.call(f"/games/{game}/moves", {"ply": site.page(game, ann)["ply"], "moves": ["resign"]}, ann.token)
    page.goto(f"/games/{game}")
    assert page.locator(f'a[href^="/replays/{game}"]').count() == 0
    page.get_by_role("link", name="How others played this deal").tap()
    page.locator(".own-place", has_text="You are in place").wait_for()
    assert page.locator("svg.plot", has_text="← you").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    _wait_for_field(site)
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    there = page.url
    day.look_after(site.store, tomorrow)
    page.goto(there)
    page.get_by_role("link", name="Where you parted from").tap()
    boards = page.locator(".beside-each-other svg[role=img]")
    boards.nth(1).wait_for()
    assert boards.count() == 2
    assert page.locator(".beside-each-other ul:has(.own-place)").count() == 2  # what each played there
    page.get_by_role("link", name="Move on").tap()
    page.get_by_role("link", name="To where they part").wait_for()
    page.get_by_role("link", name="Watch the replay").first.tap()
    page.wait_for_url(re.compile(rf"/replays/{game}\?ply=\d+"))


def _wait_for_field(site):
    """Until a bot of the field is done: whoever is alone has nobody to be compared with."""
    end = time.monotonic() + 120
    while day.find(site.store, day.TODAY, None, datetime.now(UTC))["done"] < 2 and time.monotonic() < end:
        time.sleep(0.2)
