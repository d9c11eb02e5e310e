"""What players agree upon, by the buttons of a game's page."""

from datetime import timedelta

from server.service.games.proposals import SILENT
from server.service.seating import creating, joining
from tests.routes.pages.conftest import NOW, enter, make_player, sign_in, text_of, timed
from tests.service.conftest import Match


def clockless(store) -> Match:
    ann, ben = (make_player(store, name) for name in ("Ann", "Ben"))
    page = creating.create(store, ann, 2, "Slow", None, "", [], False, NOW)
    joining.join(store, ben, page["id"], "", None, NOW)
    return Match(store, page["id"], [ann, ben])


def test_what_is_proposed_stands_where_the_others_look(browser, store):
    m = timed(store)
    for seat, agree in ((0, "no"), (1, "yes")):
        enter(browser, m, seat)
        browser.open(f"/games/{m.id}")
        browser.press(browser.button("Propose to end"))
        assert "You propose to end the game here" in text_of(browser.response.text)
        assert "has to be answered first" in browser.response.text
        enter(browser, m, 1 - seat)
        browser.open(f"/games/{m.id}")
        name = m.players[seat].name
        assert f"{name} proposes to end the game here" in text_of(browser.response.text)
        assert "Still asked: you." in text_of(browser.response.text)
        assert f"{name} has proposed to end the game without a result." in text_of(browser.response.text)
        asked = f"{name} proposes to end the game here, without a result. Your answer is asked."
        assert asked in text_of(browser.open("/").text)
        browser.open(f"/games/{m.id}")
        browser.press(browser.button("I agree"), agree=agree)
        assert "Your answer is asked" not in browser.open("/").text
        enter(browser, m, None)
        assert "proposes" not in text_of(browser.open(f"/games/{m.id}").text)
    assert "All who still played agreed to end it" in text_of(browser.response.text)


def test_time_is_given_and_the_end_of_a_turn_is_asked_back(browser, store):
    m = timed(store)
    slow = m.active
    enter(browser, m, slow)
    assert "more time for this turn" not in browser.open(f"/games/{m.id}").text
    enter(browser, m, 1 - slow)
    browser.open(f"/games/{m.id}")
    browser.press(browser.button("Give time"), hours="72")
    assert m.page(None)["extra_seconds"] == 72 * 3600
    m.play_turn()
    enter(browser, m, slow)
    browser.open(f"/games/{m.id}")
    browser.press(browser.button("Ask to take back"))
    assert "You ask to take back" in text_of(browser.response.text)
    assert "Tower tile" not in browser.response.text, "there is none in the basic game"
    enter(browser, m, 1 - slow)
    browser.open(f"/games/{m.id}")
    browser.press(browser.button("I agree"), agree="yes")
    assert m.active == slow
    log = text_of(browser.response.text)
    assert "All agree: the end of the last turn is taken back." in log
    log = text_of(browser.response.text)
    assert "All agree: the end of the last turn is taken back." in log
    assert "All agree on more time for this turn." in log


def test_somebody_new_takes_the_seat_of_who_is_gone(browser, store, time):
    m = clockless(store)
    silent, time.now = m.active, NOW + SILENT + timedelta(hours=1)
    enter(browser, m, 1 - silent)
    browser.open(f"/games/{m.id}")
    browser.press(browser.button("Let it play"), person="1", bot="random")
    link = m.page(1 - silent)["proposal"]["invitation"]
    assert f"invitation={link}" in browser.response.text
    enter(browser, m, silent)
    assert link not in browser.open(f"/games/{m.id}").text
    zoe = make_player(store, "Zoe")
    sign_in(browser.client, store, zoe)
    address = f"/games/{m.id}/join?invitation="
    assert "This game has begun" in browser.open(f"{address}{'x' * 20}").text
    assert not browser.forms
    browser.open(f"{address}{link}")
    assert f"You play on for {m.players[silent].name}" in text_of(browser.response.text)
    browser.press(browser.button("Take a seat"))
    assert m.page(None)["players"][silent]["name"] == "Zoe"


def test_a_bot_takes_it(browser, store, time):
    m = clockless(store)
    silent, time.now = m.active, NOW + SILENT + timedelta(hours=1)
    enter(browser, m, 1 - silent)
    browser.open(f"/games/{m.id}")
    browser.press(browser.button("Let it play"), person="", bot="apprentice")
    assert (m.page(None)["players"][silent]["bot"], m.active) == ("apprentice", 1 - silent)
