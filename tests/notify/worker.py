"""`ulm worker` with the composer of the tests, a lease of its own length, and a job that notes who does it and when.

Its arguments: the seconds of a lease, and the file of the notes. Settings come from ULM_… variables.
"""

from __future__ import annotations

import logging
import os
import random
import signal
import threading
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from server.notify import runner
from server.notify.jobs import deliver
from server.notify.scheduler import Context, Job, Scheduler
from server.settings import Settings
from server.storage import leases
from server.storage.database import open_database
from tests.notify.composers import plain


def main(arguments: Sequence[str]) -> int:
    """Work until SIGTERM; says "works" when it does."""
    lease, file = timedelta(seconds=float(arguments[0])), Path(arguments[1])
    settings = Settings.from_env(os.environ)
    logging.basicConfig(level=logging.ERROR)
    store = open_database(settings.database, threads=4)
    told = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: told.set())

    def note(context: Context, now: datetime) -> None:
        """Takes three times its interval, and would be seen if another process did it meanwhile."""
        for _ in range(3):
            if not context.keep():
                return
            with file.open("a") as lines:
                lines.write(f"{os.getpid()}\n")
            time.sleep(0.05)

    owner = leases.new_owner()
    delivery = runner.delivery(store, settings, plain, owner, lease=lease)
    jobs = (Job("delivery", 0.1, deliver, shared=True), Job("note", 0.05, note))
    chance = random.SystemRandom()
    scheduler = Scheduler(store, settings, delivery, jobs, owner, runner.utc_now, chance, lease, grace=0.5)
    scheduler.start()
    print("works", flush=True)
    told.wait()
    store.closing.set()
    scheduler.stop()
    store.close()
    return 0
