"""A puzzle on a phone: solved by taps, and proven in the browser to be of the game that it names."""

import json

import pytest

from server.service.archive import puzzles
from server.service.seating.example_game import ensure_example
from tests.service.conftest import NOW

PUZZLE = "/puzzles/97e40a8fcc43"
"""One of those that come with the release."""
SOLUTION = [
    "swap orange", "push N3", "seal oath_house", "descendant barge_driver", "river", "river", "sail", "sail", "end",
]  # fmt: skip


@pytest.fixture(autouse=True)
def packed(site):
    ensure_example(site.store, NOW)
    puzzles.ensure_puzzles(site.store, NOW)


def fits(page):
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def tried(page, number):
    """Wait until so many moves are tried."""
    page.wait_for_selector(f".tried li:nth-child({number}):last-child")


def verdict(page, text):
    page.locator("#verdict-title", has_text=text).wait_for()


def checked(page):
    """Let the browser check the puzzle, and return what it found."""
    page.locator("#verify").tap()
    page.wait_for_selector('#check[data-verdict="good"], #check[data-verdict="bad"]')
    return str(page.locator("#findings").inner_text())


def test_it_is_solved_by_taps_and_proven(open_page):
    page = open_page("/puzzles", width=390, touch=True)
    fits(page)
    page.get_by_role("link", name="Solve it").tap()
    page.locator("h1", has_text="Which turn is best?").wait_for()
    page.goto(f"{PUZZLE}?draft={SOLUTION[0]}")  # its button is among those that are folded up
    fits(page)
    for number, move in enumerate(SOLUTION[1:-1], 2):
        page.locator(f'button[data-move="{move}"]').tap()
        tried(page, number)
        fits(page)
    page.locator('button[data-move="end"]').tap()
    verdict(page, "Solved: that is the best turn.")
    fits(page)
    found = checked(page)
    assert page.locator("#check").get_attribute("data-verdict") == "good", found
    assert "The position of this puzzle is the one after move 41, as its player saw it." in found
    assert "The server’s secret is the one that it promised" in found
    fits(page)


@pytest.mark.parametrize("width", [390, 1280])
def test_what_hands_in_is_in_sight_all_the_time_and_says_what_comes_before(open_page, width, axe):
    page = open_page(PUZZLE, width=width, touch=width < 500)
    button = page.get_by_role("button", name="Hand in my solution")
    said = []
    for number in range(1, len(SOLUTION)):
        page.goto(f"{PUZZLE}?draft={','.join(SOLUTION[:number])}")
        assert page.evaluate("scrollY") == 0
        box = button.bounding_box()
        assert box["y"] + box["height"] <= page.viewport_size["height"]
        assert button.is_enabled() == (number not in (1, 3))  # before the push; a Descendant is to be chosen
        assert ("primary" in button.get_attribute("class")) == (number == len(SOLUTION) - 1)
        said.append(page.locator(".hand-in p").inner_text())
        if number in (1, len(SOLUTION) - 1):
            axe(page)
    assert said[0] == "Push your tile in: choose an open gate."
    assert said[1] == "Use your tiles in any order, then hand in your solution."
    assert said[-1] == "Your turn is complete. Hand it in!"
    # The board hands in, too, and nothing is asked once more.
    page.locator('.layout a[data-move="end"]:visible').click()
    verdict(page, "Solved: that is the best turn.")
    assert button.count() == 0


def in_sight(page, selector):
    """Whether the beginning of a part lies on the screen, above what hands in."""
    top = page.locator(selector).bounding_box()["y"]
    return bool(0 <= top < page.locator(".hand-in").bounding_box()["y"] - 40)


def test_the_board_is_where_it_was_after_a_tap_and_what_has_to_be_answered_comes_into_sight(open_page):
    page = open_page(PUZZLE, width=390, touch=True)
    page.locator('.layout.narrow a[data-move="push N3"]').tap()
    tried(page, 1)
    assert in_sight(page, ".stage")
    assert page.evaluate("scrollY") > 0
    # A tile buys a card with another one: which, has to be said; whoever scrolled away comes back by the bar.
    page.goto(f"{PUZZLE}?draft=push W1")
    page.locator(".layout.narrow a[href*='ask=']").first.tap()
    page.locator("#asked").wait_for()
    assert in_sight(page, "#asked")
    page.goto(PUZZLE)
    page.get_by_role("link", name="To the buttons, below the board").tap()
    assert in_sight(page, "#moves h2 >> nth=0")


def test_another_turn_is_told_and_can_be_tried_again_from_the_board_too(open_page):
    page = open_page(PUZZLE, width=1280)
    page.locator('.layout.wide a[data-move="push N2"]').click()
    tried(page, 1)
    page.locator('button[data-move="end"]').click()
    verdict(page, "That is not the best turn.")
    page.get_by_role("link", name="Show the solution").click()
    page.get_by_role("heading", name="The solution").wait_for()
    page.get_by_role("link", name="Try again").click()
    tried(page, 1)
    page.get_by_role("link", name="Take back").click()
    page.wait_for_selector(".coach:not(:has(.tried))")


def test_a_position_that_is_not_that_of_the_game_is_found_out(open_page):
    page = open_page(PUZZLE, width=390, touch=True)
    place = page.locator("#check")
    view = json.loads(place.get_attribute("data-view"))
    view["players"][view["active"]]["hand"] = ["nave-1"]
    place.evaluate("(one, view) => { one.dataset.view = view }", json.dumps(view))
    assert "The position of this puzzle is NOT the one after move 41." in checked(page)
    assert place.get_attribute("data-verdict") == "bad"
