"""What an older database that was put back means for mail and for clocks.

What it takes for waiting may have gone out since, and deadlines passed while nobody could play on it. So mail is
paused, as if the operator had done it at the last moment of which the database knows: no clock counts the time between.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from server.service.outbox import pauses
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc

WHY = "restored from a backup"

_LAST = """
    SELECT MAX(at) FROM (
        SELECT played_at AS at FROM move WHERE id = (SELECT MAX(id) FROM move)
        UNION ALL SELECT MAX(at) FROM audit
        UNION ALL SELECT MAX(created_at) FROM mail
        UNION ALL SELECT MAX(done_at) FROM mail
        UNION ALL SELECT MAX(until) FROM lease WHERE until <> ''
    ) AS known"""
_WAITING = "SELECT COUNT(*) FROM mail WHERE state IN ('pending', 'sending')"


@dataclass(frozen=True, slots=True)
class Restored:
    """What a database says of itself."""

    last: datetime
    """The last moment of which it knows; where jobs ran, within a minute of that at which the backup was made."""
    waiting: int  # mails that were not sent by then


def look(store: Store, now: datetime) -> Restored:
    """What the database knows of its own end."""
    with store.read():
        found = sql.row(store, _LAST)
        waiting = sql.row(store, _WAITING)
    last = now if found is None or found[0] is None else min(now, parse_utc(found[0]))
    return Restored(last, 0 if waiting is None else int(waiting[0]))


def hold(store: Store, found: Restored) -> None:
    """Send no mail and let no clock run, from the last moment that is known on, until the operator says so."""
    pauses.pause(store, WHY, found.last)
