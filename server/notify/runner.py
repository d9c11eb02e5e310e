"""Puts scheduler, delivery, composing and transport together as the settings say."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from server.notify.composing import Composer, Composing
from server.notify.delivery import Delivery
from server.notify.jobs import JOBS
from server.notify.scheduler import LEASE, Job, Scheduler
from server.notify.transport import Transport, transport_for
from server.settings import Settings
from server.storage import leases
from server.storage.database import Store

CLAIM = timedelta(seconds=60)
"""How long the mails of a process that says nothing wait for another."""


def utc_now() -> datetime:
    """The clock of processes that run for real."""
    return datetime.now(UTC)


def delivery(
    store: Store,
    settings: Settings,
    composer: Composer,
    owner: str,
    clock: Callable[[], datetime] = utc_now,
    rng: random.Random | None = None,
    transport: Transport | None = None,
    lease: timedelta = CLAIM,
) -> Delivery:
    """Delivery as the settings say; opens nothing before there is something to send."""
    return Delivery(
        store,
        Composing(composer, store, settings, clock, settings.mail_workers),
        transport or transport_for(settings),
        clock,
        rng or random.SystemRandom(),
        owner,
        settings.mail_tries,
        lease,
    )


def scheduler(
    store: Store,
    settings: Settings,
    composer: Composer,
    jobs: Sequence[Job] = JOBS,
    clock: Callable[[], datetime] = utc_now,
    rng: random.Random | None = None,
    lease: timedelta = LEASE,
) -> Scheduler:
    """A scheduler for this process, not started yet."""
    owner = leases.new_owner()
    chance = rng or random.SystemRandom()
    sends = delivery(store, settings, composer, owner, clock, chance)
    return Scheduler(store, settings, sends, jobs, owner, clock, chance, lease, settings.shutdown_seconds)
