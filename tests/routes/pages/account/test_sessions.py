"""Sessions on pages and over HTTP: the list, ending one, cookies of servers that are reached by https, HSTS."""

from dataclasses import replace
from datetime import timedelta

import pytest

from server.app import create_app
from server.service.accounts import links, sessions, tokens
from tests.routes.pages.conftest import NOW, Browser, sign_in
from tests.service.conftest import make_player
from tests.tables import Session

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
    [form] = ending(browser)
    answer = browser.press(form, follow=False)
    assert answer.headers["Location"] == "/account?saved=session#session"
    assert sessions.player_of(store, phone, time.now) is None
    page = browser.open("/account?saved=session").text
    assert "That device is signed out." in page
    assert "Safari, iPhone" not in page


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
    assert other is not None
    for number in (other.id, "0" * 16):
        assert client.delete(f"{base}/{number}", headers=as_ann).status_code == 404
    assert client.delete(f"{base}/{shown['id']}").status_code == 401
    assert client.delete(f"{base}/{shown['id']}", headers=as_ann).status_code == 204
    assert sessions.player_of(store, session, NOW) is None
    assert sessions.player_of(store, of_ben, NOW) is not None


def test_looking_notes_the_use_at_most_hourly(store, browser, ann, time):
    def seen():
        with store.read():
            return str(Session.get().seen_at)

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
