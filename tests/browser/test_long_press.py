"""A finger that rests opens what the "i" opens; one that moves scrolls, and one that taps plays."""

import pytest
from playwright.sync_api import expect

REST = 900
"""Milliseconds: longer than a page waits for."""


class Finger:
    """One finger on a screen, as the browser hears of it from the device."""

    def __init__(self, tab):
        self._session = tab.context.new_cdp_session(tab)

    def down(self, x, y):
        self._send("touchStart", x, y)

    def move(self, x, y):
        self._send("touchMove", x, y)

    def up(self):
        self._send("touchEnd")

    def _send(self, kind, *at):
        points = [{"x": at[0], "y": at[1]}] if at else []
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.fixture
def phone(site, open_page):
    """The page of a game on a phone, of who is to push and has a card in hand."""
    game, ann, ben = site.two()
    people = {site.page(game, person)["seat"]: person for person in (ann, ben)}
    site.advance(game, ann, ben, until=_has_a_card)
    assert _has_a_card(site.page(game, people[site.page(game)["to_move"]]))
    tab = open_page(f"/games/{game}", person=people[site.page(game)["to_move"]], width=390, touch=True)
    # The first answer has the boards of a desk: the page is asked for once more, with those of a phone.
    tab.wait_for_selector("#panel-town")
    tab.wait_for_selector("#play.live")
    return tab


def _has_a_card(page):
    return page["phase"] == "push" and bool(page["view"]["players"][page["seat"]]["hand_size"])


def centre(tab, part):
    """Where a finger finds a part, after it was scrolled into sight."""
    part.scroll_into_view_if_needed()
    box = part.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_finger_that_rests_opens_the_window_and_plays_nothing(phone):
    finger, windows = Finger(phone), phone.locator(".about-window:popover-open")
    draft = phone.locator("#play").get_attribute("data-draft")
    part = phone.locator(".mat li:has(.about) svg").first
    x, y = centre(phone, part)
    finger.down(x, y)
    phone.wait_for_timeout(REST)
    finger.up()
    expect(windows).to_have_count(1)
    phone.wait_for_timeout(300)
    expect(windows).to_have_count(1)
    assert phone.locator("#play").get_attribute("data-draft") == draft
    phone.keyboard.press("Escape")
    expect(windows).to_have_count(0)
    # One that moves on scrolls.
    x, y = centre(phone, part)
    finger.down(x, y)
    finger.move(x, y - 40)
    phone.wait_for_timeout(REST)
    finger.up()
    expect(windows).to_have_count(0)
    assert phone.locator("#play").get_attribute("data-draft") == draft
    # And one that does not stay plays.
    push = phone.locator("#moves .group-push button").first
    move = push.get_attribute("value")
    finger.down(*centre(phone, push))
    finger.up()
    phone.wait_for_function("move => document.querySelector('#play')?.dataset.draft === move", arg=move)
    expect(windows).to_have_count(0)


def test_what_is_touched_on_board_and_mat_is_explained_and_closed_by_a_touch(phone):
    """Two thought of sailing to a quarter, pressed it, and nothing opened; pictures with numbers had no word, and a red
    shield said nothing however it was pressed (L3: nor did what lies beside the square)."""
    finger, windows = Finger(phone), phone.locator("[popover]:popover-open")

    def explained(at, text, seconds=0):
        finger.down(*at)
        phone.wait_for_timeout(seconds)
        finger.up()
        expect(windows).to_contain_text(text)
        phone.keyboard.press("Escape")
        expect(windows).to_have_count(0)

    # The window itself shows a cross; what is pressed in it works.
    for opened in (phone.locator(".mat li .about").first, phone.locator(".chip").first):
        finger.down(*centre(phone, opened))
        finger.up()
        expect(windows).to_have_count(1)
        assert "×" in windows.evaluate("one => getComputedStyle(one, '::after').content")
        box = windows.bounding_box()
        finger.down(box["x"] + box["width"] - 14, box["y"] + 18)
        finger.up()
        expect(windows).to_have_count(0)
    for seconds in (0, REST):
        counts = phone.locator(".supply .counts li").last
        explained(centre(phone, counts), "Each golden coat of arms takes one.", seconds)
    phone.evaluate("document.querySelector('#panel-square').scrollIntoView({block: 'center'})")
    for part in ("[id$='-docks'] > text", "[id$='-bag'] [data-count]", "[id$='-pile']"):
        stock = phone.locator(f"#panel-square {part}").first
        explained(centre(phone, stock), "replaced from the bag at once")
    phone.evaluate("document.querySelector('#panel-town').scrollIntoView({block: 'center'})")
    far = phone.locator("#panel-town [data-quarter=reichenauer_hof]")
    assert far.locator("xpath=ancestor::a").count() == 0
    said = "1 VP for each quarter in which you have a seal"
    for seconds in (0, REST):
        explained(centre(phone, far), said, seconds)
    # Where nothing is drawn, too: half of those who look for help press the middle.
    box = far.bounding_box()
    for across in (0.1, 0.5, 0.9):
        explained((box["x"] + across * box["width"], box["y"] + 0.55 * box["height"]), said)
