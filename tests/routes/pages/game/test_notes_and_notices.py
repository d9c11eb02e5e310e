"""What is one's own on the page of a game: the note, the notices; and how their forms lead back."""

import re

from server.service.chat import notes
from tests.routes.pages.table import enter, form_to, part


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


def test_notices_of_this_game(browser, long_game):
    m = long_game
    enter(browser, m, 0)
    browser.open(f"/games/{m.id}")
    page = browser.press(form_to(browser, "notices"), mail="digest").text
    assert re.search(r'<option value="digest" selected>', page)
    page = browser.press(form_to(browser, "notices"), mail="").text
    assert re.search(r'<option value="" selected>', page)
    assert browser.press(form_to(browser, "notices"), mail="loud").status_code == 422


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
