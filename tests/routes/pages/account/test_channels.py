"""The page of the ways by which news come, the calendar, the feeds, and what makes the site an app."""

import base64
import json
from xml.etree import ElementTree

import icalendar
import pytest

from server.service.accounts import channels, sessions
from server.service.chat import notice_wishes
from server.storage import sql
from server.storage.times import utc
from tests.routes.pages.conftest import NOW, Browser, Match, form_to, sign_in, timed
from tests.service.conftest import make_player
from tests.tables import Game

ATOM = "{http://www.w3.org/2005/Atom}"
POINT = base64.urlsafe_b64encode(b"\x04" + bytes(64)).decode().rstrip("=")
AUTH = base64.urlsafe_b64encode(bytes(16)).decode().rstrip("=")


def test_a_webhook_is_added_tried_and_removed(store, browser: Browser, ann) -> None:
    sign_in(browser.client, store, ann)
    browser.open("/account")
    browser.open("/account/channels")
    adding = form_to(browser, "channels")
    page = browser.press(adding, shape="json", address="http://example.org/x").text
    assert browser.response.status_code == 422
    assert "Give an address that begins with https://" in page
    assert 'value="http://example.org/x"' in page
    page = browser.press(adding, shape="json", address="https://example.org/hook").text
    assert "A trial is on its way" in page
    secret = channels.signing_secrets(store, ann)
    assert next(iter(secret.values())) in page
    assert "on its way" in page
    page = browser.press(form_to(browser, "trial")).text
    page = browser.press(form_to(browser, "remove")).text
    assert "nothing is sent there any more" in page
    with store.read():
        assert not sql.rows(store, "SELECT 1 FROM channel") + sql.rows(store, "SELECT 1 FROM delivery")


def test_when_news_come_is_chosen_for_all_games_and_for_one(store, browser: Browser, match) -> None:
    m: Match = match()
    player = m.players[0]
    sign_in(browser.client, store, player)
    browser.open("/account/channels")
    browser.press(form_to(browser, "wishes"), push="mute", webhook="reminders")
    found = sessions.player_by_id(store, player.id)
    assert (found.preferences["push"], found.preferences["webhook"]) == ("mute", "reminders")
    page = browser.open(f"/games/{m.id}").text
    assert 'name="webhook"' not in page, "nobody is asked about what they do not have"
    channels.add_webhook(store, player, "json", "https://example.org/", "", NOW)
    browser.open(f"/games/{m.id}")
    browser.press(form_to(browser, "notices"), mail="", webhook="mute")
    assert notice_wishes.read(store, m.id, player) == {"mail": None, "push": None, "webhook": "mute"}


def test_a_push_ends_with_the_session_of_its_browser(store, browser: Browser, ann, time) -> None:
    sign_in(browser.client, store, ann)
    browser.open("/account/channels")
    pushing = form_to(browser, "push")
    given = {"endpoint": "https://push.example.org/1", "p256dh": POINT, "auth": AUTH}
    page = browser.press(pushing, **given).text
    assert "A trial is on its way" in page
    assert [one["kind"] for one in channels.listing(store, ann)] == ["push"]
    browser.press(pushing, **given)
    assert len(channels.listing(store, ann)) == 1, "a browser has one"
    browser.press(pushing, **{**given, "auth": "x"})
    assert browser.response.status_code == 422
    ben = make_player(store, "Ben")
    channels.add_push(store, ben, *given.values(), "Firefox", NOW)
    assert channels.listing(store, ann) == [], "it is Ben's browser now"
    browser.press(pushing, **given)
    assert channels.listing(store, ben) == []
    browser.open("/account")
    browser.press(next(form for form in browser.forms if form.action.endswith("/sign-out")))
    assert channels.listing(store, ann) == []


def test_a_push_is_switched_off(store, browser: Browser, ann) -> None:
    sign_in(browser.client, store, ann)
    browser.open("/account/channels")
    pushing = form_to(browser, "push")
    given = {"endpoint": "https://push.example.org/1", "p256dh": POINT, "auth": AUTH}
    browser.press(pushing, **given)
    browser.press(pushing, endpoint=given["endpoint"], off="off")
    assert channels.listing(store, ann) == []


