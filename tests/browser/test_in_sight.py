"""What lies above the fold, and that what lies under a finger stays there: gates, and what a hint costs."""

import pytest

from server.language import LANGUAGES, gettext, speaking
from server.service.learning import first_turns
from tests.browser.scripts import script
from tests.browser.site import open_phone

BELOW = script("in_sight.below")


_WORDS = """one => { const range = document.createRange(); range.selectNodeContents(one);
    const { right, top, bottom } = range.getBoundingClientRect(); return { right, top, bottom } }"""
"""Where the words of an element are, which may be broader."""


def _my_push(page):
    return page["seat"] == page["to_move"] and page["phase"] == "push"


def speaks(site, person, language):
    site.call("/players/me", {"preferences": {"language": language}}, person.token, method="PATCH")


def test_all_pushes_of_a_first_game_are_in_sight(site, open_page):
    game, ann = site.alone("Ann")
    tab = open_page(person=ann)
    for wanted in (1, 2, 3):
        site.advance(game, ann, until=lambda page, wanted=wanted: page["round"] >= wanted and _my_push(page))
        for language in LANGUAGES:
            speaks(site, ann, language)
            tab.goto(f"/games/{game}")
            assert tab.locator(".beginner").is_visible()
            assert tab.locator(".advice button").is_visible()
            assert tab.evaluate(BELOW) == [], (wanted, language)


def test_on_a_phone_the_price_of_a_hint_is_read_beside_it_and_a_choice_is_seen(site, open_page):
    """It stood in what a pointer is told, and a phone has none; it covers nothing of the title. On a short phone the
    first choice is in sight, too, in a first game, after what the others did."""
    game, ann, ben = site.two(hints=True)
    site.advance(game, ann, ben, until=lambda page: page["to_move"] == 0 and _my_push(page))
    tab = open_phone(site, open_page, f"/games/{game}", ann)
    for language in LANGUAGES:
        speaks(site, ann, language)
        for width in (360, 390):
            tab.set_viewport_size({"width": width, "height": 844})
            tab.goto(f"/games/{game}")
            price, button = tab.locator("#advice small").bounding_box(), tab.locator("#advice button").bounding_box()
            title = tab.locator(".group-push h2").evaluate(_WORDS)
            assert title["right"] <= price["x"]
            assert price["x"] + price["width"] <= button["x"]
            assert button["x"] + button["width"] <= width
            assert price["height"] <= button["height"] + 1
            assert title["bottom"] <= tab.locator(".group-push .move").first.bounding_box()["y"]
    speaks(site, ann, "en")
    site.advance(game, ann, ben, until=lambda page: page["round"] == 2 and page["to_move"] == 0 and _my_push(page))
    for size in ((360, 740), (390, 667)):
        tab = open_phone(site, open_page, f"/games/{game}", ann, *size)
        first, edge = tab.locator("#moves .move").first.bounding_box(), tab.locator(".more-below").bounding_box()
        assert first["y"] + first["height"] <= edge["y"], size


def test_on_a_phone_a_card_is_in_sight_with_what_is_asked_after_it(site, open_page):
    """Q3: a coin or a tile? Which is better follows from the card that was drawn, and the hand was out of sight."""
    game, ann, ben = site.two(hints=True)

    def asked(page):
        return page["to_move"] == page["seat"] == 0 and "coin" in site.legal(game, ann)

    site.advance(game, ann, ben, until=asked, rather="seal town_hall", seed=8)
    tab = open_phone(site, open_page, f"/games/{game}", ann)
    for language in LANGUAGES:
        speaks(site, ann, language)
        tab.reload()
        edge = tab.locator(".more-below").bounding_box()["y"]
        labels = tab.locator(".group-choice .move .label").all()
        assert len(labels) > 1
        for part in (tab.locator(".group-choice .note"), *labels[:2]):
            box = part.bounding_box()
            assert 0 <= box["y"] <= box["y"] + box["height"] <= edge, language


CUT = """() => [...document.querySelectorAll(".turn-head h1, .bar > *, .tabs > *")]
    .filter(one => one.checkVisibility())
    .filter(one => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth)
    .map(one => one.innerText)"""
"""What of the heading, of the bar and of the drawer's head is cut, or stands beyond the edge."""
LONG = "(one, lines) => lines.filter(line => { one.textContent = line; return one.scrollWidth > one.clientWidth })"


def test_on_a_phone_no_line_of_a_turn_is_cut(site, open_page):
    """Of whose turn it is a guest in German saw "Anna ist …", of the hint a half, and the last button over the edge."""
    game, *people = site.two(clock={"turn_hours": 24}, mover_first=True)
    for language in LANGUAGES:
        with speaking(language):
            hints = [gettext(text) for text in first_turns.TEXTS]
        for person in people:
            speaks(site, person, language)
        acting, waiting = (open_phone(site, open_page, f"/games/{game}", person) for person in people)
        for width in (360, 375):
            for tab in (acting, waiting):
                tab.set_viewport_size({"width": width, "height": 844})
            assert acting.evaluate(CUT) == waiting.evaluate(CUT) == [], (language, width)
        acting.locator(".bar .open-log").click()
        for width in (360, 375):
            acting.set_viewport_size({"width": width, "height": 844})
            assert acting.evaluate(CUT) == [], (language, width)
            # Last: it takes away what the page said.
            assert acting.locator(".beginner p").evaluate(LONG, hints) == [], (language, width)


PLACES = "all => all.map(one => { const box = one.getBoundingClientRect(); return [box.x, box.y] })"


@pytest.mark.parametrize("width", [360, 820, 1280])
def test_pointing_at_a_gate_moves_no_button(site, open_page, width):
    """By mouse and by keyboard; on a phone the press itself moves the focus."""
    ann = site.person("Ann")
    tab = open_page(f"/games/{site.game(ann, bots=('steady',))}", person=ann, width=width)
    tab.wait_for_selector(f"#play.live[data-layout={'desk' if width >= 720 else 'phone'}]")
    pushes, preview = tab.locator("#moves .group-push button"), tab.locator("#preview")
    pushes.first.scroll_into_view_if_needed()
    before = pushes.evaluate_all(PLACES)
    pushes.first.hover()
    preview.wait_for()
    assert pushes.evaluate_all(PLACES) == before
    box = preview.bounding_box()
    assert box["y"] + box["height"] <= tab.viewport_size["height"], "it is seen without scrolling"
    tab.mouse.move(0, 0)
    preview.wait_for(state="hidden")
    pushes.first.evaluate("one => one.focus({ preventScroll: true })")
    preview.wait_for()
    assert pushes.evaluate_all(PLACES) == before
