"""The guided first game on a phone: all of it by taps, and nothing to scroll to."""

import pytest

from server.service.learning.lessons import TURNS
from tests.browser.scripts import script

ON_SCREEN = script("learn.on_screen")


def test_the_first_lessons_are_played_by_taps_on_one_screen(open_page):
    """Also by the board: its glowing gate is pressed once. What the coach says, and what to press, is always seen."""
    tab = open_page("/learn", width=390, touch=True)
    tab.get_by_role("link", name="Start", exact=True).tap()
    gate = tab.locator('.halves a[data-asked][data-move="push E1"]')
    tab.locator(".choices > .move.primary").tap()
    gate.wait_for()
    gate.tap()
    tab.wait_for_url("**push+E1")
    for lesson in (1, 2):
        while not tab.locator(".lesson.over").count():
            assert tab.evaluate(ON_SCREEN), tab.url
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
            before = tab.url
            tab.locator(".choices > .move.primary").tap()
            tab.wait_for_function("before => location.href !== before", arg=before)
        assert tab.evaluate(ON_SCREEN), tab.url
        tab.locator(".choices > .move.primary").tap()
        tab.wait_for_url(f"**/learn/{lesson + 1}")
    tab.goto("/")
    assert tab.locator('a[href="/learn/3"]').is_visible()


HEIGHTS = (667, 844)
"""What a browser leaves of the screen of a phone, and all of it."""


@pytest.mark.parametrize("language", ["de", "it"])
def test_on_a_phone_the_coach_and_what_is_pressed_keep_their_places_in_every_lesson(open_page, language):
    """In the languages in which he says most; and all of it is on the screen, without scrolling."""
    tab = open_page("/learn", width=390, language=language, touch=True)
    places: set[tuple[int, ...]] = set()
    tops = "found => found.map(one => Math.round(one.getBoundingClientRect().top))"
    for lesson, moves in ((1, 0), (3, 2), (3, 3), (3, 4), (5, 0), (5, 4), (5, 5), (5, 6)):
        tab.set_viewport_size({"width": 390, "height": HEIGHTS[0]})
        tab.goto(f"/learn/{lesson}?moves={','.join(TURNS[lesson - 1][:moves])}")
        for height in HEIGHTS:
            tab.set_viewport_size({"width": 390, "height": height})
            assert tab.evaluate("scrollY") == 0
            assert tab.evaluate(ON_SCREEN), (tab.url, height)
            places.add((height, *tab.locator(".bubble, .choices > .move.primary").evaluate_all(tops)))
    assert len(places) == len(HEIGHTS), places


SILENT = script("learn.silent")


@pytest.mark.parametrize("width", [390, 1280])
def test_every_choice_says_what_it_does(open_page, width):
    """Of three Descendants two had but their names on a phone."""
    before = "draw,push N2,river,clear N,clear W,end,draw,push N3,river,seal oath_house"
    tab = open_page(f"/learn/7?moves={before}", width=width, touch=width == 390)
    assert tab.locator('.choices > .move[data-move^="descendant"]').count() > 2
    assert tab.evaluate(SILENT) == []
    tab.goto("/learn/6")
    while not tab.locator(".choices form").count():
        assert tab.evaluate(SILENT) == [], tab.url
        before = tab.url
        tab.locator(".coach > .choices > .move").last.click()
        tab.wait_for_function("before => location.href !== before", arg=before)
