"""The log of a game and the positions that its lines lead to: each for what its reader may know."""

import re

from tests.routes.pages.conftest import enter, part, read, text_of


def test_the_log_has_the_last_rounds_and_all_when_asked(browser, long_game):
    m = long_game
    enter(browser, m, 0)
    last = m.ply(0)
    short = part(browser.open(f"/games/{m.id}").text, "log")
    rounds = re.findall(r"<h3>Round (\d+)</h3>", short)
    assert rounds == ["5", "6"]
    assert "?log=all#log" in short
    whole = part(browser.open(f"/games/{m.id}?log=all").text, "log")
    assert re.findall(r"<h3>Round (\d+)</h3>", whole) == ["1", "2", "3", "4", "5", "6"]
    plies = [int(ply) for ply in re.findall(r'/at/(\d+)"', whole)]
    assert plies == list(range(1, last + 1)), "one order: as it was played"
    assert "?log=all" not in whole


def test_in_the_log_a_line_stands_before_what_is_new(browser, match):
    m = match(3)
    seat = m.active
    m.play_turn()
    m.play_turn()
    enter(browser, m, seat)
    known, new = part(browser.open(f"/games/{m.id}").text, "log").split("New since your last turn")
    assert "You end the turn." in text_of(known)
    assert "ends the turn." not in text_of(known)
    assert int(re.findall(r'/at/(\d+)"', known)[-1]) + 1 == int(re.findall(r'/at/(\d+)"', new)[0])


def test_each_line_leads_to_the_position_then(browser, long_game):
    m = long_game
    enter(browser, m, 0)
    found = read(browser.open(f"/games/{m.id}?log=all")).links
    for path in [link for link in found if "/at/" in link][::7]:
        page = browser.open(path).text
        ply = int(path.rpartition("/")[2])
        assert f"After move {ply} of {m.ply(0)}" in page
        assert 'aria-current="true"' in page
    first = browser.open(f"/games/{m.id}/at/0").text
    assert "Before the first move" in first
    assert "/at/1" in first
    assert "/at/-1" not in first
    newest = m.ply(0)
    last = read(browser.open(f"/games/{m.id}/at/{newest}")).links
    assert f"/games/{m.id}/at/{newest - 1}" in last
    assert f"/games/{m.id}/at/{newest + 1}" not in last
    assert f"/games/{m.id}" in last
    browser.open(f"/games/{m.id}/at/{newest + 1}", 404)
