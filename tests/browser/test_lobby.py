"""The first page, making and joining a game, in a real browser."""

import re


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


def test_no_name_runs_under_the_picture_of_a_card(site, open_page):
    """A short title leaves the picture beside the seats, and three of them fill a line."""
    people = [site.person(name) for name in ("Red", "Green", "Blue")]
    game = site.game(*people, name="Short")
    site.advance(game, *people, until=lambda page: page["status"] == "finished")
    under = open_page("/").evaluate(
        """() => [...document.querySelectorAll(".game-card")].flatMap(card => {
            const picture = card.querySelector(".small-square")?.getBoundingClientRect();
            return [...card.querySelectorAll(".seats > li")].map(seat => seat.getBoundingClientRect())
                .map(seat => picture && seat.top < picture.bottom && seat.right > picture.left); })"""
    )
    assert under
    assert True not in under
