"""`ulm worker` with the composer of the tests and a lease of its own length.

Its argument: the seconds of a lease. Settings come from ULM_… variables.
"""

import logging
import os
import signal
import threading
from collections.abc import Sequence
from datetime import timedelta

from server.notify import channels, runner
from server.notify.jobs import deliver
from server.notify.scheduler import Job
from server.settings import Settings
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

    jobs = (
        Job("delivery", 0.1, deliver, shared=True),
        Job("news", 0.1, lambda context, now: channels.deliver(context, True, lease=lease), shared=True),
        Job("doubtful news", 0.1, lambda context, now: channels.deliver(context, False, lease=lease), shared=True),
    )
    scheduler = runner.scheduler(store, settings, plain, jobs, lease=lease)
    scheduler.start()
    print("works", flush=True)
    while not told.wait(1):  # as in server/commands/worker.py
        pass
    store.closing.set()
    scheduler.stop()
    store.close()
    return 0
