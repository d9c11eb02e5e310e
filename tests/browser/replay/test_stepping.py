"""The replay viewer with its scripts: stepping, playing, the address, boards in chunks."""

import re

import pytest

from tests.browser.replay.conftest import GAME, LAST, at, on_stage, ready

# Notes what the button is called: a slow machine may come to look only when all is played.
NOTING_NAMES = """() => {
  const button = document.getElementById("play");
  window.names = [];
  new MutationObserver(() => window.names.push(button.querySelector(".sr").textContent))
    .observe(button, { childList: true, subtree: true });
}"""


def frames(page):
    return [url for url in page.watch.requests if "/frames?" in url]


@pytest.mark.parametrize("width", [360, 1280])
def test_it_steps_by_buttons_and_keys_and_keeps_the_address(open_page, width):
    page = ready(open_page(f"{GAME}?ply=20", width=width))
    at(page, 20)
    page.click('[data-step="on"]')
    at(page, 21)
    page.keyboard.press("ArrowRight")
    at(page, 22)
    page.keyboard.press("ArrowLeft")
    at(page, 21)
    turns = [int(text) for text in page.locator("#viewer").get_attribute("data-turns").split()]
    rounds = [int(text) for text in page.locator("#viewer").get_attribute("data-rounds").split()]
    page.keyboard.press("PageDown")
    at(page, min(turn for turn in turns if turn > 21))
    page.keyboard.press("Shift+PageDown")
    at(page, min(number for number in rounds if number > 21))
    page.keyboard.press("Shift+PageUp")
    page.keyboard.press("PageUp")
    at(page, 0 if rounds[0] > 21 else max(turn for turn in turns if turn < rounds[0]))
    page.keyboard.press("End")
    at(page, LAST)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    at(page, 0)
    page.locator("#slider").fill("100")
    at(page, 100)
    page.locator('#moves .line[data-ply="99"] a').click()
    at(page, 99)
    page.go_back()  # steps are no pages of the history
    assert "/replays/" not in page.url


def test_keys_are_left_to_fields_that_are_typed_into(open_page):
    page = ready(open_page(f"{GAME}?ply=20"))
    page.focus("#link")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    at(page, 20)


def test_it_plays_and_pauses_and_ends_by_itself(open_page):
    page = ready(open_page(f"{GAME}?ply={LAST - 6}"))
    page.select_option("#speed", "100")
    page.evaluate(NOTING_NAMES)
    page.get_by_role("button", name="Play", exact=True).click()
    at(page, LAST)
    page.get_by_role("button", name="Play", exact=True).wait_for()
    names = page.evaluate("window.names")
    assert (names[0], names[-1]) == ("Pause", "Play")
    page.keyboard.press("Home")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    for _ in range(100):
        if int(page.locator("#slider").input_value()) >= 3:
            break
        page.wait_for_timeout(100)
    page.keyboard.press("Space")
    stopped = page.locator("#slider").input_value()
    page.wait_for_timeout(500)
    assert page.locator("#slider").input_value() == stopped


def test_boards_come_in_chunks_not_one_by_one(open_page):
    page = ready(open_page(f"{GAME}?ply=24"))
    for ply in range(25, 60):
        page.keyboard.press("ArrowRight")
        on_stage(page, ply)
    assert 2 <= len(frames(page)) <= 3  # 0 to 39, 40 to 79, and perhaps one ahead
    assert [url for url in page.watch.requests if re.search(r"/replays/\w+\?|board\.svg|/states", url)] == [
        page.watch.requests[0]
    ]


def test_a_game_is_watched_without_waiting_for_boards(open_page):
    """The board of the address is in the page itself: it shows though no script runs and no chunk comes."""
    page = open_page(allow="503|Failed to load")
    page.route("**/frames?*", lambda route: route.fulfill(status=503))
    page.goto(f"{GAME}?ply=50")
    on_stage(page, 50)
    ready(page).keyboard.press("ArrowRight")
    page.get_by_text("The boards could not be loaded").wait_for()
    on_stage(page, 50)
    page.unroute("**/frames?*")
    page.keyboard.press("ArrowRight")
    at(page, 52)


def test_whose_knowledge_is_shown_is_chosen_and_stays_while_stepping(open_page):
    page = ready(open_page(f"{GAME}?ply=30"))
    page.keyboard.press("ArrowRight")
    at(page, 31)
    page.get_by_role("link", name="As Green knew it").click()
    page.wait_for_url("**?ply=31&seat=1")
    ready(page).keyboard.press("ArrowRight")
    at(page, 32)
    assert "seat=1" in page.url
    assert all("seat=1" in url for url in frames(page) if "layout=wide" in url and "seat" in url)
    # Green's own hand is on its board and nobody else's.
    hands = page.locator('.layout.wide svg [id$="-hand-0"], .layout.wide svg [id$="-hand-2"]')
    assert hands.count() == 0


def test_another_width_is_another_board_at_the_same_ply(open_page):
    page = ready(open_page(f"{GAME}?ply=30", width=1280))
    page.keyboard.press("ArrowRight")
    at(page, 31)
    page.set_viewport_size({"width": 360, "height": 740})
    page.wait_for_selector('.layout.narrow svg[data-ply="31"]:visible')


def test_the_marker_of_the_chart_follows_and_its_rounds_lead(open_page):
    page = ready(open_page(f"{GAME}?ply=0"))
    marker = page.locator(".chart .marker")
    first = marker.get_attribute("transform")
    page.locator("#slider").fill("100")
    at(page, 100)
    assert marker.get_attribute("transform") != first
    page.locator(".chart a").nth(2).click()
    rounds = page.locator("#viewer").get_attribute("data-rounds").split()
    at(page, int(rounds[2]))
