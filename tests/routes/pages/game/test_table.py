"""The page of a game as a whole: who sits there, who may do nothing, games that wait, are over or of other kinds."""

import re
from html import unescape

from server.service.lists import game_page
from server.service.seating import creating, joining
from tests.routes.pages.conftest import (
    CLOCK,
    NOW,
    enter,
    everything,
    form_to,
    give_address,
    part,
    sign_in,
    text_of,
    timed,
)
from tests.service.conftest import Match, make_player


def test_panels_tell_what_lies_before_each(browser, long_game):
    m = long_game
    enter(browser, m, 0)
    page = browser.open(f"/games/{m.id}").text
    view = m.page(0)["view"]
    panels = re.findall(r'<li class="seat[ "].*?</li>\s+(?=<li class="seat|</ol>)', page, re.S)
    assert len(panels) == 2
    for seat, html in enumerate(panels):
        player, said = view["players"][seat], text_of(html)
        assert said.startswith("You" if seat == 0 else f"Player {seat}")
        assert f'aria-label="What {"you have" if seat == 0 else f"Player {seat} has"}"' in html
        assert f"{player['vp']} VP" in said
        for key, word in (("coins", "coin"), ("sparrows", "sparrow"), ("seals", "seal"), ("crests", "family crest")):
            assert re.search(rf"\b{player[key]} {word}s?\b", said), (key, said)
        assert f"{player['hand_size']} card" in said
        assert ("to move" in said) == (view["active"] == seat) == ('aria-current="true"' in html)


def test_a_rematch_leads_to_the_new_game(browser, match):
    m = match(2)
    m.play(0, "resign")
    enter(browser, m, 1)
    browser.open(f"/games/{m.id}")
    answer = browser.press(browser.button("Offer a rematch"), follow=False)
    new = answer.headers["Location"]
    assert new.startswith("/games/")
    assert "A rematch: waiting for players" in browser.open(new).text
    give_address(m.store, m.players[0], "p0@example.org")
    enter(browser, m, None)
    assert not [form for form in (browser.open(f"/games/{m.id}"), browser.forms)[1] if form.action.endswith("rematch")]


def test_against_bots_alone_one_plays_again_and_nobody_is_written_to(browser, store):
    """It said that the others are offered their seats by mail."""
    ann = make_player(store, "Ann")
    m = Match(store, creating.create(store, ann, 2, "Duel", None, "", ["steady"], False, NOW)["id"], [ann])
    m.play(m.page(0)["seat"], "resign")
    enter(browser, m, 0)
    page = browser.open(f"/games/{m.id}")
    assert "offered their seats by mail" not in page.text
    answer = browser.press(browser.button("Play again"), follow=False)
    assert "Waiting for players" not in browser.open(answer.headers["Location"]).text


def test_who_does_not_sit_there_does_nothing(browser, store, match):
    m = timed(store)
    hidden = match(2, private=True)
    eve = make_player(store, "Eve")
    sign_in(browser.client, store, eve)
    browser.open("/account")
    token = browser.forms[0].fields["form"]
    fields = {"form": token, "ply": "0", "move": "draw", "key": "x" * 16, "text": "x", "note": "x", "mail": "mute",
              "address": "x@example.org"}  # fmt: skip
    before = everything(store)
    for end in ["turn", "undo", "return", "note", "notices", "pause", "messages", "invite", "bots", "leave", "rematch"]:
        for game, status in ((m.id, (403, 409)), (hidden.id, (404,))):
            answer = browser.client.post(f"/games/{game}/{end}", data=fields, headers=browser.HEADERS)
            assert answer.status_code in status, (end, answer.status_code)
    assert everything(store) == before


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


def test_inviting_by_mail(browser, store):
    ann = make_player(store, "Ann")
    game = creating.create(store, ann, 2, "Open", None, "", [], False, NOW)["id"]
    enter(browser, Match(store, game, [ann]), 0)
    browser.open(f"/games/{game}")
    page = browser.press(form_to(browser, "invite"), address="ben@example.org").text
    assert "The invitation is on its way." in page
    assert "ben@example.org no answer yet" in text_of(part(page, "waiting"))
    page = browser.press(form_to(browser, "invite"), address="nobody").text
    assert browser.response.status_code == 422
    assert 'role="alert"' in part(page, "waiting")
    assert 'value="nobody"' in page
