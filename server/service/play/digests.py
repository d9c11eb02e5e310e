"""The daily digest: which players are due one. What is in it is found when it is sent."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from server.service.common import preferences
from server.service.outbox import enqueuing
from server.service.outbox.enqueuing import News
from server.service.table.running_time import instant
from server.storage import sql
from server.storage.database import Store
from server.storage.models import utc

LATE = timedelta(hours=6)
"""A digest that could not be written by then (the server stood still) is left out: the next one has it all."""
PLAYERS_PER_QUERY = 500

# Those who have a game on, or had one a day ago, and want a digest of it or of everything.
_PLAYERS = """
    SELECT p.id, p.preferences FROM player p
    WHERE p.id > ? AND p.email IS NOT NULL AND p.email_confirmed_at IS NOT NULL AND p.mail_stopped_at IS NULL
        AND EXISTS (
            SELECT 1 FROM seat s JOIN game g ON g.id = s.game_id
            WHERE s.player_id = p.id AND (g.status = 'running' OR g.finished_at > ?)
                AND (s.mail = 'digest' OR (s.mail IS NULL AND p.preferences LIKE ?))
        )
    ORDER BY p.id LIMIT ?"""


def run_digests(store: Store, now: datetime) -> int:
    """Write the notice of every digest whose hour has come; how many are new.

    One for each player and local day, whatever the clocks do in it. May run in several processes at once.
    """
    written, last = 0, ""
    while True:
        with store.read():
            found = sql.rows(
                store, _PLAYERS, last, utc(now - timedelta(days=2)), '%"mail": "digest"%', PLAYERS_PER_QUERY
            )
            if not found:
                return written
            last = found[-1][0]
            due = []
            for player, wishes in found:
                wanted = preferences.read(wishes)
                day, at = newest(wanted["digest_hour"], wanted["time_zone"], now)
                if now - at <= LATE:
                    due.append(News("digest", player, f"digest:{player}:{day}", data={"at": utc(at)}))
            known = enqueuing.known(store, [news.key for news in due])
        for news in due:
            if news.key not in known:
                with store.write():
                    written += enqueuing.tell(store, [news], now)


def newest(hour: int, zone: str, now: datetime) -> tuple[date, datetime]:
    """The newest local day whose digest hour is past, and when that hour was, in UTC.

    An hour that is left out where clocks are put forward is the one after it; of one that comes twice it is the first.
    """
    here = ZoneInfo(zone)
    day = now.astimezone(here).date()
    at = instant(datetime.combine(day, time(hour)), here)
    if at > now:
        day -= timedelta(days=1)
        at = instant(datetime.combine(day, time(hour)), here)
    return day, at
