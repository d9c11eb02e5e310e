"""What an account hangs on asks for a fresh sign-in by mail: address, tokens, its end."""

from contextlib import suppress
from datetime import timedelta

import pytest

from server.notify import account_mails, recipients
from server.service.accounts import links, players, sessions, tokens
from server.service.common import audit_log, quotas
from server.service.common.errors import TooManyRequests
from server.service.outbox import deliveries
from tests.routes.pages.account.conftest import ADDRESS
from tests.routes.pages.conftest import NOW, Form
from tests.service.conftest import make_player
from tests.tables import Mail, Player, Session

ASKED = "Is it you?"
# Where to, what is sent, and the page to come back to.
FORMS = {
    "/account/tokens": ({"name": "bot", "may_read": "yes"}, "/account/tokens"),
    "/account/address": ({"email": "eve@example.org"}, "/account#address"),
    "/account/delete": ({"name": "Ann"}, "/account/delete"),
}


@pytest.fixture
def old(store, browser, ann, time):
    """The token of an old session, which the browser has."""
    session = sessions.new_session(store, ann.id, time.now - timedelta(days=3))
    browser.client.set_cookie("ulm_session", session)
    return session


def send(browser, store, session, path, time, **more):
    """Send a form as a page would that was made for this session."""
    fields = {"form": sessions.form_token(session, time.now), **FORMS[path][0], **more}
    return browser.press(Form(path, fields), follow=False)


def unchanged(store, ann):
    found = players.player_by_id(store, ann.id)
    return found is not None and found.email == ADDRESS and len(tokens.listing(store, ann)) == 1


def mailed(store, settings, time):
    """The path of the link in the newest mail that signs in."""
    notice = [
        one
        for one in deliveries.claim(store, "test", time.now, time.now + timedelta(minutes=1), 9)
        if one.kind == "sign_in"
    ][-1]
    person = recipients.recipient(store, notice, time.now)
    assert person.address == ADDRESS
    letter = account_mails.sign_in(recipients.MailTask(store, settings, notice, person, time.now))
    assert letter.action is not None
    return letter.action.url.removeprefix(settings.public_url)


@pytest.mark.parametrize("path", FORMS)
def test_an_old_session_is_asked_and_comes_back_by_mail(store, settings, browser, ann, old, time, path):
    back = FORMS[path][1]
    answer = send(browser, store, old, path, time)
    assert answer.status_code == 403
    assert ASKED in answer.text
    assert unchanged(store, ann)
    page = browser.press(browser.button("Send me the link"))
    assert "A link is on its way to ann@example.org" in page.text
    time.now += timedelta(minutes=10)
    browser.open(mailed(store, settings, time))
    answer = browser.press(browser.button("Sign in"), follow=False)
    assert answer.headers["Location"] == back
    fresh = browser.client.get_cookie("ulm_session").value
    assert fresh != old
    assert sessions.player_of(store, old, time.now) is None, "the old session is over"
    time.now += sessions.FRESH - timedelta(seconds=1)
    assert send(browser, store, fresh, path, time).status_code in (201, 303)
    assert not unchanged(store, ann)


@pytest.mark.parametrize("path", FORMS)
def test_after_a_quarter_of_an_hour_it_is_old_again(store, browser, ann, time, path):
    session = sessions.new_session(store, ann.id, time.now, fresh=True)
    browser.client.set_cookie("ulm_session", session)
    time.now += sessions.FRESH
    assert send(browser, store, session, path, time).status_code == 403
    assert unchanged(store, ann)


def test_the_pages_say_so_before_anything_is_typed(browser, old):
    for path, (_, back) in FORMS.items():
        browser.open(back.partition("#")[0])
        assert [form for form in browser.forms if form.action == path and form.fields.get("remove") is None] == []
        [form] = [form for form in browser.forms if form.action == "/account/sure"]
        assert form.fields["next"] == back
    browser.open("/account/tokens")
    assert [form for form in browser.forms if form.action.endswith("/revoke")], "to revoke one needs none"


@pytest.mark.parametrize("what", ["guest", "merely claimed", "came back"])
def test_who_gets_no_mail_is_not_asked_for_one(store, browser, time, what):
    guest = make_player(store, "Ann")
    changes = {
        "guest": {},
        "merely claimed": {"email": ADDRESS},
        "came back": {"email": ADDRESS, "email_confirmed_at": NOW, "mail_stopped_at": NOW},
    }[what]
    if changes:
        with store.write():
            Player.update(**changes).execute()
    session = sessions.new_session(store, guest.id, time.now)
    browser.client.set_cookie("ulm_session", session)
    assert send(browser, store, session, "/account/tokens", time).status_code == 201
    assert send(browser, store, session, "/account/address", time).status_code == 303
    found = players.player_by_id(store, guest.id)
    assert found is not None
    assert found.email == "eve@example.org"


def test_only_so_many_links_are_sent_and_strangers_take_none_of_them(store, browser, ann, old, time):
    for _ in range(5):
        with suppress(TooManyRequests):
            sessions.ask(store, ADDRESS, "192.0.2.7", time.now)
    with store.write():
        Mail.delete().execute()
    data = {"form": sessions.form_token(old, time.now), "next": "/account/tokens"}
    answers = [browser.press(Form("/account/sure", data)).status_code for _ in range(quotas.SIGN_INS_AN_HOUR + 1)]
    assert answers == [200] * quotas.SIGN_INS_AN_HOUR + [429]
    with store.read():
        assert Mail.select().count() == quotas.SIGN_INS_AN_HOUR
    assert audit_log.listing(store, [ann.id])[-1]["what"] == "sign_in_asked"


def test_an_invitation_is_no_fresh_sign_in(store, ann, time):
    """Its link is good for a month."""
    session = sessions.find(store, sessions.new_session(store, ann.id, time.now), time.now)
    assert session is not None
    assert not session.is_fresh(time.now)
    link = links.sign_in_token(store, now=time.now, player_id=ann.id, address=ADDRESS)
    signed_in = sessions.find(store, sessions.sign_in(store, link, time.now), time.now)
    assert signed_in is not None
    assert signed_in.is_fresh(time.now)
    with store.write():
        Session.update(fresh_at=time.now + timedelta(days=1)).execute()
    ahead = sessions.find(store, sessions.new_session(store, ann.id, time.now), time.now)
    assert ahead is not None
    assert not ahead.is_fresh(time.now)
