"""Pushes in Chromium: the button, and what the worker shows.

Chromium without a window has no push service, and none of the tests' own can be named to it: what `subscribe` would
give is given by the test, with keys of its own and an address where it listens. From there on all is real: the server
encrypts and sends, the test reads it as a browser would, and hands it to the worker by the debugger's door. It has no
place for notifications and badges either: what the worker would show is noted where it would."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.service.accounts import channels as own_channels
from server.service.accounts.players import player_by_id
from server.storage import sql
from tests.browser import site as sites
from tests.browser.scripts import script
from tests.notify.browsers import BrowserKeys
from tests.notify.listener import Listener
from tests.together import until


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sites.Site]:
    """A server whose pushes may lead to this machine."""
    started = sites.start(tmp_path_factory.mktemp("site") / "data", ULM_OWN_NETWORKS="127.0.0.0/8")
    yield started
    started.close()


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    running = Listener(tmp_path / "push")
    yield running
    running.stop()


def shown(tab) -> list[dict]:
    """The notifications that the worker has put up, or would have."""
    (worker,) = tab.context.service_workers
    return worker.evaluate("() => self.shown")


def test_a_push_is_switched_on_shown_and_silent_for_who_looks(site, open_page, listener):
    ann, ben = site.person("Ann"), site.person("Ben")
    game = site.game(ann, ben, name="Friday")
    browser = BrowserKeys()
    tab = open_page(person=ann, allow="fetch", permissions=["notifications"])
    given = ["https://push.example.org/1", browser.p256dh, browser.auth]
    tab.add_init_script(script("channels.subscribing") % json.dumps(given))
    tab.goto("/account/channels")
    tab.get_by_role("button", name="Tell me in this browser").click()
    tab.get_by_text("A trial is on its way").wait_for()
    worker, registration = pushing(tab)
    tab.context.service_workers[0].evaluate(script("channels.noting"))

    def leads_here() -> bool:
        with site.store.write():  # where the test listens there is no certificate, which the page insists on
            sql.execute(site.store, "UPDATE channel SET address = ? WHERE kind = 'push'", listener.url)
            sql.execute(site.store, "UPDATE delivery SET due_at = created_at WHERE state = 'pending'")
        return bool(listener.heard())

    until(leads_here)

    def push() -> None:
        data = json.dumps(browser.read(listener.heard()[-1]))
        origin = site.url
        worker.send(
            "ServiceWorker.deliverPushMessage", {"origin": origin, "registrationId": registration, "data": data}
        )

    push()
    until(lambda: [one["title"] for one in shown(tab)] == ["Ulm by mail: it works"])
    number = len(listener.heard())
    site.call(f"/games/{game}/messages", {"text": "hello"}, ben.token)
    listener.wait_for(number + 1)
    told = browser.read(listener.heard()[-1])
    assert (told["text"], told["url"]) == ("hello", f"{site.url}/games/{game}")
    tab.goto(f"/games/{game}")
    push()
    tab.wait_for_timeout(300)
    assert len(shown(tab)) == 1, "who looks at the game sees it there"
    tab.goto("/rules")
    push()
    until(lambda: len(shown(tab)) == 2)
    new = next(one for one in shown(tab) if one["tag"] == game)
    assert (new["body"], new["actions"]) == ("hello", ["look", "stop"])
    badge = tab.context.service_workers[0].evaluate("() => self.badge")
    assert badge == int(site.page(game)["to_move"] == site.page(game, ann)["seat"])
    with site.store.write():
        sql.execute(site.store, "UPDATE channel SET address = ? WHERE kind = 'push'", given[0])
    tab.goto("/account/channels")
    tab.get_by_role("button", name="No more to this browser").click()
    tab.get_by_text("nothing is sent there any more").wait_for()
    assert own_channels.listing(site.store, player_by_id(site.store, ann.id)) == []


def pushing(tab):
    """The debugger's door to workers, and the number of the page's own."""
    door = tab.context.new_cdp_session(tab)
    found: list[str] = []
    door.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    door.send("ServiceWorker.enable")
    until(lambda: tab.wait_for_timeout(20) or found)
    return door, found[-1]
