"""Games resigned at once, before as many turns ended as there are seats: in no public list or statistic."""

from __future__ import annotations

from datetime import datetime

from server.service.accounts import byte_quota
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

AT_ONCE = 2000
"""How many games one run of the job takes away at most, each in a transaction of its own."""

_OLD = """
    SELECT id FROM game WHERE unplayed = ? AND origin = 'played' AND finished_at < ? ORDER BY finished_at, id LIMIT ?"""


def clean_up(store: Store, before: datetime) -> int:
    """Take away those that ended before that time, with all that hangs on them, but imported ones; how many."""
    with store.read():
        found = sql.rows(store, _OLD, True, utc(before), AT_ONCE)
    for (game_id,) in found:
        with store.write():
            byte_quota.game_gone(store, game_id)
            sql.execute(store, "DELETE FROM game WHERE id = ?", game_id)
    return len(found)
