"""The line "what now" of a first game, on a phone and at a desk, with script and without."""

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
