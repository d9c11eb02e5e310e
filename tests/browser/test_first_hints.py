"""The line "what now" of a first game, on a phone and at a desk, with script and without."""

from __future__ import annotations

import pytest

from server.language import LANGUAGES, catalogue
from server.service.learning import first_turns
from tests.browser.scripts import script

CUT = script("first_hints.cut")


def test_whatever_it_says_has_room(site, open_page):
    game, ann = site.alone("Ann")
    site.advance(game, ann, until=lambda page: page["seat"] == page["to_move"])
    tabs = [open_page(person=ann, width=width, touch=width == 390) for width in (390, 1280)]
    for language in LANGUAGES:
        site.call("/players/me", {"preferences": {"language": language}}, ann.token, method="PATCH")
        texts = [str(catalogue.of(language).gettext(text)) for text in first_turns.TEXTS]
        for tab in tabs:
            tab.goto(f"/games/{game}")
            assert tab.evaluate(CUT, texts) == [], language


@pytest.mark.parametrize("javascript", [True, False])
def test_it_is_sent_away_by_one_press(site, open_page, javascript):
    game, ann = site.alone()
    site.advance(game, ann, until=lambda page: page["seat"] == page["to_move"])
    tab = open_page(f"/games/{game}", person=ann, width=390, touch=True, javascript=javascript)
    assert tab.locator(".beginner").is_visible()
    tab.get_by_role("button", name="Do not show again").tap()
    tab.locator(".beginner").wait_for(state="detached")
    tab.reload()
    assert tab.locator(".beginner").count() == 0
    assert tab.locator(".choices, #moves").first.is_visible()
