"""The first page, making and joining a game, in a real browser."""

import re

import pytest

from tests.browser.scripts import script


def fits(tab):
    """Nothing makes the page wider than its window, and what is to be tapped is large enough for a finger."""
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert tab.evaluate(script("every_page.too_small")) == []


@pytest.mark.parametrize("language", ["en", "de", "it"])
@pytest.mark.parametrize("name", ["Bo", "Anna-Katharina Vogelsang"])
def test_what_a_guest_is_offered_breaks_no_row_of_the_heading(site, open_page, language, name):
    """It has a row of its own on a phone, and a name that is too long for its row is cut off."""
    guest = site.person(f"{name} {language}")
    site.call("/players/me", {"preferences": {"language": language}}, guest.token, method="PATCH")
    tab = open_page("/", person=guest, width=360, touch=True)
    *links, own = tab.locator(".top .site a:not(.guest-link)").all()
    keep = tab.locator(".top .guest-link").bounding_box()
    tops = {link.bounding_box()["y"] for link in [*links, own]}
    assert len(tops) == 1
    assert keep["y"] > tops.pop()
    right = own.bounding_box()
    assert abs(right["x"] + right["width"] - keep["x"] - keep["width"]) <= 1
    fits(tab)


def test_a_game_is_made_and_joined_by_two_strangers(site, open_page):
    """Ann makes a private game by keyboard, without a mouse; Ben comes by the link that she gives him."""
    ann = open_page("/new", timezone_id="Europe/Rome")
    ann.get_by_label("Your name at the table").focus()
    ann.keyboard.type("Ann")
    ann.get_by_label("Name of the game").focus()
    ann.keyboard.type("Two strangers")
    ann.get_by_role("checkbox", name="Private").focus()
    ann.keyboard.press("Space")
    ann.get_by_role("radio", name="Three days a turn").focus()
    ann.keyboard.press("Space")
    ann.get_by_role("button", name="Make the game").focus()
    ann.keyboard.press("Enter")
    ann.wait_for_url(re.compile(r"/games/\w+$"))
    game = ann.url.rpartition("/")[2]
    with site.store.read():
        query = "SELECT g.invitation, p.preferences FROM game g JOIN player p ON p.id = g.creator_id WHERE g.id = ?"
        [(invitation, preferences)] = site.store.database.execute_sql(query, (game,)).fetchall()
    assert "Europe/Rome" in preferences

    ben = open_page(f"/games/{game}?invitation={invitation}", width=360)
    ben.get_by_label("Your name at the table").fill("Ben")
    ben.get_by_role("button", name="Take a seat").click()
    ben.wait_for_url(f"**/games/{game}")
    assert ben.locator("svg[data-ply]").first.is_visible()