def parsed(data: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(data)  # noqa: S314 - ours


def feed(browser: Browser) -> str:
    """The end of the addresses that the page shows."""
    _before, _found, after = browser.open("/account/channels").text.partition("/feeds/")
    return after.partition("/")[0]


def test_the_calendar_and_the_feed_say_until_when_there_is_time(store, browser: Browser, time) -> None:
    m = timed(store)
    player = m.players[m.active]
    sign_in(browser.client, store, player)
    browser.open("/account/channels")
    assert "These are your addresses." in browser.press(form_to(browser, "feeds")).text
    secret = feed(browser)
    stranger = browser.client.application.test_client()
    answer = stranger.get(f"/feeds/{secret}/deadlines.ics")
    assert answer.mimetype == "text/calendar"
    known = {"If-None-Match": answer.headers["ETag"]}
    assert stranger.get(f"/feeds/{secret}/deadlines.ics", headers=known).status_code == 304
    (event,) = icalendar.Calendar.from_ical(answer.data).walk("VEVENT")
    assert utc(event["DTSTART"].dt) == m.page(m.active)["deadline"]
    assert f"/games/{m.id}" in event["URL"]
    answer = stranger.get(f"/feeds/{secret}/turns.atom")
    known = {"If-None-Match": answer.headers["ETag"]}
    assert stranger.get(f"/feeds/{secret}/turns.atom", headers=known).status_code == 304
    tree = parsed(answer.data)
    assert all(tree.find(f"{ATOM}{name}") is not None for name in ("id", "title", "updated", "author"))
    (entry,) = tree.findall(f"{ATOM}entry")
    assert entry.find(f"{ATOM}title").text == "It is your turn in Slow"
    before = entry.find(f"{ATOM}id").text
    m.play_turn()
    assert not icalendar.Calendar.from_ical(stranger.get(f"/feeds/{secret}/deadlines.ics").data).walk("VEVENT")
    m.play_turn()
    (entry,) = parsed(stranger.get(f"/feeds/{secret}/turns.atom").data).findall(f"{ATOM}entry")
    assert entry.find(f"{ATOM}id").text != before, "another turn"
    assert "earlier ones lead nowhere any more" in browser.press(form_to(browser, "feeds")).text
    assert stranger.get(f"/feeds/{secret}/turns.atom").status_code == 404
    assert stranger.get(f"/feeds/{feed(browser)}/turns.atom").status_code == 200


def test_a_name_with_odd_letters_is_well_formed_everywhere(store, browser: Browser, match) -> None:
    name = 'Fish; <b>"&"</b>, so-called: \\n ' + "ü" * 30
    m = match()
    with store.write():
        Game.update(name=name).execute()
    secret = channels.renew_feeds(store, m.players[m.active], NOW)
    entry = parsed(browser.client.get(f"/feeds/{secret}/turns.atom").data).find(f"{ATOM}entry")
    assert " ".join(name.split()) in entry.find(f"{ATOM}title").text


def test_games_that_ended_are_a_feed_for_all_but_private_ones(store, browser: Browser, match) -> None:
    ended = match()
    ended.play(0, "resign")
    hidden = match(private=True)
    hidden.play(0, "resign")
    answer = browser.client.get("/feeds/finished.atom")
    tree = parsed(answer.data)
    assert answer.headers["ETag"]
    assert hidden.id not in answer.text
    assert len(tree.findall(f"{ATOM}entry")) <= 1


def test_the_site_is_an_app(browser: Browser) -> None:
    page = browser.open("/").text
    assert 'rel="manifest"' in page
    manifest = json.loads(browser.client.get("/manifest.webmanifest").data)
    assert manifest["start_url"] == manifest["scope"] == "/"
    for icon in manifest["icons"]:
        answer = browser.client.get(icon["src"])
        assert answer.data[:4] == b"\x89PNG"
        width = int.from_bytes(answer.data[16:20])
        assert f"{width}x{width}" == icon["sizes"]
    worker = browser.client.get("/worker.js")
    assert worker.mimetype == "text/javascript"
    assert "no-cache" in worker.headers["Cache-Control"]


@pytest.mark.parametrize("path", ["/feeds/none/turns.atom", "/feeds/none/deadlines.ics", "/icon-100.png"])
def test_what_is_not_there(browser: Browser, path: str) -> None:
    assert browser.client.get(path).status_code == 404
