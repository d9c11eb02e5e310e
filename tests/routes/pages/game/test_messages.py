"""Messages, the note and the notices on the page of a game: written, read, and by whom."""

import re

from server.service.chat import messages, notes
from server.service.seating import creating, joining
from tests.routes.pages.conftest import NOW, enter, form_to, part, sign_in, turn_token
from tests.service.conftest import Match, make_player


def test_messages_are_read_and_written_on_the_page(browser, long_game):
    m = long_game
    messages.post(m.store, m.id, m.players[1], "Hello <b>there</b>", NOW)
    enter(browser, m, 0)
    page = browser.open(f"/games/{m.id}?log=all").text
    assert 'dir="auto">Hello &lt;b&gt;there&lt;/b&gt;' in page, "in the direction in which it is written"
    answer = browser.press(form_to(browser, "messages"), text="Well pushed", follow=False)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/games/{m.id}?log=all#messages")
    assert "Well pushed" in part(browser.open(f"/games/{m.id}").text, "messages")
    for bad in ("", "x" * 1001, "a\0b"):
        assert browser.press(form_to(browser, "messages"), text=bad).status_code == 422
        assert 'role="alert"' in part(browser.response.text, "messages")
    assert "x" * 1001 in browser.press(form_to(browser, "messages"), text="x" * 1001).text, "what was typed stays"


def test_only_the_newest_messages_are_on_the_page(browser, long_game):
    m = long_game
    for number in range(12):
        messages.post(m.store, m.id, m.players[number % 2], f"number {number}.", NOW)
    enter(browser, m, 0)
    html = part(browser.open(f"/games/{m.id}").text, "messages")
    assert re.findall(r"number (\d+)\.", html) == [str(number) for number in range(4, 12)]
    assert f'href="/games/{m.id}/messages"' in html
    assert "number 0." in browser.open(f"/games/{m.id}/messages").text


def test_messages_are_not_for_those_who_look_on(browser, long_game):
    m = long_game
    messages.post(m.store, m.id, m.players[1], "secret plans", NOW)
    eve = make_player(m.store, "Eve")
    enter(browser, m, None)
    assert "secret plans" not in browser.open(f"/games/{m.id}").text
    sign_in(browser.client, m.store, eve)
    page = browser.open(f"/games/{m.id}").text
    assert "secret plans" not in page
    assert not [form for form in browser.forms if form.action.endswith(("/messages", "/note", "/notices", "/pause"))]


def test_by_a_link_there_are_messages_but_nothing_else_of_ones_own(browser, long_game):
    m = long_game
    seat = m.active
    notes.put(m.store, m.id, m.players[seat], "my secret note")
    messages.post(m.store, m.id, m.players[1 - seat], "well met", NOW)
    token = turn_token(m)
    page = browser.open(f"/t/{token}").text
    assert "well met" in page
    assert "my secret note" not in page
    ends = {form.action.rpartition("/")[2] for form in browser.forms}
    assert not ends & {"note", "notices", "pause", "invite", "leave", "rematch", "bots"}
    answer = browser.press(form_to(browser, "messages"), text="indeed", follow=False)
    assert answer.headers["Location"] == f"/t/{token}#messages"
    assert "indeed" in browser.open(f"/t/{token}").text
    m.play_turn()
    assert "well met" not in browser.open(f"/t/{token}").text, "the turn is over"


def test_what_somebody_wrote_who_left_is_not_ascribed_to_who_came(browser, store):
    ann, ben, cleo = (make_player(store, name) for name in ("Ann", "Ben", "Cleo"))
    game = creating.create(store, ann, 3, "Open", None, "", [], False, NOW)["id"]
    joining.join(store, ben, game, "", None, NOW)
    messages.post(store, game, ben, "I must go", NOW)
    joining.leave(store, ben, game, NOW)
    joining.join(store, cleo, game, "", None, NOW)
    m = Match(store, game, [ann, cleo])
    enter(browser, m, 0)
    for path, where in ((f"/games/{game}", "messages"), (f"/games/{game}/messages", "")):
        page = browser.open(path).text
        html = part(page, where) if where else page
        assert "Somebody who left" in html
        assert "Cleo" not in html.replace("Cleo has joined.", "")
    assert messages.listing(store, game, ann)[0]["name"] is None


def test_a_note_is_kept_and_nobody_else_sees_it(browser, long_game):
    m = long_game
    enter(browser, m, 0)
    browser.open(f"/games/{m.id}")
    answer = browser.press(form_to(browser, "note"), note="Watch\r\nthe <docks>", follow=False)
    assert answer.headers["Location"] == f"/games/{m.id}?done=note#note"
    page = browser.open(f"/games/{m.id}?done=note").text
    assert "Watch\nthe &lt;docks&gt;" in page
    assert "Your note is saved." in page
    assert notes.get(m.store, m.id, m.players[0]) == {"note": "Watch\nthe <docks>"}
    for other in (1, None):
        enter(browser, m, other)
        assert "docks&gt;" not in browser.open(f"/games/{m.id}").text
    enter(browser, m, 0)
    browser.open(f"/games/{m.id}")
    assert browser.press(form_to(browser, "note"), note="x" * 4001).status_code == 422
    assert 'role="alert"' in part(browser.response.text, "note")
    assert "x" * 4001 in browser.response.text


def test_what_is_said_once_done_is_a_text_of_ours(browser, long_game):
    m = long_game
    page = browser.open(f"/games/{m.id}?done=<b>You+have+won</b>").text
    assert "You have won" not in page
    assert 'id="done-said"' not in page


def test_a_form_keeps_the_draft_of_its_page(browser, long_game):
    m = long_game
    seat = m.active
    enter(browser, m, seat)
    push = next(move for move in m.legal(seat) if move.startswith("push"))
    path = f"/games/{m.id}?ply={m.ply(seat)}&draft={push.replace(' ', '+')}"
    browser.open(path)
    answer = browser.press(form_to(browser, "note"), note="x", follow=False)
    assert answer.headers["Location"] == f"{path}&done=note#note"
