"""The operator's page in a real browser: on a phone and a desk, light and dark."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from server.service.admin import access, recent_errors
from server.storage.models.games import Move
from server.storage.models.mail import Mail
from server.storage.times import utc
from tests.browser.test_lobby import fits
from tests.notify.conftest import put


def test_the_operator_looks_and_acts(site, open_page, axe):
    now = datetime.now(UTC)
    ann = site.person("Ann")
    site.game(ann, bots=("apprentice",), clock={"turn_hours": 48})
    put(site.store, now, 3)
    with site.store.write():
        for number, mail in enumerate(Mail.select().where(Mail.address.is_null(False))):
            done = now - timedelta(hours=number * 5)
            Mail.update(state="sent", due_at=done - timedelta(seconds=30 * number), done_at=done).where(
                Mail.id == mail.id
            ).execute()
        Mail.update(state="dead", error="550 5.1.1 there is nobody of this name here").where(
            Mail.id == Mail.select(Mail.id).order_by(Mail.id.desc()).limit(1)
        ).execute()
        for number, move in enumerate(Move.select()):
            Move.update(played_at=utc(now - timedelta(hours=number % 40))).where(Move.id == move.id).execute()
    recorder = recent_errors.record(site.store, "host:1234:abcdef")
    logging.getLogger("ulm.jobs").error("job failed")
    recorder.end()
    for width, theme in ((360, "light"), (1280, "dark")):
        tab = open_page("/operator/sign-in/" + access.make_link(site.store, "otto", now), width=width, theme=theme)
        axe(tab)
        tab.get_by_role("button", name="Open it").click()
        tab.get_by_role("heading", name="Queues").wait_for()
        assert tab.get_by_role("img", name="Moves in an hour").locator("rect").count() > 0
        fits(tab)
        axe(tab)
    tab.get_by_role("button", name="Pause all mail").click()
    tab.get_by_role("button", name="Send mail again").click()
    tab.get_by_role("button", name="Pause all mail").wait_for()
