"""The clock on the page of a game: the reader's own time, pauses, mail that is late; and whom mail does not reach."""

from datetime import timedelta

import pytest

from server.service.lists import game_page
from server.service.outbox import pauses
from server.service.play import pause, timeouts
from server.storage.times import parse_utc
from tests.routes.pages.conftest import NOW, enter, give_address, part, text_of, timed
from tests.tables import Game, Mail, Player


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
    assert ", then 2 days of reserve" in text_of(html), "what is for the whole game is not taken for time of this turn"
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
    browser.press(browser.button("Agree to the pause"))
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
        Game.update(deadline=NOW, turn_began_at=NOW - timedelta(days=30)).where(Game.id == m.id).execute()
    assert browser.press(form).status_code == 409
    assert 'role="alert"' in clock_of(browser.response.text)


LATER = NOW + timedelta(hours=3)


@pytest.fixture
def waiting(store, time):
    """A turn, three hours old, whose notice has not gone out."""
    m = timed(store)
    for player in m.players:
        give_address(store, player, f"{player.name}@example.org")
    m.play_turn()
    time.now = LATER
    assert timeouts.heed_notices(store, LATER) == 1
    return m


def clock_told(browser, m, seat):
    enter(browser, m, seat)
    return text_of(part(browser.open(f"/games/{m.id}").text, "clock"))


def test_the_table_is_told_that_a_clock_waits_and_how_much_was_granted(browser, store, waiting):
    m, seat, name = waiting, waiting.active, waiting.players[waiting.active].name
    assert "The mail about your turn could not be sent yet" in clock_told(browser, m, seat)
    assert f"Until it is, or {name} has begun to play, the clock stands still" in clock_told(browser, m, 1 - seat)
    assert "could not be sent" not in clock_told(browser, m, None)
    began = m.page(seat)["waits_since"]
    for other in (seat, 1 - seat):
        page = m.page(other)
        assert (page["deadline"], page["waits_for"], page["granted_seconds"]) == (None, "notice", None)
    page = m.page(None)
    assert (page["deadline"], page["waits_for"], page["waits_since"]) == (None, None, None)
    with store.write():
        Mail.update(state="sent", done_at=LATER).where(Mail.kind == "turn").execute()
    timeouts.heed_notices(store, LATER)
    assert began is not None
    late = int((LATER - parse_utc(began)).total_seconds())
    for other in (seat, 1 - seat):
        page = m.page(other)
        assert (page["waits_for"], page["granted_seconds"]) == (None, late)
        assert (
            "3 hours of this turn do not count: the server was off then, or the mail about the turn was late"
            in clock_told(browser, m, other)
        )
    assert (m.page(None)["granted_seconds"], "was late" in clock_told(browser, m, None)) == (None, False)


def test_everybody_is_told_that_mail_and_clocks_are_paused(browser, store, time):
    m = timed(store)
    known = m.page(0)["deadline"]
    pauses.pause(store, "a new disk: secret words of the operator", NOW)
    for seat in (0, 1, None):
        assert "This server has sent no mail since" in clock_told(browser, m, seat)
        assert "secret words" not in browser.response.text
        page = m.page(seat)
        assert (page["deadline"], page["waits_for"], page["waits_since"]) == (None, "mail", "2026-11-21T09:30:00Z")
    enter(browser, m, 0)
    assert known not in browser.open("/").text
    assert "This server has sent no mail since" in browser.response.text
    pauses.resume(store, NOW + timedelta(minutes=1))
    timeouts.heed_pauses(store, NOW + timedelta(minutes=1))
    assert m.page(None)["deadline"] > known


def test_the_table_sees_whom_mail_does_not_reach_and_strangers_do_not(browser, store):
    m = timed(store)
    give_address(store, m.players[0], "ann@example.org")
    with store.write():
        stopped = {"mail_stopped_at": NOW, "mail_stopped_why": "550 <no> such user"}
        Player.update(**stopped).where(Player.id == m.players[0].id).execute()
    enter(browser, m, 1)
    page = browser.open(f"/games/{m.id}").text
    assert "Mail does not reach Ann: tell them some other way" in text_of(page)
    assert "mail does not arrive" in text_of(part(page, "players"))
    assert "no such user" not in page
    enter(browser, m, None)
    assert "mail does not" not in browser.open(f"/games/{m.id}").text.lower()
    assert [m.page(seat)["mail_stopped"] for seat in (0, 1, None)] == [[0], [0], []]
    enter(browser, m, 0)
    for address in ("/", f"/games/{m.id}", "/rules"):
        said = browser.open(address).text
        assert "Mail to your address came back, so none is sent any more" in said
        assert "550 &lt;no&gt; such user" in said
        assert 'href="/account#address"' in said
    enter(browser, m, 1)
    assert "came back" not in browser.open("/").text


def test_who_has_no_address_looks_like_everybody_else(store):
    m = timed(store)
    shown = game_page.page(store, m.id, m.players[1])["mail_stopped"]
    give_address(store, m.players[0], "ann@example.org")
    assert game_page.page(store, m.id, m.players[1])["mail_stopped"] == shown == []
