"""Pushes: what a browser of the tests reads of them, and what their service does."""

from collections import Counter

import pytest

from server.service.accounts import channels as own_channels
from server.service.chat import messages, notice_wishes, unsubscribing
from server.service.outbox import push_keys
from server.storage import sql
from tests.notify.browsers import BrowserKeys, claims
from tests.notify.listener import Listener
from tests.notify.test_channels import News, listener, news, reached  # noqa: F401 - fixtures

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_a_push_is_for_its_browser_alone(news: News, listener: Listener) -> None:  # noqa: F811
    browser, seat = BrowserKeys(), 1 - news.active
    browser.subscribe(news.store, news.players[seat], f"{listener.url}/push/1")
    news.deliver()
    news.turn()
    news.deliver()
    trial, turn = listener.heard()
    assert browser.read(trial)["title"] == "Ulm by mail: it works"
    told = browser.read(turn)
    assert told["title"] == "It is your turn in A game"
    assert (told["url"], told["tag"], told["waiting"]) == (f"https://ulm.example.org/games/{news.id}", news.id, 1)
    assert b"A game" not in turn.body
    assert "/t/" not in str(told), "no link that plays"
    assert turn.headers["topic"] != news.id
    _private, public = push_keys.pair(news.store)
    assert push_keys.pair(news.store)[1] == public, "it is made once"
    said = claims(turn, public)
    assert (said["aud"], said["sub"]) == (listener.url, "mailto:ulm@ulm.example.org")
    unsubscribing.one_click(news.store, told["stop"].rsplit("/", 1)[1], news.now)
    assert notice_wishes.read(news.store, news.id, news.players[seat])["push"] == "mute"


@pytest.mark.parametrize("status", ["404", "410"])
def test_a_browser_that_wants_no_more_is_forgotten(news: News, listener: Listener, status: str) -> None:  # noqa: F811
    browser, seat = BrowserKeys(), 1 - news.active
    browser.subscribe(news.store, news.players[seat], listener.url)
    news.deliver()
    listener.answer(status)
    messages.post(news.store, news.id, news.players[1 - seat], "hello", news.now)
    assert news.deliver() == Counter(gone=1)
    assert own_channels.listing(news.store, news.players[seat]) == []
    with news.store.read():
        assert sql.rows(news.store, "SELECT 1 FROM delivery") == []


def test_keys_that_are_none_end_nothing(news: News, listener: Listener) -> None:  # noqa: F811
    """65 bytes that are no point of the curve: the news are given up, those of others go out."""
    seat = 1 - news.active
    broken, browser = BrowserKeys(), BrowserKeys()
    broken.p256dh = "B" + "A" * 86
    broken.subscribe(news.store, news.players[1 - seat], listener.url)
    browser.subscribe(news.store, news.players[seat], listener.url)
    news.deliver()
    assert [browser.read(one)["title"] for one in listener.heard()] == ["Ulm by mail: it works"]
