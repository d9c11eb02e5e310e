"""`ulm worker`: the jobs of the server without the server; and what both run: jobs by the clock, doors for mail."""

from __future__ import annotations

import argparse
import logging
import random
import signal
import threading
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from types import FrameType

from server.bot_workers.analysis_job import Analyses
from server.bot_workers.job import BotTurns
from server.commands import CommandError, argument, command, metrics_server, up_to_date
from server.inbox import imap_poller, receiving
from server.inbox.lmtp_listener import Listen, ListenError, LmtpListener
from server.inbox.receiving import Outcome, Receive
from server.notify import runner, spool
from server.notify.compose import compose
from server.notify.jobs import KINDS
from server.notify.mime_message import domain
from server.notify.scheduler import Context, Job
from server.notify.transport import sender_warnings
from server.service.admin import recent_errors
from server.service.common import database_signals
from server.settings import Settings
from server.storage import leases
from server.storage.database import Store

log = logging.getLogger("ulm.worker")
inbox_log = logging.getLogger("ulm.inbox")

POLLING = 30
ANALYSING = 2
LISTENING = 5
"""How often is looked whether the socket is free that another process listened on."""
WORK = (*KINDS, "incoming", "bots", "analyses")
"""What a process can do: jobs by the clock of some kind, take mail in, let bots think, analyse games."""

Look = Callable[[Context, datetime], object]


def receiver(store: Store, settings: Settings) -> Receive:
    """`receiving.receive` with the clock and the chance of a process that runs for real."""
    chance = random.SystemRandom()

    def receive(data: bytes, recipients: Sequence[str], sender: str | None) -> Outcome:
        return receiving.receive(store, settings, data, recipients, datetime.now(UTC), chance, sender)

    return receive


def _listening(listener: LmtpListener) -> Look:
    """Listen for mail where nobody does yet."""
    told = False

    def look(context: Context, now: datetime) -> None:
        nonlocal told
        if listener.listening or not context.keep():
            return
        try:
            listener.start()
            told = False
        except ListenError as error:
            if not told:
                inbox_log.warning("no mail comes in here", extra={"fields": {"why": error}})
            told = True

    return look


def _polling(settings: Settings, receive: Receive) -> Look:
    """Look into the mailbox, and do what lies in it."""
    mailbox, remembered = imap_poller.Mailbox.parse(settings.imap_url), imap_poller.Remembered()
    told = False

    def look(context: Context, now: datetime) -> None:
        nonlocal told
        try:
            results = imap_poller.poll(mailbox, settings.reply_domain, receive, context.keep, remembered)
        except imap_poller.MailboxError as error:
            if not told:
                inbox_log.warning("the mailbox cannot be read", extra={"fields": {"why": error}})
            told = True
        else:
            if told:
                inbox_log.info("the mailbox can be read again")
            told = False
            if results:
                inbox_log.info("mailbox", extra={"fields": results})

    return look


def _as_job(look: Callable[[], object]) -> Look:
    return lambda context, now: look()


class Background:
    """The jobs and doors of one process, from `start` to `stop`: those of `only` (some of `WORK`). One of several
    processes listens for mail. Raises `CommandError` when something named is turned off."""

    def __init__(self, store: Store, settings: Settings, only: Collection[str] = WORK) -> None:
        if len(only) < len(WORK):
            _refuse(settings, only)
        receive = receiver(store, settings)
        self._listener: LmtpListener | None = None
        if (settings.lmtp_listen or settings.imap_url) and not settings.reply_domain:
            inbox_log.warning("no mail comes in here", extra={"fields": {"why": "ULM_REPLY_DOMAIN is not set"}})
        jobs = [job for kind, of_kind in KINDS.items() if kind in only for job in of_kind]
        if "incoming" in only and settings.reply_domain and settings.lmtp_listen:
            listen = Listen.parse(settings.lmtp_listen)
            self._listener = LmtpListener(listen, receive, settings.reply_domain, domain(settings))
            jobs.append(Job("lmtp", LISTENING, _listening(self._listener), shared=True))
        if "incoming" in only and settings.reply_domain and settings.imap_url:
            jobs.append(Job("mailbox", POLLING, _polling(settings, receive)))
        self._bots = [
            BotTurns(store, settings.rulesets, leases.new_owner(), runner.utc_now)
            for _ in range(settings.bot_workers if "bots" in only else 0)
        ]
        for number, turns in enumerate(self._bots):
            jobs.append(Job(f"bots-{number}", 0, _as_job(turns.look), shared=True))
        self._analyses = Analyses(store, settings.rulesets, leases.new_owner(), runner.utc_now)
        if settings.analyses and "analyses" in only:
            jobs.append(Job("analyses", ANALYSING, _as_job(self._analyses.look), shared=True))
        self.jobs = tuple(jobs)
        """What is done here."""
        self._scheduler = runner.scheduler(store, settings, compose, jobs)

    def start(self) -> None:
        """Begin."""
        self._scheduler.start()

    def stop(self) -> None:
        """End: the doors close first, and what came in by then is done."""
        if self._listener is not None:
            self._listener.stop()
        for turns in self._bots:
            turns.stop()
        self._analyses.stop()
        self._scheduler.stop()
        for turns in self._bots:
            turns.close()


def _refuse(settings: Settings, only: Collection[str]) -> None:
    """Raise `CommandError` for work that the settings turn off: a machine that idles is soon forgotten."""
    takes_in = settings.reply_domain and (settings.lmtp_listen or settings.imap_url)
    for work, is_on, why in (
        ("bots", settings.bot_workers, "ULM_BOT_WORKERS is 0"),
        ("analyses", settings.analyses, "ULM_ANALYSES is off"),
        ("incoming", takes_in, "it needs ULM_REPLY_DOMAIN, and ULM_LMTP_LISTEN or ULM_IMAP_URL"),
    ):
        if work in only and not is_on:
            raise CommandError(f"there is nothing to do for {work}: {why}")


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
    with up_to_date(settings, threads=8) as store, ExitStack() as ending:
        told = threading.Event()

        def stop(number: int, frame: FrameType | None) -> None:
            store.closing.set()
            told.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        ending.callback(recent_errors.record(store, leases.new_owner()).end)
        background = Background(store, settings, args.only)
        ending.enter_context(metrics_server.shown(settings, store))
        ending.callback(database_signals.DatabaseSignals(store).close)
        background.start()
        ending.callback(background.stop)
        ending.callback(store.closing.set)
        _welcome(settings, args.only)
        while not told.wait(1):  # a signal does not wake who waits for ever, where another thread got it
            pass
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
        for warning in sender_warnings(settings):
            print(f"  Mail: {warning}.", flush=True)
