"""What runs beside the server or without it: jobs by the clock, and the doors by which mail comes in."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime

from server.bot_workers.analysis_job import Analyses
from server.bot_workers.job import BotTurns
from server.commands import CommandError
from server.inbox import imap_poller, receiving
from server.inbox.lmtp_listener import Listen, ListenError, LmtpListener
from server.inbox.receiving import Outcome, Receive
from server.notify import runner
from server.notify.compose import compose
from server.notify.jobs import KINDS
from server.notify.mime_message import domain
from server.notify.scheduler import Context, Job
from server.settings import Settings
from server.storage import leases
from server.storage.database import Store

log = logging.getLogger("ulm.inbox")

POLLING = 30
ANALYSING = 2
LISTENING = 5
"""How often is looked whether the socket is free that another process listened on."""


WORK = (*KINDS, "incoming", "bots", "analyses")
"""What a process can do: jobs by the clock of some kind, take mail in, let bots think, analyse games."""


def receiver(store: Store, settings: Settings) -> Receive:
    """`receiving.receive` with the clock and the chance of a process that runs for real."""
    chance = random.SystemRandom()

    def receive(data: bytes, recipients: Sequence[str], sender: str | None) -> Outcome:
        return receiving.receive(store, settings, data, recipients, datetime.now(UTC), chance, sender)

    return receive


class Standing:
    """Listens for mail where nobody does yet."""

    def __init__(self, listener: LmtpListener) -> None:
        self._listener, self._told = listener, False

    def look(self, context: Context, now: datetime) -> None:
        """Open the socket, if it is not and can be."""
        if self._listener.listening or not context.keep():
            return
        try:
            self._listener.start()
            self._told = False
        except ListenError as error:
            if not self._told:
                log.warning("no mail comes in here", extra={"fields": {"why": error}})
            self._told = True


class Polling:
    """Looks into the mailbox."""

    def __init__(self, settings: Settings, receive: Receive) -> None:
        self._mailbox = imap_poller.Mailbox.parse(settings.imap_url)
        self._domain, self._receive = settings.reply_domain, receive
        self._remembered = imap_poller.Remembered()

    def look(self, context: Context, now: datetime) -> None:
        """Do what lies in it."""
        try:
            results = imap_poller.poll(self._mailbox, self._domain, self._receive, context.keep, self._remembered)
        except imap_poller.MailboxError as error:
            log.warning("the mailbox cannot be read", extra={"fields": {"why": error}})
            return
        if results:
            log.info("mailbox", extra={"fields": results})


def turns_of(turns: BotTurns) -> Callable[[Context, datetime], object]:
    """`BotTurns.look` as a job."""
    return lambda context, now: turns.look()


class Background:
    """The jobs and doors of one process, from `start` to `stop`: those of `only` (some of `WORK`).

    Of several processes on a machine one listens for mail, and another when that one has ended. Raises
    `CommandError` when something that is named is turned off.
    """

    def __init__(self, store: Store, settings: Settings, only: Collection[str] = WORK) -> None:
        if len(only) < len(WORK):
            _refuse(settings, only)
        receive = receiver(store, settings)
        self._listener: LmtpListener | None = None
        if (settings.lmtp_listen or settings.imap_url) and not settings.reply_domain:
            log.warning("no mail comes in here", extra={"fields": {"why": "ULM_REPLY_DOMAIN is not set"}})
        jobs = [job for kind, of_kind in KINDS.items() if kind in only for job in of_kind]
        if "incoming" in only and settings.reply_domain and settings.lmtp_listen:
            listen = Listen.parse(settings.lmtp_listen)
            self._listener = LmtpListener(listen, receive, settings.reply_domain, domain(settings))
            jobs.append(Job("lmtp", LISTENING, Standing(self._listener).look, shared=True))
        if "incoming" in only and settings.reply_domain and settings.imap_url:
            jobs.append(Job("mailbox", POLLING, Polling(settings, receive).look))
        self._bots = [
            BotTurns(store, settings.rulesets, leases.new_owner(), runner.utc_now)
            for _ in range(settings.bot_workers if "bots" in only else 0)
        ]
        for number, turns in enumerate(self._bots):
            jobs.append(Job(f"bots-{number}", 0, turns_of(turns), shared=True))
        self._analyses = Analyses(store, settings.rulesets, leases.new_owner(), runner.utc_now)
        if settings.analyses and "analyses" in only:
            jobs.append(Job("analyses", ANALYSING, lambda context, now: self._analyses.look(), shared=True))
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
    off = {
        "bots": "ULM_BOT_WORKERS is 0" * (not settings.bot_workers),
        "analyses": "ULM_ANALYSES is off" * (not settings.analyses),
        "incoming": "it needs ULM_REPLY_DOMAIN, and ULM_LMTP_LISTEN or ULM_IMAP_URL" * (not takes_in),
    }
    for work, why in off.items():
        if work in only and why:
            raise CommandError(f"there is nothing to do for {work}: {why}")
