"""`ulm worker` with the composer of the tests and a lease of its own length.

Its argument: the seconds of a lease. Settings come from ULM_… variables.
"""

from __future__ import annotations

import logging
import os
import random
import signal
import threading
from collections.abc import Sequence
from datetime import timedelta

from server.notify import runner
from server.notify.jobs import deliver
from server.notify.scheduler import Job, Scheduler
from server.settings import Settings
from server.storage import leases
from server.storage.database import open_database
from tests.notify.composers import plain


def main(arguments: Sequence[str]) -> int:
    """Work until SIGTERM; says "works" when it does."""
    lease = timedelta(seconds=float(arguments[0]))
    settings = Settings.from_env(os.environ)
    logging.basicConfig(level=logging.ERROR)
    store = open_database(settings.database, threads=4)
    told = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: told.set())

    owner = leases.new_owner()
    delivery = runner.delivery(store, settings, plain, owner, lease=lease)
    jobs = (Job("delivery", 0.1, deliver, shared=True),)
    chance = random.SystemRandom()
    scheduler = Scheduler(store, settings, delivery, jobs, owner, runner.utc_now, chance, lease, grace=0.5)
    scheduler.start()
    print("works", flush=True)
    told.wait()
    store.closing.set()
    scheduler.stop()
    store.close()
    return 0
