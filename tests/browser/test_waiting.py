"""Two people who meet in the room in which a game waits, play, and meet again; neither of them opens a mail."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.browser.site import open_drawer

CUT = "() => { const link = document.getElementById('link'); return link.scrollWidth > link.clientWidth + 1; }"


def test_two_guests_meet_play_and_meet_again(open_page, axe):
    """Anna is at a desk; Berta comes by the link, in German, on a phone; she writes, wishes a pause, comes back."""
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

    # A turn each, by the buttons; then words, a pause, and somebody who comes back after the page was closed.
    anna_begins = "Your turn" in anna.locator("#headline").text_content()
    for tab in (anna, berta) if anna_begins else (berta, anna):
        expect(tab.locator("#headline")).to_have_text(re.compile("Your turn|Du bist"))
        play_turn(tab)
    open_drawer(berta, "Nachrichten")
    berta.fill("#message", "Bin bis Sonntag weg!")
    berta.click("#message-write")
    expect(anna.locator("#toasts")).to_contain_text("Berta: Bin bis Sonntag weg!")
    open_drawer(berta, "Diese Partie")
    berta.click("#pause-wish")
    expect(anna.locator("#pause-asked")).to_contain_text("Berta")
    anna.locator("#pause-asked button").click()
    expect(anna.locator("#pause-asked")).to_contain_text("The game is paused")
    phone = berta.context
    berta.close()
    berta = phone.new_page()
    berta.goto("/")
    berta.locator(f'a[href="{urlsplit(first).path}"]').first.click()
    berta.locator("#pause-asked button").click()
    expect(anna.locator("#toasts")).to_contain_text("The pause is over")

    berta.goto(f"{first}/resign")
    berta.locator("main form button").first.click()
    expect(anna.locator("#result-title")).to_have_text("You won!")
    expect(anna.locator("#rematch")).to_contain_text("No mail reaches Berta.")
    expect(berta.locator("#rematch button")).to_have_text("Revanche vorschlagen")
    anna.get_by_role("button", name="Offer a rematch").click()
    anna.wait_for_url(lambda url: url != first)
    expect(anna.locator(".invited")).to_contain_text("Berta")
    assert anna.evaluate("() => document.querySelector('.invited').textContent.includes('no mail reaches them')")
    assert anna.locator(".invited").bounding_box()["y"] < anna.locator("#link").bounding_box()["y"], (
        "nobody has to be sent that"
    )

    expect(berta.locator("#rematch")).to_contain_text("Anna schlägt eine Revanche vor")  # by itself
    expect(berta.locator("#result.seen")).to_have_count(1)  # and no paper flies once more
    phone = berta.context.new_page()
    phone.goto("/")
    expect(phone.locator("#list-offers + .game-cards")).to_contain_text("Anna schlägt eine Revanche vor")
    axe(phone)
    berta.locator("#rematch button").click()
    berta.wait_for_url(lambda url: url != first)
    assert berta.url == anna.url
    expect(anna.locator(".score .seat")).to_have_count(2)


def play_turn(tab):
    """Push at the first gate that is offered, and end the turn."""
    tab.locator("#moves .group-push button").first.click()
    tab.wait_for_selector("[data-draft]", state="attached")
    tab.locator("#move-end").click()
    tab.wait_for_selector("#move-end-now, #play:not(.live)", state="attached")
    if tab.locator("#move-end-now").count():  # something is lost by it
        tab.locator("#move-end-now").click()
    tab.wait_for_selector("#play:not(.live)", state="attached")


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
