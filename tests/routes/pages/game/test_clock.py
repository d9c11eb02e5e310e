"""The clock on the page of a game: the reader's own time, pauses, deadlines that are past."""

from datetime import timedelta

from server.service.play import pause
from server.storage.times import parse_utc
from tests.routes.pages.conftest import NOW
from tests.routes.pages.table import enter, part, text_of, timed
from tests.tables import Game


def clock_of(page):
    """The section of the clock alone."""
    return part(page, "clock").partition("</section>")[0]


def test_the_clock_is_told_in_the_readers_own_time(browser, store):
    m = timed(store)
    seat = m.active
    enter(browser, m, seat)
    html = clock_of(browser.open(f"/games/{m.id}").text)
    deadline = m.page(seat)["deadline"]
    assert f'datetime="{deadline}"' in html
    assert f'data-deadline="{deadline}"' in html
    assert "You have time until" in html
    assert "left" in text_of(html)
    enter(browser, m, 1 - seat)
    assert f"{m.players[seat].name} has time until" in clock_of(browser.open(f"/games/{m.id}").text)
    enter(browser, m, None)
    html = clock_of(browser.open(f"/games/{m.id}").text)
    assert "has time until" in html
    assert "<button" not in html


def test_deadlines_that_are_past_are_told_so(browser, store, time):
    m = timed(store)
    time.now = parse_utc(m.page(0)["deadline"]) + timedelta(minutes=1)
    assert "time is up" in text_of(clock_of(browser.open(f"/games/{m.id}").text))


def test_a_pause_is_asked_for_and_ended(browser, store):
    m = timed(store)
    enter(browser, m, 0)
    browser.open(f"/games/{m.id}")
    browser.press(browser.button("Ask for a pause"))
    assert m.page(0)["pause_votes"] == [0]
    assert "No pause for me" in browser.response.text
    browser.press(browser.button("No pause for me"))
    assert m.page(0)["pause_votes"] == []
    pause.vote(store, m.players[1], m.id, m.clock())
    assert "Asking for a pause: Ben" in text_of(browser.open(f"/games/{m.id}").text)
    browser.press(browser.button("Ask for a pause"))
    assert m.page(0)["paused"]
    assert "The game is paused" in browser.response.text
    browser.press(browser.button("Let the clock run again"))
    assert not m.page(0)["paused"]


def test_a_pause_that_cannot_be_is_explained_beside_the_clock(browser, store, time):
    m = timed(store)
    enter(browser, m, 0)
    browser.open(f"/games/{m.id}")
    form = browser.button("Ask for a pause")
    with store.write():
        Game.update(deadline=NOW).where(Game.id == m.id).execute()
    assert browser.press(form).status_code == 409
    assert 'role="alert"' in clock_of(browser.response.text)
