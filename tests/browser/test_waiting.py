"""Two people who meet in the room in which a game waits, play, and meet again; neither of them opens a mail."""

import re

from playwright.sync_api import expect

CUT = "() => { const link = document.getElementById('link'); return link.scrollWidth > link.clientWidth + 1; }"


def test_two_guests_meet_play_and_meet_again(open_page, axe):
    """Anna is at a desk; Berta comes by the link, in German, on a phone."""
    anna, berta = open_page("/new"), open_page(width=375, touch=True, language="de")
    anna.get_by_label("Your name at the table").fill("Anna")
    anna.get_by_role("checkbox", name="Private").check()
    anna.get_by_role("button", name="Make the game").click()
    anna.wait_for_url(re.compile(r"/games/\w+$"))
    link = anna.locator("#link")
    for width in (375, 1024, 1280, 1920):
        anna.set_viewport_size({"width": width, "height": 800})
        assert not anna.evaluate(CUT), width
        left, right = anna.evaluate(
            "() => { const box = document.querySelector('#waiting').getBoundingClientRect(); "
            "return [box.left, document.documentElement.clientWidth - box.right]; }"
        )
        assert abs(left - right) < 2, "in the middle"
        assert link.bounding_box()["y"] < 800, "without scrolling"
    anna.evaluate("() => { window.stays = true; }")
    axe(anna)

    berta.goto(link.text_content())
    berta.get_by_label("Dein Name am Tisch").fill("Berta")
    berta.get_by_role("button", name="Mitspielen").click()
    berta.wait_for_url(re.compile(r"/games/\w+$"))
    first = berta.url
    expect(anna.locator(".score .seat")).to_have_count(2)  # the game has begun on her page, too
    assert anna.evaluate("() => window.stays")

    berta.goto(f"{first}/resign")
    berta.locator("main form button").first.click()
    expect(anna.locator("#result-title")).to_have_text("You won!")
    expect(anna.locator("#rematch")).to_contain_text("No mail reaches Berta.")
    expect(berta.locator("#rematch button")).to_have_text("Revanche vorschlagen")
    anna.get_by_role("button", name="Offer a rematch").click()
    anna.wait_for_url(lambda url: url != first)
    expect(anna.locator(".invited")).to_contain_text("Berta")
    assert anna.evaluate("() => document.querySelector('.invited').textContent.includes('no mail reaches them')")

    expect(berta.locator("#rematch")).to_contain_text("Anna schlägt eine Revanche vor")  # by itself
    phone = berta.context.new_page()
    phone.goto("/")
    expect(phone.locator("#list-offers + .game-cards")).to_contain_text("Anna schlägt eine Revanche vor")
    axe(phone)
    berta.locator("#rematch button").click()
    berta.wait_for_url(lambda url: url != first)
    assert berta.url == anna.url
    expect(anna.locator(".score .seat")).to_have_count(2)


def test_somebody_known_is_asked_by_name_and_says_no(site, open_page):
    anna, ben = site.person("Anna"), site.person("Ben")
    over = site.game(anna, ben)
    site.play(over, ben, "resign")
    room = site.game(anna, seats=2, private=True)
    tab, other = open_page(f"/games/{room}", person=anna), open_page("/", person=ben)
    tab.get_by_role("button", name="Ben").click()
    expect(tab.locator(".invited")).to_contain_text("no answer yet")
    expect(tab.get_by_role("button", name="Ben", exact=True)).to_have_count(0)
    other.reload()
    card = other.locator("#list-offers + .game-cards")
    expect(card).to_contain_text("Anna invites you")
    card.get_by_role("button", name="No, thanks").click()
    expect(other.locator("#list-offers")).to_have_count(0)
    expect(tab.locator(".invited")).to_contain_text("would rather not")
