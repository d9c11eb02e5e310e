"""The server under a path of a site: a proxy takes it away from what is asked for, and `ULM_BASE_URL` ends with it."""

import re
from dataclasses import replace
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from flask import request

from server.app import create_app
from server.service.accounts import sessions
from server.service.seating import creating
from server.service.seating.example_game import EXAMPLE_ID, ensure_example
from tests.routes.pages.conftest import NOW, Browser, read, sign_in, turn_token

SITE, PREFIX = "http://games.example", "/ulm"
ADDRESSES = ("href", "src", "action", "data-stream", "data-pulse", "data-record", "data-states", "data-frames")
NOT_OPENED = re.compile(r"/stream$|/export\.gif$|/states$")
"""What takes long to come; their views are tested elsewhere."""


@pytest.fixture
def proxied(settings, store, time):
    """A browser of a site that has the server under `PREFIX`."""
    app = create_app(replace(settings, proxy_hops=1, base_url=SITE + PREFIX), store)
    app.extensions["ulm.now"] = time
    browser = Browser(app.test_client())
    told = {"PREFIX": "/evil", "HOST": "games.example", "PROTO": "http"}  # the prefix comes from a caller
    browser.client.environ_base.update({f"HTTP_X_FORWARDED_{name}": value for name, value in told.items()})
    return browser


def addresses(path, page):
    """What a page leads to or loads, as paths of the site. None of it lies outside of the prefix."""
    named: list[str] = []
    for tag, attributes in read(page).tags:
        named += [str(attributes[name]) for name in ADDRESSES if attributes.get(name) and tag != "use"]
        named += [part.split()[0] for part in (attributes.get("srcset") or "").split(",") if part]
    whole = {urljoin(SITE + path, one).partition("#")[0] for one in named}
    outside = {one for one in whole if not one.startswith((f"{SITE}{PREFIX}/", "data:"))}
    assert outside == set(), path
    return {one.removeprefix(SITE) for one in whole if one.startswith(SITE)}


def kind(address):
    """Addresses of one kind have one page; of each kind one is opened."""
    parts = urlsplit(address)
    path = re.sub(r"/\d+(?=/|$)|/[a-z0-9]{12}(?=/|$)", "/N", parts.path)
    return (path, *parse_qs(parts.query))


def test_no_page_leads_out_of_the_prefix(proxied, store, match):
    ensure_example(store, NOW)
    m = match(2)
    ann = m.players[m.active]
    creating.create(m.store, ann, 3, "Evening", None, "", [], True, NOW)
    beginnings = ("/", f"/t/{turn_token(m)}", f"/embed/{EXAMPLE_ID}", "/sign-in", "/nothing")
    waiting = [PREFIX + path for path in beginnings]
    seen = set(map(kind, waiting))
    for session in (None, sessions.new_session(m.store, ann.id, NOW)):
        if session is not None:
            proxied.client.set_cookie("ulm_session", session)
            waiting, seen = [f"{PREFIX}{path}" for path in ("/", "/sign-in", f"/games/{m.id}")], set()
        while waiting:
            path = waiting.pop()
            answer = proxied.client.get(path.removeprefix(PREFIX))
            assert answer.status_code in (200, 303, 405) or path.endswith("/nothing"), path
            if answer.status_code == 303:
                assert answer.headers["Location"].startswith(PREFIX + "/"), path
            named = addresses(path, answer) if answer.mimetype == "text/html" and "/export" not in path else set()
            answer.close()
            for one in sorted(named):
                if kind(one) not in seen and not NOT_OPENED.search(one):
                    seen.add(kind(one))
                    waiting.append(one)
        assert len(seen) > 20


