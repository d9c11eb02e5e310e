"""Playing on from a ply of a replay."""

from urllib.parse import unquote

import pytest

from server.service.accounts import sessions
from server.service.lists import game_page
from tests import tables
from tests.routes.pages.conftest import everything, sign_in
from tests.routes.pages.replay.viewer import GAME, board, wanted
from tests.service.conftest import make_player


def test_playing_on_makes_a_sandbox_of_ones_own(example, store, browser, client):
    ann = make_player(store, "Ann")
    sign_in(client, store, ann)
    browser.open(f"{GAME}?ply=30&seat=1")
    form = browser.button("Play on")
    assert (form.fields["ply"], form.fields["seat"]) == ("30", "1")
    answer = browser.press(form, follow=False, play="1")
    assert answer.status_code == 303
    game = answer.location.rsplit("/", 1)[1]
    page = game_page.page(store, game, ann)
    assert (page["origin"], page["private"]) == ("sandbox", True)
    assert [seat["bot"] for seat in page["players"]] == ["apprentice", None, "apprentice"]
    browser.open(f"{GAME}?ply=30")
    whole = browser.press(browser.button("Play on"), follow=False, play="")
    page = game_page.page(store, whole.location.rsplit("/", 1)[1], ann)
    assert [seat["bot"] for seat in page["players"]] == [None, None, None]


@pytest.mark.parametrize("someone", [True, False])
def test_a_position_that_cannot_be_played_on_is_refused_in_words(example, store, browser, client, someone):
    if someone:
        sign_in(client, store, make_player(store, "Ann"))
    browser.open(f"{GAME}?ply=197")
    before = everything(example)
    answer = browser.press(browser.button("Play on"), follow=False)
    assert answer.status_code == 422
    assert everything(example) == before, "no account is made for nothing"
    assert 'role="alert"' in answer.text
    assert board(answer.text, "wide") == wanted(example, 197, None, "wide")


def test_a_stranger_plays_on_as_a_guest(example, store, browser):
    assert f'"/sign-in?next={GAME}?ply=30&seat=1"' in unquote(browser.open(f"{GAME}?ply=30&seat=1").text), "and back"
    before = everything(example)
    answer = browser.press(browser.button("Play on"), follow=False, play="1", time_zone="Europe/Rome")
    assert answer.status_code == 303
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    with store.read():
        [guest] = tables.Player.select()
    assert guest.name.startswith("Guest ")
    assert "Europe/Rome" in guest.preferences
    page = game_page.page(store, answer.location.rsplit("/", 1)[1], sessions.player_by_id(store, guest.id))
    assert (page["origin"], page["private"], page["seat"]) == ("sandbox", True, 1)
    assert browser.open(answer.location).status_code == 200
    assert everything(example) != before
    again = browser.open(GAME)
    assert 'id="sign-in"' not in again.text, "from now on it is the guest who plays on"
    browser.press(browser.button("Play on"), follow=False, play="1")
    with store.read():
        assert tables.Player.select().count() == 1
