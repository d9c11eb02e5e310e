"""What pages say when mail does not go out, or does not reach somebody: to the table, and no more than it may know."""

from datetime import timedelta

import pytest

from server.service.lists import game_page
from server.service.outbox import pauses
from server.service.play import timeouts
from server.storage.times import parse_utc
from tests.routes.pages.conftest import NOW
from tests.routes.pages.table import enter, part, text_of, timed
from tests.tables import Mail, Player

LATER = NOW + timedelta(hours=3)


@pytest.fixture
def waiting(store, time):
    """A turn, three hours old, whose notice has not gone out."""
    m = timed(store)
    with store.write():
        for seat, player in enumerate(m.players):
            Player.update(email=f"player{seat}@example.org", email_confirmed_at=NOW).where(
                Player.id == player.id
            ).execute()
    m.play_turn()
    time.now = LATER
    assert timeouts.heed_notices(store, LATER) == 1
    return m


def clock_of(browser, m, seat):
    enter(browser, m, seat)
    return text_of(part(browser.open(f"/games/{m.id}").text, "clock"))


def test_the_table_is_told_that_a_clock_waits_and_how_much_was_granted(browser, store, waiting):
    m, seat, name = waiting, waiting.active, waiting.players[waiting.active].name
    assert "The mail about your turn could not be sent yet" in clock_of(browser, m, seat)
    assert f"Until it is, or {name} has begun to play, the clock stands still" in clock_of(browser, m, 1 - seat)
    assert "could not be sent" not in clock_of(browser, m, None)
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
        assert "The mail about this turn was late, so 3 hours of its time do not count" in clock_of(browser, m, other)
    assert (m.page(None)["granted_seconds"], "was late" in clock_of(browser, m, None)) == (None, False)


def test_everybody_is_told_that_mail_and_clocks_are_paused(browser, store, time):
    m = timed(store)
    known = m.page(0)["deadline"]
    pauses.pause(store, "a new disk: secret words of the operator", NOW)
    for seat in (0, 1, None):
        assert "This server has sent no mail since" in clock_of(browser, m, seat)
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
    with store.write():
        Player.update(
            email="ann@example.org", email_confirmed_at=NOW, mail_stopped_at=NOW, mail_stopped_why="550 <no> such user"
        ).where(Player.id == m.players[0].id).execute()
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
    with store.write():
        Player.update(email="ann@example.org", email_confirmed_at=NOW).where(Player.id == m.players[0].id).execute()
    assert game_page.page(store, m.id, m.players[1])["mail_stopped"] == shown == []
