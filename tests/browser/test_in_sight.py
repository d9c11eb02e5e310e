"""What lies above the fold at a desk: all gates of a push in a first game, with what the coach and the hint say."""

from __future__ import annotations

import pytest

from server.language import LANGUAGES

BELOW = """() => {
    const now = document.getElementById("now"), edge = now.getBoundingClientRect().bottom;
    const more = now.scrollHeight > now.clientHeight ? now.querySelector(".more-below").offsetHeight : 0;
    return [...now.querySelectorAll(".group-push .move")].filter(one => one.checkVisibility()
        && one.getBoundingClientRect().bottom > edge - more).map(one => one.textContent) }"""
"""The pushes of which something is not seen without scrolling."""


def _my_push(page):
    return page["seat"] == page["to_move"] and page["phase"] == "push"


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_pushes_of_a_first_game_are_in_sight(site, open_page, language):
    ann = site.person("Ann")
    site.call("/players/me", {"preferences": {"language": language}}, ann.token, method="PATCH")
    game = site.game(ann, bots=("steady",))
    for wanted in (1, 2, 3):
        site.advance(game, ann, until=lambda page, wanted=wanted: page["round"] >= wanted and _my_push(page))
        tab = open_page(f"/games/{game}", person=ann)
        assert tab.locator(".beginner").is_visible()
        assert tab.locator(".advice button").is_visible()
        assert tab.evaluate(BELOW) == []
        tab.context.close()


def test_the_hint_takes_no_row_from_the_choices(site, open_page):
    """It stands beside their title, and covers nothing of it; the answer takes one row."""
    ann = site.person()
    game = site.game(ann, bots=("steady",))
    site.advance(game, ann, until=_my_push)
    for width in (1280, 1024):
        tab = open_page(f"/games/{game}", person=ann, width=width)
        hint, title = tab.locator("#advice").bounding_box(), tab.locator(".group-push h2")
        words = title.evaluate("""one => { const range = document.createRange(); range.selectNodeContents(one);
            const { right, top, bottom } = range.getBoundingClientRect(); return { right, top, bottom } }""")
        assert words["right"] <= hint["x"]
        assert words["top"] >= hint["y"] - 1
        assert words["bottom"] <= hint["y"] + hint["height"] + 1
        tab.context.close()
    tab = open_page(f"/games/{game}", person=ann)
    tab.locator("#advice button").click()
    told = tab.locator("#advice .move")
    told.wait_for()
    assert tab.locator("#advice").bounding_box()["height"] < 90
    assert tab.evaluate(BELOW) == []
