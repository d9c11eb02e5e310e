"""News on their way to channels beside mail: rows of `delivery`, as `deliveries` has those of `mail`.

A row goes `pending` → `sending` (claimed by one process, under a lease) → `sent`, `skipped` or `dead`; a failed try
brings it back, due later. A channel is *proven* while what went there last arrived: those that are not have a queue of
their own, so that an address where nobody answers holds nobody up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from server import request_ids
from server.engine.canonical import Json, canonical_json
from server.service.common.preferences import Channel
from server.service.outbox.deliveries import ERROR_MAX, QueuedMail
from server.service.outbox.news import BY_MAIL_ALONE, News
from server.storage import leases, sql
from server.storage.database import Store
from server.storage.times import utc

# What a parameter is, PostgreSQL cannot tell here: hence the casts. The channel is held until the transaction ends:
# else it could go before the row that names it is looked at.
_NEWS = """
    (CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS INTEGER), CAST(? AS TEXT),
        CAST(? AS VARCHAR))"""
_PUT = """
    INSERT INTO delivery (channel_id, "key", kind, game_id, ply, data, state, due_at, attempts, created_at, request)
    SELECT c.id, n.column1, n.column2, n.column3, n.column4, n.column5, 'pending', CAST(? AS VARCHAR), 0,
        CAST(? AS VARCHAR), CAST(? AS VARCHAR)
    FROM (VALUES {news}) n JOIN channel c ON c.player_id = n.column6 JOIN player p ON p.id = c.player_id
    WHERE c.kind IN ('push', 'webhook') AND p.banned_at IS NULL {held}
    ON CONFLICT (channel_id, "key") DO NOTHING"""


def put(store: Store, news: Sequence[News], now: datetime) -> None:
    """Write the news for every channel of those whom they are for, in the running transaction."""
    carried = [one for one in news if one.kind not in BY_MAIL_ALONE]
    if not carried:
        return
    values: list[object] = [utc(now), utc(now), request_ids.present()]
    for one in carried:
        values += (one.key, one.kind, one.game, one.ply, canonical_json(dict(one.data)), one.player)
    held = "" if store.is_sqlite else "FOR KEY SHARE OF c"
    sql.execute(store, _PUT.format(news=", ".join([_NEWS] * len(carried)), held=held), *values)


def put_test(store: Store, channel_id: int, now: datetime) -> None:
    """Write a trial of this channel, one a minute, in the running transaction that has locked its player."""
    at = utc(now)
    values = {"channel_id": channel_id, "key": f"test:{at[:16]}", "kind": "test", "data": "{}", "state": "pending"}
    row = {**values, "due_at": at, "attempts": 0, "created_at": at, "request": request_ids.present()}
    statement = f"INSERT INTO delivery ({', '.join(row)}) VALUES {sql.marks(row)} ON CONFLICT DO NOTHING"  # noqa: S608
    sql.execute(store, statement, *row.values())


@dataclass(frozen=True, slots=True)
class Delivery:
    """One row that is due, as the letters read it (`queued`), and the channel that it goes to."""

    queued: QueuedMail
    channel_id: int
    channel: Channel
    address: str
    secret: str
    settings: Mapping[str, Json]
    failing_since: str | None


_WAITS = """((d.state = 'pending' AND d.due_at <= ?)
    OR (d.state = 'sending' AND (d.lease_until <= ? OR d.lease_until > ?))) AND c.failing_since IS {proven}"""
_ANY = f"SELECT 1 FROM delivery d JOIN channel c ON c.id = d.channel_id WHERE {_WAITS} LIMIT 1"  # noqa: S608
# What failed before comes behind what is new.
_CLAIM = f"""
    WITH found AS MATERIALIZED (
        SELECT d.id FROM delivery d JOIN channel c ON c.id = d.channel_id WHERE {_WAITS}
        ORDER BY d.attempts, d.due_at, d.id LIMIT 1{{skip}})
    UPDATE delivery SET state = 'sending', lease_owner = ?, lease_until = ?, attempts = attempts + 1
    WHERE id IN (SELECT id FROM found)
    RETURNING id, "key", kind, due_at, created_at, game_id, ply, data, attempts - 1 AS attempts, request, channel_id"""  # noqa: S608
_CHANNEL = "SELECT player_id, kind, address, secret, settings, failing_since FROM channel WHERE id = ?"


def claim(store: Store, owner: str, now: datetime, until: datetime, proven: bool) -> Delivery | None:
    """What is due the longest, for `owner` to send before `until`, to a channel that is `proven` or not; None for
    nothing. What another process did not finish in time is taken over. Nothing is given to two."""
    moment, latest = utc(now), leases.latest(now, until)
    where = "NULL" if proven else "NOT NULL"
    if sql.row(store, _ANY.format(proven=where), moment, moment, latest) is None:
        return None
    skip = "" if store.is_sqlite else " FOR UPDATE OF d SKIP LOCKED"
    statement = _CLAIM.format(proven=where, skip=skip)
    with store.write(power_cut_safe=False):
        for row in sql.dicts(store, statement, moment, moment, latest, owner, utc(until)):
            channel_id = row.pop("channel_id")
            player, kind, address, secret, settings, failing = sql.rows(store, _CHANNEL, channel_id)[0]
            queued = QueuedMail(**{**row, "player_id": player, "data": json.loads(row["data"])})
            return Delivery(queued, channel_id, kind, address, secret, json.loads(settings), failing)
    return None


_MARK = """
    UPDATE delivery SET state = ?, due_at = coalesce(?, due_at), attempts = attempts - ?, error = ?, done_at = ?,
        lease_owner = NULL, lease_until = NULL
    WHERE id = ? AND state = 'sending' AND lease_owner = ?"""
_HEARD = "UPDATE channel SET failing_since = NULL WHERE id = ? AND failing_since IS NOT NULL"
_FAILS = "UPDATE channel SET failing_since = ? WHERE id = ? AND failing_since IS NULL"


class Outcome(NamedTuple):
    """What became of it: `sent`, `skipped`, `dead`, or `pending` until `due`. `counts`: it was a try; `blames`: the
    other side did not take it, and so its channel fails."""

    state: str
    error: str | None = None
    due: datetime | None = None
    counts: bool = True
    blames: bool = False


def mark(store: Store, owner: str, delivery: Delivery, found: Outcome, now: datetime) -> None:
    """Note what became of a delivery, if it is still the owner's to speak of."""
    done = None if found.state == "pending" else utc(now)
    # The channel before its rows, as whoever takes it away locks them.
    with store.write(power_cut_safe=False):
        if found.state == "sent":
            sql.execute(store, _HEARD, delivery.channel_id)
        elif found.blames:
            sql.execute(store, _FAILS, utc(now), delivery.channel_id)
        due, why = None if found.due is None else utc(found.due), found.error and found.error[:ERROR_MAX]
        sql.execute(store, _MARK, found.state, due, int(not found.counts), why, done, delivery.queued.id, owner)


def remove(store: Store, channel_id: int) -> None:
    """Take away a channel that is gone on the other side, and what was on its way there."""
    with store.write():
        sql.execute(store, "DELETE FROM channel WHERE id = ?", channel_id)


def clean_up(store: Store, before: datetime) -> int:
    """Forget what was done before that; how many."""
    with store.write():
        sql.lock_in_order(store, "delivery", "done_at <= ?", utc(before))
        return int(sql.execute(store, "DELETE FROM delivery WHERE done_at <= ?", utc(before)).rowcount)
