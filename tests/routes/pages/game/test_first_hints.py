"""The line "what now" of a first game: who gets it, what it says, and that it can be sent away."""

from tests.routes.pages.conftest import read, sign_in

AWAY = "Do not show again"


def first(match, client):
    """A game whose player to move is signed in."""
    m = match(2, auto_draw=False)
    sign_in(client, m.store, m.players[m.active])
    return m


def test_a_first_game_says_what_to_do_at_each_step(match, browser, client):
    m = first(match, client)
    assert "Draw a tile; then push it into the square." in browser.open(f"/games/{m.id}").text
    m.play(m.active, "draw")
    assert "Choose a gate: you use the tiles of its line." in browser.open(f"/games/{m.id}").text


def test_it_is_sent_away_for_good_and_the_page_is_the_same_one(match, browser, client):
    m = first(match, client)
    browser.open(f"/games/{m.id}")
    [away] = [form for form in read(browser.response).forms if "hints" in form.fields]
    browser.press(away)
    assert browser.moves()
    assert AWAY not in browser.response.text
    assert "Draw a tile to begin." in browser.response.text


def test_who_has_finished_a_game_or_looks_on_gets_none(match, browser, client):
    m = first(match, client)
    sign_in(client, m.store, m.players[1 - m.active])
    assert AWAY not in browser.open(f"/games/{m.id}").text
    with m.store.write():
        m.store.database.execute_sql("UPDATE game SET finished_at = created_at")
    sign_in(client, m.store, m.players[m.active])
    assert AWAY not in browser.open(f"/games/{m.id}").text
