"""`ulm worker`: the jobs of the server without the server: mail, clocks, clean-up."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from types import FrameType
from typing import Any

from server import metering
from server.commands import CommandError, metrics_server
from server.commands.background import Background
from server.commands.opened import up_to_date
from server.notify import sender_checks, spool
from server.service.operating import troubles
from server.settings import Settings
from server.storage import leases

log = logging.getLogger("ulm.worker")


def add_parser(subparsers: Any) -> None:
    """Add `worker`."""
    parser = subparsers.add_parser("worker", help="send mail and mind clocks, beside servers that do not (ULM_JOBS)")
    parser.set_defaults(module=sys.modules[__name__])


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Run the jobs until SIGTERM or SIGINT, finish what is being done, and return 0."""
    shared = os.environ.get(metering.DIRECTORY)
    if shared is not None and not os.path.isdir(shared):
        raise CommandError(f"{metering.DIRECTORY}: there is no directory {shared!r}")
    with up_to_date(settings, threads=8) as store:
        told = threading.Event()

        def stop(number: int, frame: FrameType | None) -> None:
            store.closing.set()
            told.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        recorder = troubles.record(store, leases.new_owner())
        background = Background(store, settings)
        counters = metrics_server.shown(settings, store)
        background.start()
        where = "by the mail server of ULM_SMTP_URL" if settings.smtp_url else f"into {spool.directory(settings)}"
        print(f"Ulm by mail works on mail ({where}) and clocks. Stop it with Ctrl+C.", flush=True)
        for warning in sender_checks.warnings(settings):
            print(f"  Mail: {warning}.", flush=True)
        told.wait()
        background.stop()
        if counters is not None:
            counters.close()
        recorder.end()
    log.info("stopped")
    return 0
