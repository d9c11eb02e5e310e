"""Finding people, the page of a player, and what is done there with one press."""

import pytest

from bots import offers
from server.service.accounts import contacts
from server.service.lists import game_lists
from server.service.seating import creating, invitations
from tests.routes.pages.conftest import NOW, Browser, read, sign_in
from tests.service.conftest import Start, make_player


def test_a_player_is_found_befriended_invited_and_blocked(match: Start, browser: Browser) -> None:
    m = match(2)
    ann, ben = m.players
    store = m.store
    sign_in(browser.client, store, ann)
    assert f"/games/{m.id}" in read(browser.open(f"/players/{ben.id}")).links  # it is under way
    assert '<span class="note">1 game under way</span>' in browser.open("/players").text
    m.end_early()
    assert '<span class="note">1 game together</span>' in browser.open("/players").text
    browser.press(browser.button("Find"), name="player 1")
    here = f"/players/{ben.id}"
    assert here in read(browser.response).links
    page = browser.open(here).text
    assert "You have played 1 game with each other." in page
    assert "2 players, basic" in page
    assert f"/replays/{m.id}" in read(page).links
    assert '<span class="tag">friend</span>' in browser.press(browser.button("Add to friends")).text
    assert '<span class="tag">friend</span>' not in browser.press(browser.button("Remove from friends")).text
    # The form for a new game has them chosen, and the game waits for them.
    browser.open(next(link for link in read(browser.response).links if link.startswith("/new?")))
    assert f'<option value="{ben.id}" selected>invite Player 1</option>' in browser.response.text
    made = browser.press(browser.button("Make the game"), second=ben.id, third="nobody", fourth="nobody", clock="day")
    assert made.status_code == 200
    [invited] = invitations.to_player(store, ben)
    waiting = game_lists.home(store, ann, game_lists.SEATED, NOW)[0]
    assert [game["id"] for game in waiting] == [invited["game"]]
    browser.open(here)
    assert "The invitation is on its way." in browser.press(browser.button("Invite to “Game of Player 0”")).text
    kept_off = browser.press(next(form for form in browser.forms if form.label.startswith("Mute")), kind="blocked")
    assert '<span class="tag">blocked</span>' in kept_off.text
    refused = browser.client.post(
        f"{here}/invite", data={**browser.button("Unblock").fields, "game": invited["game"]}, headers=Browser.HEADERS
    )
    assert refused.status_code == 409
    assert "you have blocked this player" in refused.text.lower()
    browser.open("/players")
    browser.press(browser.button("Unblock"))
    assert contacts.listing(store, ann) == []


def test_from_a_table_one_comes_to_the_pages_of_who_sits_there(match: Start, browser: Browser) -> None:
    m = match(2)
    waiting = creating.create(m.store, m.players[0], 3, "", None, "", ["apprentice"], False, NOW)["id"]
    for game, others in ((m.id, [one.id for one in m.players]), (waiting, [m.players[0].id, "apprentice"])):
        assert {f"/players/{one}" for one in others} <= set(read(browser.open(f"/games/{game}")).links)


def test_a_private_page_is_no_page_to_strangers(match: Start, browser: Browser) -> None:
    m = match(2)
    ann, ben = m.players
    m.end_early()
    sign_in(browser.client, m.store, ann)
    browser.open("/account")
    browser.press(next(form for form in browser.forms if form.action == "/account/people"), private="yes")
    assert "Others do not find this page" in browser.open(f"/players/{ann.id}").text
    sign_in(browser.client, m.store, make_player(m.store, "Stranger"))
    hidden, unknown = browser.open(f"/players/{ann.id}", 404).text, browser.open("/players/nobody", 404).text
    assert "there is no such player" in hidden.lower()
    assert hidden.replace(ann.id, "nobody").count("nobody") == unknown.count("nobody")
    assert ann.id not in browser.open("/players?name=player").text
    for nobody in (ann.id, "%00", "%ED%A0%80"):
        assert browser.open(f"/new?second={nobody}").text.count("invite Player") == 0
    sign_in(browser.client, m.store, ben)
    assert "keeps this page to those" in browser.open(f"/players/{ann.id}").text


def test_bots_have_pages_and_a_name_needs_two_letters(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    offer = offers.Offer("two-words", {"en": "Two words"}, 1, offers.find("apprentice").make)
    monkeypatch.setitem(offers.HOUSE, "two-words", offer)  # as of a package
    page = browser.open("/players?name=a", 422).text
    assert "at least 2 characters" in page
    assert "/players/master" in read(page).links
    assert "the strongest" in browser.open("/players/master").text
    assert "<h1>Two words" in browser.open("/players/two-words").text
