"""The deal of the day as a stranger meets it, and what nobody is told of it over HTTP before it is over."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from server.app import create_app
from server.routes.http.browser_session import COOKIE as SESSION
from server.service.accounts.players import player_by_id
from server.service.contests import day
from server.storage import sql
from tests.routes.pages.conftest import NOW, sign_in
from tests.service.bots_here import play_due
from tests.service.conftest import make_player
from tests.service.contests import field
from tests.service.contests.test_day import play_on

THERE = "2026-11-21"


@pytest.fixture
def game(store, time):
    """A game of the deal that Ann has played to its end, as the bots of the field have; her player with it."""
    time.now = NOW
    day.look_after(store, NOW)
    ann = make_player(store, "Ann")
    begun = day.play(store, ann, NOW)
    play_due(store, NOW)
    play_on(store, ann, begun)
    return begun, ann


def test_a_stranger_plays_it_by_one_press_and_once(browser, store, time):
    time.now = NOW
    day.look_after(store, NOW)
    assert 'href="/deal"' in browser.open("/").text
    browser.open("/deal")
    [form] = [one for one in browser.forms if one.action.endswith("/deal")]
    answer = browser.press(form, follow=False)
    assert answer.status_code == 303
    game = answer.headers["Location"].rsplit("/", 1)[1]
    assert "Deal of 21 Nov 2026" in browser.open(f"/games/{game}").text
    shown = browser.open("/deal").text
    assert f'href="/games/{game}"' in shown
    assert not [one for one in browser.forms if one.action.endswith("/deal")]
    assert "How they did you see when you have played yours." in shown
    browser.client.delete_cookie(SESSION)
    assert "A guest has begun today’s deal in this browser already" in browser.open("/deal").text
    assert not [one for one in browser.forms if one.action.endswith("/deal")]
    assert browser.press(form).status_code == 409
    sign_in(browser.client, store, make_player(store, "Ann"))  # somebody else at the same machine
    browser.open("/deal")
    [form] = [one for one in browser.forms if one.action.endswith("/deal")]
    assert browser.press(form, follow=False).status_code == 303


def test_the_field_its_plot_and_one_s_own_place(client, store, game):
    begun, ann = game
    assert 'class="plot"' not in client.get("/deal").text
    sign_in(client, store, ann)
    shown = client.get("/deal").text
    assert re.search(r"You are in place \d of 4, with −?\d+ points", shown)
    assert "<td>-" not in shown
    assert re.search(r'<svg class="plot"[^>]* role="img" aria-label="How the points are spread\. [^"]*1 ← you', shown)
    assert f"/deal/{THERE}/" not in shown  # nothing to compare yet
    assert client.get(f"/deal/{THERE}/{begun}").status_code == 404
    over, first = client.get(f"/games/{begun}").text, client.get("/").text
    assert f'href="/deal/{THERE}"' in over
    assert f'href="/games/{begun}"' in first
    for shut in (f"/replays/{begun}", "How the points went", f"/games/{begun}/rematch"):
        assert shut not in first + over
    assert "others still play the same deal" in client.get(f"/replays/{begun}").text.lower()


def test_when_the_day_is_over_two_games_stand_beside_each_other(client, store, time):
    one = field.fill(store, 60, NOW)
    time.now = NOW + timedelta(days=1)
    day.look_after(store, time.now)
    sign_in(client, store, player_by_id(store, "p0000000"))
    shown = client.get(f"/deal/{THERE}").text
    assert re.search(rf'href="/deal/{THERE}/{one}">Where you parted from [^<]+ \d{{7}}, who has \d+ points<', shown)
    assert shown.count("<tr") == 26
    other = re.search(rf'href="(/deal/{THERE}/(?!{one})\w+)">Compare with yours<', shown)[1]
    assert f'"/replays/{one}?ply=' in client.get(other).text
    assert client.get(f"/deal/{THERE}?page=3").text.count("<tr") == 11
    beside = client.get(f"/deal/{THERE}/{one}").text
    parted = int(re.search(r"They played alike up to move (\d+), and part with the next.", beside)[1]) + 1
    assert len(re.findall(r'<div class="layout"><svg', beside)) == 2
    assert set(re.findall(r'href="/replays/(\w+)\?ply=(\d+)"', beside)) >= {(one, str(parted))}
    assert len(re.findall(r' id="([^"]+)"', beside)) == len(set(re.findall(r' id="([^"]+)"', beside)))
    far = client.get(f"/deal/{THERE}/{one}?ply=9999").text
    assert "To where they part" in far
    deal = sql.value(store, "SELECT id FROM deal WHERE day = ?", THERE)
    assert client.get(f"/deal/{deal}/{one}").status_code == 404  # days have addresses, deals have none
    month = client.get("/deal/months/2026-11").text
    assert month.count("<tr") == 61
    assert all(f">{name} 000000" in month for name in field.NAMES)
    assert "<h1>Deals of November 2026</h1>" in month
    seed = sql.value(store, "SELECT server_seed FROM game WHERE id = ?", one)
    assert seed in shown
    lines = client.get(re.search(r'href="(/api/v1/replays/export\?deal=[^"]+)"', shown)[1]).text.splitlines()
    assert len(lines) == 60
    assert all(seed in line for line in lines)


def test_what_is_no_day_is_not_found(client):
    for path in (
        "/deal/2026-02-30",
        "/deal/nosuch",
        "/deal/2026-11-21/nosuch",
        "/api/v1/deals/2026-13-01",
        "/deal/months/2026-13",
    ):
        assert client.get(path).status_code == 404, path
    assert "No day of this month is over yet." in client.get("/deal/months/2026-11").text
    assert "it is here in a moment" in client.get("/deal").text


def test_where_no_day_is_dealt_no_door_leads_to_one(settings, store):
    client = create_app(replace(settings, deals=False), store).test_client()
    assert "/deal" not in client.get("/").text
    assert client.get("/deal").status_code == 404
    token = client.post("/api/v1/players", json={"name": "Ann"}).json["token"]
    refused = client.post("/api/v1/deals/today/games", headers={"Authorization": f"Bearer {token}"})
    assert (refused.status_code, sql.value(store, "SELECT COUNT(*) FROM deal")) == (404, 0)
