"""The jobs that mind clocks, as the scheduler calls them."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any, cast

from server.notify.jobs import JOBS
from server.notify.scheduler import Context
from server.settings import Settings
from server.storage.database import Store
from tests.service.bots_here import play_due
from tests.service.timed import HOUR, confirm_addresses, start


def test_clocks_and_reminders_are_among_the_jobs(store: Store, settings: Settings) -> None:
    game = start(store, seats=3)
    confirm_addresses(game)
    context = Context(store, settings, random.Random(1), lambda: game.now, cast("Any", None), lambda: True)
    jobs = {job.name: job for job in JOBS}
    assert jobs["clocks"].seconds <= 60
    assert jobs["reminders"].seconds <= 300
    late = game.active

    def run() -> None:
        for name in ("clocks", "reminders"):
            jobs[name].run(context, game.now)
        play_due(store, game.now)

    run()
    assert game.mails("reminder") == []
    game.wait(13 * HOUR)
    run()
    run()
    assert [mail.player_id for mail in game.mails("reminder")] == [game.players[late].id]
    game.wait(11 * HOUR)
    run()
    run()
    assert game.automatic().count("end") == 1
    assert [mail.player_id for mail in game.mails("played_for_you")] == [game.players[late].id]
    assert [mail.player_id for mail in game.mails("turn")][-1] == game.players[game.active].id
    game.wait(timedelta(hours=21, minutes=36))
    run()
    assert len(game.mails("reminder")) == 2
