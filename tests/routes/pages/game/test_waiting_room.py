"""A game that waits for its players: seats, bots, invitations."""

import re
from html import unescape

from server.service.common.naming import LEVELS
from server.service.lists import game_page
from server.service.seating import creating, joining
from tests.routes.pages.conftest import NOW
from tests.routes.pages.table import CLOCK, enter, form_to, part, text_of
from tests.service.conftest import Match, make_player


def test_the_waiting_room(browser, store):
    ann, ben = make_player(store, "Ann"), make_player(store, "Ben")
    made = creating.create(store, ann, 3, "Evening", {"tower": True}, "", [], True, NOW, clock=CLOCK)
    m = Match(store, made["id"], [ann, ben])
    enter(browser, m, 0)
    page = browser.open(f"/games/{m.id}").text
    said = text_of(part(page, "waiting"))
    assert "2 seats are free" in said
    assert "with Tower tiles" in said
    assert "1 day a turn" in said
    assert f"/games/{m.id}/join?invitation={made['invitation']}" in unescape(page)
    enter(browser, m, 1)
    browser.open(f"/games/{m.id}", 404)
    joining.join(store, ben, m.id, "", made["invitation"], NOW)
    page = browser.open(f"/games/{m.id}").text
    assert made["invitation"] in page, "whoever sits there may bring friends"
    assert not [form for form in browser.forms if form.action.endswith("/bots")]
    browser.press(form_to(browser, "leave"))
    assert game_page.page(store, m.id, ann)["players"][1] is None
    browser.open(f"/games/{m.id}", 404)


def test_a_stranger_is_shown_the_way_to_a_seat(browser, store):
    ann = make_player(store, "Ann")
    game = creating.create(store, ann, 2, "Open", None, "", [], False, NOW)["id"]
    page = browser.open(f"/games/{game}").text
    assert f'href="/games/{game}/join"' in page
    assert 'name="address"' not in page
    assert not [form for form in browser.forms if "/games/" in form.action]


def test_the_level_of_the_bots_is_chosen_as_everywhere(browser, store):
    ann = make_player(store, "Ann")
    game = creating.create(store, ann, 3, "Open", None, "", [], False, NOW)["id"]
    enter(browser, Match(store, game, [ann]), 0)
    page = browser.open(f"/games/{game}").text
    choice = part(page, "waiting").partition('name="bot"')[2].partition("</select>")[0]
    assert re.findall(r'value="(\w+)"( selected)?>([^<]*)<', choice) == [
        (name, " selected" * (name == "apprentice"), words) for name, words in LEVELS.items()
    ]
    assert browser.press(form_to(browser, "bots"), bot="deep thought").status_code == 422
    browser.press(form_to(browser, "bots"), bot="master")
    assert [place["bot"] for place in game_page.page(store, game, ann)["players"]] == [None, "master", "master"]


def test_inviting_by_mail(browser, store):
    ann = make_player(store, "Ann")
    game = creating.create(store, ann, 2, "Open", None, "", [], False, NOW)["id"]
    enter(browser, Match(store, game, [ann]), 0)
    browser.open(f"/games/{game}")
    page = browser.press(form_to(browser, "invite"), address="ben@example.org").text
    assert "The invitation is on its way." in page
    assert "ben@example.org" not in page
    page = browser.press(form_to(browser, "invite"), address="nobody").text
    assert browser.response.status_code == 422
    assert 'role="alert"' in part(page, "waiting")
    assert 'value="nobody"' in page
