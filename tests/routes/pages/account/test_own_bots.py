"""The page of one's bots, and forms that offer bots with accounts."""

import re
from html import unescape

import pytest

from server.service.accounts import access, bot_accounts
from server.service.lists import game_page
from server.service.seating import creating
from tests.routes.pages.conftest import NOW, read, sign_in
from tests.service.conftest import make_player


@pytest.fixture
def ann(store, browser):
    player = make_player(store, "Ann")
    sign_in(browser.client, store, player)
    return player


def form(browser, end):
    [found] = [one for one in browser.forms if one.action.endswith(end)]
    return found


def shown_token(text):
    return re.search(r'id="new-token">(ulm_\w+)<', text)[1]


def test_a_bot_from_its_first_day_to_its_last(store, browser, ann):
    assert "/account/bots" in read(browser.open("/account")).links
    assert "You have no bot." in browser.open("/account/bots").text
    assert "small letters" in unescape(browser.press(form(browser, "/account/bots"), handle="No Good").text)
    page = browser.press(form(browser, "/account/bots"), handle="hal", name="Hal")
    assert page.status_code == 201
    first = shown_token(page.text)
    bot = access.authenticate(store, first, NOW)
    assert bot.name == "Hal (bot)"
    second = shown_token(browser.press(form(browser, "/hal/token")).text)
    assert access.authenticate(store, first, NOW) is None
    assert access.authenticate(store, second, NOW) is not None
    browser.open("/account/bots")
    change = form(browser, "/hal/rules")
    for name in ("seats_3", "private", "advanced"):
        del change.fields[name]
    page = browser.press(change, name="Hal 9", who="owner", games="7")
    assert page.status_code == 200
    [shown] = bot_accounts.of_owner(store, ann)
    assert shown["name"] == "Hal 9 (bot)"
    assert shown["rules"] == {
        "who": "owner", "variants": ["basic"], "seats": [2, 4], "private": False, "without_clock": True,
        "turn_hours_min": 1, "turn_hours_max": 720, "games": 7,
    }  # fmt: skip
    assert browser.press(form(browser, "/hal/rules"), who="owner", games="700").status_code == 422
    browser.press(form(browser, "/hal/delete"))
    assert bot_accounts.of_owner(store, ann) == []
    assert access.authenticate(store, second, NOW) is None


def test_forms_offer_ones_own_and_those_that_were_there_today(store, browser, ann):
    ben = make_player(store, "Ben")
    bot_accounts.create(store, ann, "hal", "Hal", None, NOW)
    awake = bot_accounts.create(store, ben, "sal", "Sal", None, NOW)
    bot_accounts.create(store, ben, "idle", None, None, NOW)
    access.authenticate(store, awake["token"], NOW)
    page = browser.open("/new").text
    assert re.findall(r'<option value="(@\w+)"[^>]*>a bot – ([^<]*)<', page)[:2] == [
        ("@hal", "Hal (bot) of Ann"), ("@sal", "Sal (bot) of Ben"),
    ]  # fmt: skip
    assert "@idle" not in page
    answer = browser.press(form(browser, "/new"), second="@sal", third="nobody", fourth="nobody", follow=False)
    assert answer.status_code == 303
    page = browser.open(answer.headers["Location"]).text
    assert "bot of Ben" in page
    # A refusal stands on the form.
    bot_accounts.change(store, ben, "sal", None, {"seats": [4]})
    browser.open("/new")
    refused = browser.press(form(browser, "/new"), second="@sal", third="nobody", fourth="nobody")
    assert refused.status_code == 409
    assert "it plays games of 4 players" in refused.text


def test_the_waiting_room_offers_them_too(store, browser, ann):
    bot_accounts.create(store, ann, "hal", "Hal", None, NOW)
    game = creating.create(store, ann, 2, "Open", None, "", [], False, NOW)["id"]
    assert "Hal (bot) of Ann" in browser.open(f"/games/{game}").text
    browser.press(form(browser, "/bots"), bot="@hal")
    page = game_page.page(store, game, ann)
    assert (page["status"], page["players"][1]["bot_of"]) == ("running", "Ann")