def test_forms_lead_back_below_the_prefix(proxied, match):
    m = match(2)
    sign_in(proxied.client, m.store, m.players[m.active])
    here = f"{PREFIX}/games/{m.id}"

    def form(end):
        # The last one: that of a first game's line goes to /look too.
        found = [form for form in read(proxied.response).forms if form.action == f"{PREFIX}{end}"][-1]
        return replace(found, action=end)

    def leads_to(end, **fields):
        return str(proxied.press(form(end), follow=False, **fields).headers["Location"])

    proxied.open(f"/games/{m.id}?log=all")
    assert leads_to("/look", language="de", theme="dark") == f"{here}?log=all"
    proxied.open(f"/games/{m.id}?log=all")
    assert leads_to(f"/games/{m.id}/messages", text="x") == f"{here}?log=all#messages"
    proxied.open(f"/games/{m.id}?log=all")
    assert leads_to(f"/games/{m.id}/note", note="x") == f"{here}?log=all&done=note#note"
    proxied.open(f"/games/{m.id}")
    assert leads_to(f"/games/{m.id}/turn", move="resign") == here
    stranger = Browser(proxied.client.application.test_client())
    stranger.client.environ_base.update(proxied.client.environ_base)
    location = stranger.client.get("/account/tokens").headers["Location"]
    assert location == f"{PREFIX}/sign-in?next={PREFIX}/account/tokens"


def test_who_signs_out_takes_nothing_of_others_along(proxied, store, match):
    m = match(2)
    sign_in(proxied.client, m.store, m.players[0])
    proxied.open("/account")
    [here, *_everywhere] = [form for form in proxied.forms if form.action == f"{PREFIX}/sign-out"]
    answer = proxied.press(replace(here, action="/sign-out"), follow=False)
    assert answer.status_code == 303
    assert all(f"; Path={PREFIX}" in kept for kept in answer.headers.getlist("Set-Cookie")), "nor another's session"
    assert answer.headers.getlist("Set-Cookie")
    assert "Clear-Site-Data" not in answer.headers, "browsers clear all of the site, whatever else lies there"


def test_what_is_passed_on_has_the_prefix_once(proxied, store, match):
    ensure_example(store, NOW)
    m = match(2)
    page = proxied.open(f"/replays/{EXAMPLE_ID}").text
    assert f"{SITE}{PREFIX}/replays/{EXAMPLE_ID}" in page
    assert f"{SITE}{PREFIX}/embed/{EXAMPLE_ID}" in page
    sign_in(proxied.client, m.store, m.players[0])
    game = creating.create(m.store, m.players[0], 2, "Open", None, "", [], False, NOW)["id"]
    assert f"{SITE}{PREFIX}/games/{game}/join" in proxied.open(f"/games/{game}").text
    document = proxied.client.get("/api/v1/openapi.json")
    assert document.get_json()["servers"] == [{"url": PREFIX}]
    assert document.headers["Cache-Control"].startswith("private"), "a cache in front of the proxy knows no prefix"
    states = proxied.client.get(f"/api/v1/replays/{EXAMPLE_ID}/states").headers.get("Link", f"<{PREFIX}/")
    assert states.startswith(f"<{PREFIX}/")


def seen_by(settings, store, **headers):
    """What a request with these forwarded headers looks like to a view."""
    app = create_app(settings, store)
    found: dict[str, str] = {}

    @app.before_request
    def look():
        found.update(address=str(request.remote_addr), root=request.url_root)

    environ = {f"HTTP_X_FORWARDED_{name}": value for name, value in headers.items()}
    assert app.test_client().get("/healthz", environ_base=environ).status_code == 200
    return found


FORWARDED = {"FOR": "203.0.113.9, 198.51.100.7", "PROTO": "https", "HOST": "other.example", "PREFIX": "/evil"}


def test_without_a_proxy_no_forwarded_header_is_believed(settings, store):
    told = seen_by(settings, store, **FORWARDED)
    assert told == {"address": "127.0.0.1", "root": "http://localhost/"}


def test_behind_a_proxy_the_address_is_the_one_that_it_says(settings, store):
    """The last one: those before it are what its caller wrote. The prefix is nobody's but the operator's."""
    told = seen_by(replace(settings, proxy_hops=1), store, **FORWARDED)
    assert told == {"address": "198.51.100.7", "root": "https://other.example/"}
    told = seen_by(replace(settings, proxy_hops=2, base_url=SITE + PREFIX), store, **FORWARDED)
    assert told["address"] == "203.0.113.9"
    assert told["root"].endswith(PREFIX + "/")
