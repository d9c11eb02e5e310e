"""Sessions on pages and over HTTP: the list, ending one, a fresh sign-in, cookies of servers reached by https, HSTS."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest

from server.app import create_app
from server.notify import account_mails, recipients
from server.service.accounts import links, players, profiles, sessions, tokens
from server.service.common import audit_log, quotas
from server.service.common.errors import TooManyRequests
from server.service.outbox import deliveries
from tests.routes.pages.account.conftest import ADDRESS
from tests.routes.pages.conftest import NOW, Browser, Form, sign_in
from tests.service.conftest import make_player
from tests.tables import Mail, Player, Session

HTTPS = "https://ulm.example.org"
HOST = "__Host-ulm_session"
FIREFOX = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"}


def link(store, player, time):
    return links.sign_in_token(store, now=time.now, player_id=player.id, address="ann@example.org")


def ending(browser):
    return [form for form in browser.forms if form.action.endswith("/end") and "/sessions/" in form.action]


def test_each_device_is_named_and_can_be_signed_out(store, browser, ann, time):
    phone = sessions.new_session(store, ann.id, time.now - timedelta(days=2), device="Safari, iPhone")
    browser.client.environ_base["HTTP_USER_AGENT"] = FIREFOX["User-Agent"]
    browser.open(f"/sign-in/{link(store, ann, time)}")
    browser.press(browser.button("Sign in"))
    page = browser.open("/account").text
    assert "Firefox, Linux" in page
    assert page.index("Firefox, Linux") < page.index(">this one<") < page.index("Safari, iPhone")
    assert page.index("in use now") < page.index("Safari, iPhone") < page.index("last used 2 days ago")
    [form] = ending(browser)
    answer = browser.press(form, follow=False)
    assert answer.headers["Location"] == "/account?saved=session#session"
    assert sessions.player_of(store, phone, time.now) is None
    page = browser.open("/account?saved=session").text
    assert "That device is signed out." in page
    assert "Safari, iPhone" not in page


def test_ending_ones_own_session_signs_out(store, browser, ann, time):
    own = sessions.new_session(store, ann.id, time.now - timedelta(days=20), fresh=True)
    found = sessions.find(store, own, time.now)
    browser.client.set_cookie("ulm_session", own)
    data = {"form": sessions.form_token(own, time.now)}
    browser.press(Form(f"/account/sessions/{found.id}/end", data), follow=False)
    assert browser.client.get_cookie("ulm_session") is None
    assert store.ask(lambda: Session.select().count()) == 0, "nor is there another one, which would last longer"


@pytest.mark.parametrize("path", ["/account/look", "/account/address"])
def test_a_form_gives_nobody_a_session_who_has_none_any_more(store, browser, ann, time, path, monkeypatch):
    """All sessions end while the form is worked on."""
    own = sessions.new_session(store, ann.id, time.now, fresh=True)
    browser.client.set_cookie("ulm_session", own)
    change = profiles.update_profile

    def meanwhile(*given):
        changed = change(*given)
        sessions.sign_out_everywhere(store, ann, time.now)
        return changed

    monkeypatch.setattr(profiles, "update_profile", meanwhile)
    data = {"form": sessions.form_token(own, time.now), "language": "de", "theme": "dark", "time_zone": "Europe/Rome",
            "email": "eve@example.org"}  # fmt: skip
    browser.press(Form(path, data), follow=False)
    assert store.ask(lambda: Session.select().count()) == 0


def test_another_address_makes_no_session_that_lasts_longer(store, browser, ann, time):
    began = time.now - timedelta(minutes=5)
    own = sessions.new_session(store, ann.id, began, fresh=True)
    browser.client.set_cookie("ulm_session", own)
    data = {"form": sessions.form_token(own, time.now), "email": "eve@example.org"}
    browser.press(Form("/account/address", data), follow=False)
    assert sessions.find(store, own, time.now) is None, "a copy of its token is worthless"
    found = sessions.find(store, browser.client.get_cookie("ulm_session").value, time.now)
    assert (found.began, found.fresh_at) == (began, None)


def test_over_http_sessions_are_listed_and_ended(store, client, ann):
    token = tokens.create(store, ann, "", NOW)["token"]
    as_ann = {"Authorization": f"Bearer {token}"}
    session = sessions.new_session(store, ann.id, NOW, device="Firefox, Linux")
    of_ben = sessions.new_session(store, make_player(store, "Ben").id, NOW)
    base = "/api/v1/players/me/sessions"
    client.application.extensions["ulm.now"] = lambda: NOW
    [shown] = client.get(base, headers=as_ann).json
    assert shown == {
        "id": shown["id"],
        "device": "Firefox, Linux",
        "began_at": "2026-11-21T09:30:00Z",
        "last_used_at": "2026-11-21T09:30:00Z",
        "current": False,
    }
    other = sessions.find(store, of_ben, NOW)
    for number in (other.id, "0" * 16):
        assert client.delete(f"{base}/{number}", headers=as_ann).status_code == 404
    assert client.delete(f"{base}/{shown['id']}").status_code == 401
    assert client.delete(f"{base}/{shown['id']}", headers=as_ann).status_code == 204
    assert sessions.player_of(store, session, NOW) is None
    assert sessions.player_of(store, of_ben, NOW) is not None


def test_looking_notes_the_use_at_most_hourly(store, browser, ann, time):
    def seen():
        return store.ask(lambda: str(Session.get().seen_at))

    sign_in(browser.client, store, ann, time.now)
    began = seen()
    time.now += timedelta(minutes=59)
    browser.open("/")
    assert seen() == began
    time.now += timedelta(minutes=1)
    browser.open("/")
    assert seen() != began


def at(settings, store, time, address):
    app = create_app(replace(settings, base_url=address), store)
    app.extensions["ulm.now"] = time
    return app, app.test_client()


def cookies(answer):
    """The cookies that an answer sets, by name."""
    return {line.partition("=")[0]: line for line in answer.headers.getlist("Set-Cookie")}


@pytest.fixture
def secure(settings, store, time):
    """A browser of a server that is reached by https."""
    return Browser(at(settings, store, time, HTTPS)[1])


def test_with_https_all_cookies_are_this_hosts_alone(store, secure, ann, time):
    token = link(store, ann, time)
    first = secure.client.get(f"/sign-in/{token}", base_url=HTTPS)
    secure.response = first
    kept = cookies(first)
    assert sorted(kept) == ["__Host-ulm_here", "__Host-ulm_sheets"]
    for line in kept.values():
        assert {"Secure", "HttpOnly", "Path=/"} <= {*line.split("; ")}, line
        assert "Domain" not in line
    form = secure.button("Sign in")
    answer = secure.client.post(form.action, data=form.fields, headers=Browser.HEADERS, base_url=HTTPS)
    [line] = answer.headers.getlist("Set-Cookie")
    assert line.startswith(HOST + "=")
    for word in ("Secure", "HttpOnly", "Path=/;", "SameSite=Lax"):
        assert word in line + ";", word
    assert "Domain" not in line
    assert secure.client.get("/account", base_url=HTTPS).status_code == 200
    form = secure.client.get("/", base_url=HTTPS)
    assert form.headers["Strict-Transport-Security"] == "max-age=31536000"
    look = secure.client.post(
        "/look",
        base_url=HTTPS,
        headers=Browser.HEADERS,
        data={"form": sessions.form_token("nobody", time.now), "language": "de"},
    )
    assert look.status_code == 303


def test_a_neighbour_plants_no_session(store, secure, ann, time):
    """Anybody under the same domain can set a cookie of the plain name: a session that began since is none there."""
    session = sessions.new_session(store, ann.id, time.now)
    secure.client.set_cookie("ulm_session", session, domain="ulm.example.org")
    assert secure.client.get("/account", base_url=HTTPS).status_code == 303
    secure.client.set_cookie(HOST, session, domain="ulm.example.org", secure=True)
    assert secure.client.get("/account", base_url=HTTPS).status_code == 200


def test_under_a_path_cookies_are_secure_and_of_the_path(settings, store, ann, time):
    _, client = at(settings, store, time, HTTPS + "/ulm")
    token = link(store, ann, time)
    answer = client.post(
        f"/sign-in/{token}", data={"form": sessions.form_token(token, time.now)}, base_url=HTTPS + "/ulm",
        headers=Browser.HEADERS,
    )  # fmt: skip
    [line] = answer.headers.getlist("Set-Cookie")
    assert line.startswith("__Secure-ulm_session=")
    assert "Path=/ulm;" in line + ";"
    assert "Secure" in line


def test_without_https_nothing_is_promised(browser):
    assert "Strict-Transport-Security" not in browser.open("/").headers
    assert "Strict-Transport-Security" not in browser.open("/api/v1/games").headers


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
    assert store.ask(lambda: Mail.select().count()) == quotas.SIGN_INS_AN_HOUR
    assert audit_log.listing(store, [ann.id])[-1]["what"] == "sign_in_asked"


def test_only_a_link_by_mail_is_a_fresh_sign_in(store, ann, time):
    session = sessions.find(store, sessions.new_session(store, ann.id, time.now), time.now)
    assert not session.is_fresh(time.now)
    link = links.sign_in_token(store, now=time.now, player_id=ann.id, address=ADDRESS)
    signed_in = sessions.find(store, sessions.sign_in(store, link, time.now), time.now)
    assert signed_in.is_fresh(time.now)
    with store.write():
        Session.update(fresh_at=time.now + timedelta(days=1)).execute()
    ahead = sessions.find(store, sessions.new_session(store, ann.id, time.now), time.now)
    assert not ahead.is_fresh(time.now)
