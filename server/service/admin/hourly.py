"""What happened hour by hour, for graphs: from indexes, and of no more than the newest rows."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import NamedTuple

from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

HOURS = 48
ROWS = 20_000
"""Of so many rows, the newest, the graphs are made."""

MOVES = """
    SELECT substr(played_at, 1, 13), count(*) FROM move
    WHERE id > (SELECT max(id) FROM move) - ? AND played_at >= ? GROUP BY substr(played_at, 1, 13)"""
MAILS = """
    SELECT done_at, due_at FROM mail WHERE state = 'sent' AND done_at >= ? ORDER BY done_at DESC LIMIT ?"""
OVER = """
    SELECT substr(finished_at, 1, 13), count(*) FROM (
        SELECT finished_at FROM game WHERE finished_at >= ? ORDER BY finished_at DESC LIMIT ?) AS found
    GROUP BY substr(finished_at, 1, 13)"""


class Hourly(NamedTuple):
    """By hour, the present one last: moves that were stored, mails that were sent, how many seconds the mail in the
    middle was late (0: none was sent), games that ended."""

    hours: list[datetime]
    moves: list[int]
    mails: list[int]
    late: list[int]
    over: list[int]


def read(store: Store, now: datetime) -> Hourly:
    """The last `HOURS` hours."""
    last = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    hours = [last - timedelta(hours=back) for back in reversed(range(HOURS))]
    since, keys = utc(hours[0]), [utc(hour)[:13] for hour in hours]
    with store.read():
        moves: dict[str, int] = dict(sql.rows(store, MOVES, ROWS, since))
        over: dict[str, int] = dict(sql.rows(store, OVER, since, ROWS))
        sent = sql.rows(store, MAILS, since, ROWS)
    mails = Counter(done_at[:13] for done_at, _due in sent)
    late: dict[str, list[float]] = {}
    for done_at, due_at in sent:
        late.setdefault(done_at[:13], []).append((parse_utc(done_at) - parse_utc(due_at)).total_seconds())
    return Hourly(
        hours,
        [moves.get(key, 0) for key in keys],
        [mails.get(key, 0) for key in keys],
        [round(median(late[key])) if key in late else 0 for key in keys],
        [over.get(key, 0) for key in keys],
    )
