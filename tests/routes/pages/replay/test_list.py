"""The list of replays and its filters; and playing on from a ply."""

import re
from urllib.parse import unquote

import pytest

from replays.analysis import results
from server.service.accounts import sessions
from server.service.archive import analyses, replay_lists
from server.service.lists import game_page
from server.service.seating.example_game import EXAMPLE_ID
from tests import tables
from tests.routes.pages.conftest import everything, sign_in
from tests.routes.pages.replay.conftest import GAME, board, elements, wanted
from tests.service.conftest import NOW, make_player


def test_the_biggest_swing_is_the_picture_of_a_game(match, store, client, time):
    """On its card for links, unless another ply is asked for, and in lists; nobody is made to look for it."""
    m = match()
    for _ in range(3):
        m.play_turn()
    m.end_early()
    [card] = elements(client.get(f"/replays/{m.id}").text, "meta", property="og:image")
    last = m.page(None)["ply"]
    assert card["content"].endswith(f"ply={last}")
    assert analyses.claim(store, "me", NOW, NOW) is not None
    found: results.Analysis = {"format": results.FORMAT, "version": "1", "plies": [], "seats": [], "moments": [],
        "strokes": [{"ply": 3, "round": 1, "seat": 0, "move": "money", "luck": [0.3, -0.3]}]}  # fmt: skip
    analyses.keep(store, "me", m.id, found, [], NOW)
    page = client.get(f"/replays/{m.id}").text
    [card] = elements(page, "meta", property="og:image")
    assert card["content"].endswith("ply=3")
    assert client.get(card["content"]).data == client.get(f"/replays/{m.id}/picture.png").data
    assert "The biggest swing in chances: " in page
    [card] = elements(client.get(f"/replays/{m.id}?ply=2").text, "meta", property="og:image")
    assert card["content"].endswith("ply=2")
    for path in ("/replays", "/"):
        page = client.get(path).text
        assert "The biggest swing in chances: round 1, move 3" in page
        # Whose clock it is has to be said to who has told no time zone, and to nobody else.
        assert re.search(r"<time[^>]*>[^<]*, \d\d:\d\d UTC</time>", page)
    sign_in(client, store, m.players[0])
    assert re.search(r"<time[^>]*>[^<]*, \d\d:\d\d</time>", client.get("/replays").text)


def test_the_list_leads_to_the_viewers_and_tells_how_games_ended(example, client):
    text = client.get("/replays").text
    assert f'href="{GAME}"' in text
    result = replay_lists.summary(example, EXAMPLE_ID)["result"]
    for score in result["scores"]:
        assert f"<b>{score['total']}</b>" in text
    assert text.count("★") == len(result["winners"])


@pytest.mark.parametrize(("query", "there"), [
    ("seats=3&tower=true&score_max=500&to=2026-11-21", True), ("tower=false", False), ("origin=played", False),
    ("from=2026-11-22", False), ("player=me", False), ("seats=&tower=&from=", True), ("page=2", False),
])  # fmt: skip
def test_filters_choose(example, client, query, there):
    answer = client.get(f"/replays?{query}")
    assert answer.status_code == 200
    assert (f'href="{GAME}"' in answer.text) is there


@pytest.mark.parametrize(
    "query", ["from=yesterday", "score_min=many", "seats=9", "page=0", "nonsense=1", "origin=mars"]
)
def test_filters_that_cannot_be_read_are_said_to_be_wrong(example, client, query):
    answer = client.get(f"/replays?{query}")
    assert answer.status_code == 422
    assert "wrong" in answer.text or "notice bad" in answer.text


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
    [guest] = store.ask(lambda: list(tables.Player.select()))
    assert guest.name.startswith("Guest ")
    assert "Europe/Rome" in guest.preferences
    page = game_page.page(store, answer.location.rsplit("/", 1)[1], sessions.player_by_id(store, guest.id))
    assert (page["origin"], page["private"], page["seat"]) == ("sandbox", True, 1)
    assert browser.open(answer.location).status_code == 200
    assert everything(example) != before
    again = browser.open(GAME)
    assert 'id="sign-in"' not in again.text, "from now on it is the guest who plays on"
    browser.press(browser.button("Play on"), follow=False, play="1")
    assert store.ask(lambda: tables.Player.select().count()) == 1
