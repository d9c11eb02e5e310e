"""Two people at one table who use different channels, while the process that sends is killed again and again."""

import os
import random
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from server.service.chat import messages
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store
from tests.notify.browsers import BrowserKeys
from tests.notify.listener import Listener
from tests.notify.test_channels import OWN, News, reached  # noqa: F401 - a fixture
from tests.notify.worker import main as work
from tests.processes import Forked
from tests.together import until

LEASE = 2.0
MESSAGES = 15  # of each: less than one may write within an hour
KILLS = 8


def begun(settings: Settings) -> Forked:
    """A process at work on what is due."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ULM_")}
    environment |= {
        "ULM_DATABASE_URL": settings.database_url,
        "ULM_DATA_DIR": str(settings.data_dir),
        "ULM_OWN_NETWORKS": OWN,
        "ULM_BASE_URL": settings.base_url,
        "ULM_SHUTDOWN_SECONDS": "1",
    }
    process = Forked(work, [str(LEASE)], environment)
    assert process.stdout.readline() == "works\n"
    return process


@pytest.mark.slow
def test_killed_again_and_again_nothing_is_lost_and_one_a_kill_comes_twice(
    store: Store,
    reached: Settings,  # noqa: F811
    tmp_path: Path,
) -> None:
    table, chance = News(store, reached), random.Random(7)
    ann, ben = table.players
    hook, push, browser = Listener(tmp_path / "hook"), Listener(tmp_path / "push"), BrowserKeys()
    table.hook(0, hook.url)
    browser.subscribe(store, ben, push.url)
    process = begun(reached)
    try:
        hook.wait_for(1)
        push.wait_for(1)
        for one in (hook, push):
            one.answer("slow")
        for number in range(MESSAGES):
            for player in (ann, ben):
                messages.post(store, table.id, player, f"{player.name} says {number}", datetime.now(UTC))
        for _kill in range(KILLS):
            time.sleep(chance.uniform(0.05, 0.4))
            process.kill()
            process.wait(10)
            process.stdout.close()
            process = begun(reached)

        def waiting() -> object:
            with store.read():
                return sql.row(store, "SELECT 1 FROM delivery WHERE state IN ('pending', 'sending')")

        until(lambda: not waiting(), seconds=120)
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()
        by_hook = [one.json["data"]["text"] for one in hook.heard()]
        by_push = [browser.read(one)["text"] for one in push.heard()]
        hook.stop()
        push.stop()
    doubled = 0
    for writer, told in ((ben, by_hook), (ann, by_push)):
        counted = Counter(told[1:])  # without the trial
        assert set(counted) == {f"{writer.name} says {number}" for number in range(MESSAGES)}
        doubled += sum(counted.values()) - MESSAGES
    assert doubled <= KILLS
