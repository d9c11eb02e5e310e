"""`ulm worker`: the jobs of the server without the server: mail, clocks, clean-up."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import threading
from collections.abc import Collection
from types import FrameType

from server import metering
from server.commands import CommandError, argument, command, metrics_server, up_to_date
from server.commands.background import WORK, Background
from server.commands.workers import Inherited
from server.notify import sender_checks, spool
from server.service.admin import recent_errors
from server.service.common import database_signals
from server.settings import Settings
from server.storage import leases

log = logging.getLogger("ulm.worker")


def work(text: str) -> tuple[str, ...]:
    """The kinds of work behind `--only`. Raises `argparse.ArgumentTypeError`."""
    asked = text.split(",")
    for each in asked:
        if each not in WORK:
            raise argparse.ArgumentTypeError(f"{each!r} is not one of {', '.join(WORK)}")
    return tuple(each for each in WORK if each in asked)


@command(
    "worker",
    "send mail and mind clocks, beside servers that do not (ULM_JOBS)",
    argument(
        "--only", type=work, default=WORK, metavar="WORK",
        help=f"do this alone, some of {','.join(WORK)} with commas between: for machines with work of their own",
    ),
)  # fmt: skip
def worker(args: argparse.Namespace, settings: Settings) -> None:
    """Run the jobs until SIGTERM or SIGINT, finish what is being done."""
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
        recorder = recent_errors.record(store, leases.new_owner())
        inherited = Inherited.take()
        background = Background(store, settings, args.only)
        counters = metrics_server.shown(settings, store)
        signals = database_signals.join(store)
        background.start()
        _welcome(settings, args.only)
        if inherited is not None:
            inherited.listener.close()
            inherited.ready(told.set)
        told.wait()
        store.closing.set()
        background.stop()
        signals.close()
        if counters is not None:
            counters.close()
        recorder.end()
    log.info("stopped")


def _welcome(settings: Settings, only: Collection[str]) -> None:
    where = "by the mail server of ULM_SMTP_URL" if settings.smtp_url else f"into {spool.directory(settings)}"
    if len(only) == len(WORK):
        print(f"Ulm by mail works on mail ({where}) and clocks. Stop it with Ctrl+C.", flush=True)
    else:
        print(f"Ulm by mail works on {', '.join(only)} alone. Stop it with Ctrl+C.", flush=True)
        if "mail" in only:
            print(f"  Mail goes out {where}.", flush=True)
    if "mail" in only:
        for warning in sender_checks.warnings(settings):
            print(f"  Mail: {warning}.", flush=True)
