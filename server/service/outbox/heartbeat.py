"""Until when a server was there by which people can move: a row that every one of them writes anew while clocks run.

When none has for a while the servers were off, or had no database. That time is noted when one is there again
(`mail_pause`, cause `off`), and no clock counts it (`service/games/clock.py`).
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

log = logging.getLogger("ulm.clock")

LOOK_SECONDS = 10.0
"""How often a server looks whether it is to write."""
BEAT = timedelta(seconds=30)
GAP = 3 * BEAT  # so long a busy server may say nothing

AT = "SELECT at FROM heartbeat"
_CLOCKS_RUN = """
    SELECT 1 WHERE EXISTS (SELECT 1 FROM game WHERE deadline IS NOT NULL)
        OR EXISTS (SELECT 1 FROM game WHERE status = 'open' AND start_by IS NOT NULL)
        OR EXISTS (SELECT 1 FROM tournament WHERE status = 'running' AND round_ends_at IS NOT NULL)"""
_FIRST = "INSERT INTO heartbeat (id, at) VALUES (1, ?) ON CONFLICT (id) DO NOTHING"
_NEXT = "UPDATE heartbeat SET at = ? WHERE at = ?"
_OFF = "INSERT INTO mail_pause (cause, why, since, ended_at, failures) VALUES ('off', '', ?, ?, 0)"


def beat(store: Store, now: datetime) -> None:
    """Say that a server is there; where none was for a while, note since when. Where no clock runs that is nobody's
    loss, and nothing is written."""
    with store.read():
        clocks_run, found = sql.row(store, _CLOCKS_RUN) is not None, sql.row(store, AT)
    if not clocks_run:
        if found is not None:
            with store.write(power_cut_safe=False):
                sql.execute(store, "DELETE FROM heartbeat")
        return
    last = utc(now) if found is None else found[0]
    if found is not None and timedelta() <= now - parse_utc(last) < BEAT:
        return
    with store.write(power_cut_safe=False):
        sql.execute(store, _FIRST, last)
        # Of several servers the first one notes it.
        gone = off(last, now) if sql.execute(store, _NEXT, utc(now), last).rowcount == 1 else None
        if gone is not None:
            sql.execute(store, _OFF, last, utc(now))
    if gone is not None:
        fields = {"since": last, "seconds": int((gone[1] - gone[0]).total_seconds())}
        log.warning("no server was there: that time does not count", extra={"fields": fields})


def off(last: str, now: datetime) -> tuple[datetime, datetime] | None:
    """The time in which no server was there, and perhaps none is yet; None when one was there at `last`, just now."""
    since = parse_utc(last)
    return (since, now) if now - since > GAP else None
