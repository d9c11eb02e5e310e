"""The end of a game on its page: places, bars, how the points went, and one thing to do next."""

import re

from server.engine import game
from server.service.archive import replays
from server.service.archive.replay_lists import summary
from server.service.explain import turning_points
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from tests.routes.pages.conftest import NOW, read, sign_in, turn_token
from tests.tables import Game


def test_e5_the_course_of_a_game_ends_with_its_result(store):
    ensure_example(store, NOW)
    course = turning_points.of_game(store, EXAMPLE_ID)
    with store.read():
        replay = game.Game(replays.make_record(store, replays.find(store, EXAMPLE_ID, None)))
    result = summary(store, EXAMPLE_ID)["result"]
    assert course == turning_points.of_replay(replay)
    assert course.swings
    for swing in course.swings:
        begins = replay.state(swing.ply)
        assert (begins.active, begins.round) == (swing.seat, swing.round)
        ends = next(step for step in replay.steps(swing.ply + 1) if str(step.entry.text) == "end")
        rules = begins.rules
        before, after = rules.final_scores(begins), rules.standing(ends.state, ends.state.scores)
        assert after[swing.seat]["total"] - before[swing.seat]["total"] == swing.gain
    assert list(course.lead.before) != result["winners"]


def test_the_page_begins_with_how_it_ended(match, browser):
    m = match(3)
    while m.page(0)["status"] == "running":
        m.play_turn()
    result = m.page(0)["result"]
    page = browser.open(f"/games/{m.id}").text
    part = page[page.index('id="result"') : page.index('id="drawer"')]
    totals = [int(text.replace("\u2212", "-")) for text in re.findall(r'"total"><strong>([^<]*)<', part)]
    assert totals == sorted((one["total"] for one in result["scores"]), reverse=True)
    assert [int(seat) for seat in re.findall(r'class="place winner" data-seat="(\d)"', part)] == result["winners"]
    below = any(value < 0 for one in result["scores"] for value in (one["vp"], one["barge"]))
    assert ('class="nothing"' in part) == below
    course = turning_points.of_game(m.store, m.id)
    told = [*course.swings, *([course.lead] if course.lead else [])]
    watched = re.findall(rf'href="/replays/{m.id}\?ply=(\d+)"', part)
    assert watched == [str(ply) for ply in sorted({one.ply for one in told})]


def test_one_thing_to_do_next(match, browser):
    """Those who played play again; the others look."""
    m = match(2)
    m.play_turn()
    m.play(1, "resign")

    def first():
        page = browser.open(f"/games/{m.id}").text
        return re.findall(r'class="[^"]*primary[^"]*"[^>]*>([^<]*)<', page.partition("<dialog")[0])

    assert first() == ["Watch the replay"]
    sign_in(browser.client, m.store, m.players[1])
    assert first() == ["Offer a rematch"]
    assert "You won" not in browser.response.text
    sign_in(browser.client, m.store, m.players[0])
    assert first() == ["Offer a rematch"]
    assert "You won!" in browser.response.text


def test_a_link_does_not_lead_to_the_replay_of_a_private_game(match, browser):
    m = match(2)
    m.play_turn()
    token = turn_token(m, m.active)
    m.play(m.active, "resign")
    with m.store.write():
        Game.update(private=True).where(Game.id == m.id).execute()
    page = browser.open(f"/t/{token}")
    assert not [link for link in read(page).links if "/replays/" in link]


def test_a_game_that_was_given_up_shows_how_it_stood(match, browser):
    m = match(2)
    m.play_turn()
    with m.store.write():
        Game.update(status="abandoned", finished_at=NOW).where(Game.id == m.id).execute()
    page = browser.open(f"/games/{m.id}").text
    assert "The game was given up" in page
    assert page.count('class="score-bar"') == 2
    assert "1st place" not in page
    assert f"/replays/{m.id}" not in page
