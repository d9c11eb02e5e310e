"""Sessions: listed, ended one by one, over when nobody uses them; those of 0.1.0 stay good."""

from contextlib import nullcontext
from datetime import timedelta
from hashlib import sha256

import pytest

from server.service.accounts import links, sessions
from server.service.accounts.links import OldLinkError
from server.service.accounts.sessions import device
from server.service.common.errors import TooManyRequests
from tests.service.conftest import NOW, give_address, make_player
from tests.tables import Mail, Session

DAY = timedelta(days=1)
IDLE = 10 * DAY


@pytest.fixture
def ann(store):
    return give_address(store, make_player(store, "Ann"), "ann@example.org")


@pytest.fixture
def guest(store):
    return make_player(store, "Guest")


def link(store, player, now=NOW) -> str:
    return links.sign_in_token(store, now=now, player_id=player.id, address="ann@example.org")


def alive(store, session, now) -> bool:
    """Whether a session opens the pages, which note its use."""
    found = sessions.find(store, session, now, IDLE)
    if found is not None and found.to_note:
        sessions.note_use(store, session, now)
    return found is not None


def test_a_session_is_stored_as_a_hash(store, ann):
    session = sessions.new_session(store, ann.id, NOW, device="Firefox, Linux")
    assert session not in store.ask(lambda: repr(list(Session.select().tuples())))


def test_who_does_not_come_back_is_signed_out(store, ann):
    session = sessions.new_session(store, ann.id, NOW)
    assert alive(store, session, NOW + 9 * DAY)
    assert alive(store, session, NOW + 18 * DAY), "it was used in between"
    assert sessions.listing(store, ann, NOW + 28 * DAY, IDLE) == []
    assert not alive(store, session, NOW + 28 * DAY)
    assert not alive(store, session, NOW + 27 * DAY + DAY)


def test_everybody_signs_in_anew_some_day_but_a_guest_could_not(store, ann, guest):
    of_ann, of_guest = (sessions.new_session(store, one.id, NOW) for one in (ann, guest))
    for day in range(0, 90, 9):
        assert alive(store, of_ann, NOW + day * DAY) == (day < 30)
        assert alive(store, of_guest, NOW + day * DAY)
    assert not alive(store, of_guest, NOW + 81 * DAY + 30 * DAY)


def test_signing_in_ends_the_session_before(store, ann, guest):
    """Whoever planted the old one in the browser has nothing of the new."""
    planted = sessions.new_session(store, guest.id, NOW)
    fresh = sessions.sign_in(store, link(store, ann), NOW, "", planted)
    assert not alive(store, planted, NOW)
    assert sessions.player_of(store, fresh, NOW).id == ann.id
    with pytest.raises(OldLinkError):
        sessions.sign_in(store, link(store, ann), NOW, "", fresh)
    assert alive(store, fresh, NOW), "a link that was used ends nothing"


def test_only_so_many_are_kept(store, guest):
    made = [sessions.new_session(store, guest.id, NOW + timedelta(minutes=n)) for n in range(sessions.SESSIONS_MAX + 2)]
    later = NOW + timedelta(hours=2)
    assert [alive(store, one, later) for one in made] == [False, False] + [True] * sessions.SESSIONS_MAX


def test_who_has_many_addresses_of_a_network_asks_no_oftener(store, ann, monkeypatch):
    monkeypatch.setattr(sessions, "SIGN_IN_ASKS_AN_HOUR", 2)
    for number in range(3):
        with nullcontext() if number < 2 else pytest.raises(TooManyRequests):
            sessions.ask(store, f"ann{number}@example.org", f"2001:db8::{number + 1}", NOW)
    sessions.ask(store, "ann@example.org", "2001:db8:0:1::1", NOW)
    assert store.ask(lambda: [row.address for row in Mail.select()]) == ["ann@example.org"]


def test_what_nobody_uses_is_forgotten(store, guest, ann):
    sessions.new_session(store, guest.id, NOW)
    kept = sessions.new_session(store, ann.id, NOW + 5 * DAY)
    assert sessions.clean_up(store, NOW + 40 * DAY, IDLE) == 0
    assert sessions.clean_up(store, NOW + 40 * DAY + timedelta(seconds=1), IDLE) == 1
    [row] = store.ask(lambda: list(Session.select()))
    assert row.hash[: sessions.ID_LENGTH] == sessions.find(store, kept, NOW + 5 * DAY).id


def test_who_holds_no_session_and_no_account_gets_nowhere(store, ann):
    assert not alive(store, sessions.new_session(store, "nobody", NOW), NOW)
    for text in ("", "a.b.c", links.make(store, "turn", now=NOW, player=ann.id), "\udcff"):
        assert not alive(store, text, NOW)


def test_a_session_that_0_1_0_signed_stays_good(store, guest):
    """A guest has nothing else to come back with."""
    signed = "eyJwbGF5ZXIiOiJwMSIsIm5vbmNlIjoiNjQ2NDY0In0.aR9z0A.2p0Qv5J4y4r0mJ9k1cXkq0kqgE9cJp1sXH0XbE3fJrA"
    hashed = sha256(f"session {signed.rpartition('.')[0]}".encode()).hexdigest()
    with store.write():
        Session.insert(hash=hashed, player=guest.id, device="", began_at=NOW, seen_at=NOW).execute()
    assert alive(store, signed, NOW + DAY)


def test_a_form_is_of_who_holds_the_secret_of_its_page():
    token = sessions.form_token("secret", NOW)
    assert sessions.check_form(token, "secret", NOW)
    assert sessions.check_form(token, "secret", NOW + sessions.FORM_KEPT - timedelta(minutes=1))
    assert not sessions.check_form(token, "secret", NOW + sessions.FORM_KEPT + timedelta(minutes=1))
    assert not sessions.check_form(token, "other", NOW)
    for form in (token[:-2], "x" + token, "", None, "\udcff"):
        assert not sessions.check_form(form, "secret", NOW)


@pytest.mark.parametrize(("header", "words"), [
    (("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
     "Mobile/15E148 Safari/604.1"), "Safari, iPhone"),
    (("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 "
     "Edg/126.0.0.0"), "Edge, Windows"),
    ("<script>alert(1)</script>", ""),
])  # fmt: skip
def test_a_device_is_called_by_two_words(header, words):
    assert device(header) == words
