"""Ratings and statistics on pages: lists, a player's page, games for some ratings alone."""

import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest

from server.service.accounts import profiles
from server.service.archive import rating, statistics
from server.service.lists import game_lists, ratings
from server.service.seating import creating, example_game, joining
from server.storage import sql
from server.storage.database import Store
from tests.routes.pages.conftest import NOW, Browser, everything, read, sign_in
from tests.service.archive.test_rating import LATER, finish, put_games, rated_player, start
from tests.service.conftest import make_player

NAMES = ("Ann", "Ben", "Джамиля Ⅲ", "山田 太郎", "محمد علي", "Παπαδόπουλος")


@pytest.fixture
def played(store: Store) -> list[Any]:
    """The example game; two who have played a game, with an analysis, and others before it."""
    example_game.ensure_example(store, NOW)
    players = [rated_player(store, name) for name in NAMES]
    put_games(store, players, 90, random.Random(4))
    for _ in range(2):
        game = start(store, *players[:2])
        finish(game)
        with store.write():
            found = json.dumps({"seats": [{"luck": 0.1, "error": -0.2}] * 2})
            sql.execute(store, "UPDATE analysis SET version = '1', data = ? WHERE game_id = ?", found, game.id)
    rating.rate(store, LATER, 1000)
    statistics.count(store, 100)
    return players


@pytest.mark.parametrize("code", ["en", "de", "it"])
def test_ratings_and_statistics_are_told_in_each_language(played: list[Any], browser: Browser, code: str) -> None:
    browser.client.set_cookie("ulm_language", code)
    title = {"en": "Ratings", "de": "Wertungen", "it": "Valutazioni"}[code]
    page = browser.open("/ratings?seats=2&variant=basic").text
    assert f"<h1>{title}</h1>" in page
    for player, name in zip(played, NAMES, strict=True):
        assert f'<a href="/players/{player.id}">{name}</a>' in page
        assert f"<h1>{name}" in browser.open(f"/players/{player.id}").text
    assert 'href="/players/journeyman"' in page
    [asked] = [one for one in browser.client.get("/api/v1/ratings?variant=basic&seats=2").json if one["name"] == "Ann"]
    [course] = browser.client.get(f"/api/v1/players/{asked['player']}/ratings").json[:1]
    assert len(course["course"]) == course["games"]
    assert browser.open("/statistics?seats=3&variant=advanced").text.count('<svg class="plot"') == 4
    shown = browser.open(f"/players/{played[0].id}").text
    assert shown.count('class="curve"') == 2 + 2, "two ratings, luck and skill"
    assert "</svg>" in browser.open("/players/journeyman").text


def test_whoever_switches_it_off_or_is_private_is_shown_to_nobody(
    store: Store, played: list[Any], browser: Browser
) -> None:
    ann, ben, *_others = played
    sign_in(browser.client, store, ann)
    browser.open("/account")
    form = next(form for form in browser.forms if form.action == "/account/people")
    assert 'name="rated" value="yes" checked' in browser.response.text
    browser.press(form, rated=None, private=None)
    profiles.update_profile(store, ben, {"preferences": {"private": True}}, NOW)
    listed = browser.open("/ratings").text
    assert ann.id not in listed
    assert ben.id not in listed
    assert "nobody else sees it" in browser.open(f"/players/{ann.id}").text
    browser.client.delete_cookie("ulm_session")
    assert 'id="rating"' not in browser.open(f"/players/{ann.id}").text
    assert browser.open(f"/players/{ben.id}", 404)
    browser.open(next(link for link in read(browser.open("/ratings").text).links if "people" in link))
    browser.open(next(link for link in read(browser.response.text).links[::-1] if link.startswith("/sign-up")))
    assert browser.press(browser.forms[0], follow=False, name="Gast").location == "/account#people"


def test_a_game_for_some_ratings_says_so_and_keeps_others_off(
    store: Store, played: list[Any], browser: Browser
) -> None:
    sign_in(browser.client, store, played[0])
    browser.open("/new")
    given = {"second": "person", "third": "nobody", "fourth": "nobody", "clock": "day", "private": None}
    refused = browser.press(browser.button("Make the game"), **given, rating_min="1600", rating_max="1500")
    assert "Give a whole number from 1600 to 10000." in refused.text
    made = browser.press(browser.button("Make the game"), **given, rating_min="1600", rating_max="2000")
    assert "Game of Ann" in made.text
    [game] = game_lists.listing(store, None, "open")[0]
    assert game["rating"] == {"min": 1600, "max": 2000}
    sign_in(browser.client, store, make_player(store, "Cleo"))
    listed = browser.open("/?list=open").text
    assert "for ratings of 1600–2000" in listed
    assert "host: " in listed
    assert f"/games/{game['id']}/join" in read(listed).links
    where = f"/games/{game['id']}/join"
    off = browser.open(where)
    assert "for ratings of 1600–2000" in off.text
    assert "players who have switched their rating on" in off.text
    assert "/account#people" in read(off).links
    sign_in(browser.client, store, rated_player(store, "Dora"))
    assert "who has no rating yet has 1500" in browser.open(where).text
    assert [form.label for form in browser.forms] == [], "nothing to press"
    browser.client.delete_cookie("ulm_session")
    stranger = browser.open(where)
    assert "players who have switched their rating on" in stranger.text
    assert f"/sign-in?next={where}" in read(stranger).links
    other = creating.create(store, played[1], 2, "For all", None, "", [], False, NOW)
    browser.open(f"/games/{other['id']}/join")
    before = everything(store)
    refused = browser.press(replace(browser.button("Take a seat"), action=where), name="Eve")
    assert refused.status_code == 403
    assert "players who have switched their rating on" in refused.text
    assert "Eve" not in refused.text
    assert everything(store) == before, "no account is made for a seat that there is not"


def test_a_game_says_whether_it_counts_and_what_it_changed(store: Store, browser: Browser) -> None:
    ann, ben = rated_player(store, "Ann"), rated_player(store, "Ben")
    sign_in(browser.client, store, ann)

    def told(game_id: str) -> str:
        page = browser.open(f"/games/{game_id}").text
        [line] = re.findall(r'<a href="/ratings\?variant=basic&amp;seats=2">([^<]*)</a></p>', page)
        return line

    waiting, private = (creating.create(store, ann, 2, None, None, "", [], alone, NOW)["id"] for alone in (False, True))
    assert told(waiting) == "This game counts for ratings if all at the table have switched theirs on."
    assert told(private) == "This game does not count for ratings."
    joining.join(store, make_player(store, "Guest"), waiting, "", None, NOW)
    assert told(waiting) == "This game does not count for ratings."
    game = start(store, ann, ben)
    assert told(game.id) == "This game counts for ratings."
    finish(game)
    assert told(game.id) == "Ratings are computed a little after the end of a game."
    rating.rate(store, LATER, 10)
    after = {one.id: ratings.of_player(store, one.id, one)[0]["points"] for one in (ann, ben)}
    line = told(game.id)
    assert line.startswith("Ratings by this game: ")
    assert f"you 1500 → {after[ann.id]}" in line
    assert f"Ben 1500 → {after[ben.id]}" in line
    profiles.update_profile(store, ben, {"preferences": {"rated": False}}, NOW)
    assert told(game.id) == f"Ratings by this game: you 1500 → {after[ann.id]}."
    browser.client.delete_cookie("ulm_session")
    profiles.update_profile(store, ann, {"preferences": {"private": True}}, NOW)
    assert told(game.id) == "This game counts for ratings."
