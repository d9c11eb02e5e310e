"""The outbox as delivery uses it: claiming what is due, noting what became of it, and what was said of it later.

A row goes `pending` → `sending` (claimed by one process, under a lease) → `sent`, `skipped` or `dead`; a failed try
brings it back. While it is pending, `lease_until` is before when it is not tried again: `due_at` stays, and with it its
Date.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from server.engine.canonical import Json
from server.service.outbox import mail_status, pauses, stopped_addresses, stranger_mail
from server.storage import leases, sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

Whose = Literal["ours", "theirs"]
"""Whose fault it is that a mail was not delivered: of this side, mail server included, or of who is written to."""
STATES = ("pending", "sending", "sent", "skipped", "dead")
ERROR_MAX = 500
LAST_RETRY = timedelta(hours=6)  # A mail that failed is tried again after this time at the latest


@dataclass(frozen=True, slots=True)
class QueuedMail:
    """One row of the outbox that is due. `data` is the parsed JSON; times are text in UTC."""

    id: int
    key: str
    kind: str
    due_at: str
    created_at: str
    game_id: str | None = None
    ply: int | None = None
    player_id: str | None = None
    address: str | None = None
    data: dict[str, Json] = field(default_factory=dict)
    attempts: int = 0  # tries so far, this one not counted
    tried_at: str | None = None  # when a try failed the last time, whatever the reason
    refused_at: str | None = None
    """When its reader, or it, was refused for good the first time, by an answer of the mail server."""
    bounce_token: str | None = None
    """By which the mail is known again when it comes back; None for one that was written before there were such."""
    request: str | None = None  # the id of the request that caused it

    @property
    def due(self) -> datetime:
        """When the mail was to be sent, aware, in UTC. It stays the same over all tries."""
        return parse_utc(self.due_at)


@dataclass(frozen=True, slots=True)
class Mark:
    """What became of a claimed mail; `counts`: it was a try; `due` moves the mail, `again` when to try next."""

    id: int
    state: str
    counts: bool = True
    due: datetime | None = None
    again: datetime | None = None
    message_id: str | None = None
    error: str | None = None
    fault: Whose | None = None
    to: str | None = None  # the address that it was offered for, where the mail server answered
    refused: bool = False  # whether an answer of the mail server refused its reader, or it, for good
    stops: bool = False
    """Whether that address takes no mail at all: none is sent there any more, and `error` is what its owner is told."""


_WAITS = "state = 'pending' AND due_at <= ? AND (lease_until IS NULL OR lease_until <= ? OR lease_until > ?)"
_DUE = f"SELECT 1 FROM mail WHERE {_WAITS} LIMIT 1"  # noqa: S608
_LEFT = "state = 'sending' AND (lease_until <= ? OR lease_until > ?)"
_LOST = f"SELECT 1 FROM mail WHERE {_LEFT} LIMIT 1"  # noqa: S608


def anything_due(store: Store, now: datetime, lease: timedelta) -> bool:
    """Whether `claim` would find something, with claims for `lease`: an idle server only reads."""
    moment = utc(now)
    with store.read():
        due = sql.row(store, _DUE, moment, moment, leases.latest(now, now + LAST_RETRY))
        return due is not None or sql.row(store, _LOST, moment, leases.latest(now, now + lease)) is not None


# Materialized: a query in a query PostgreSQL may run once for each row, and would find others each time.
_CLAIM = """
    WITH found AS MATERIALIZED (SELECT id FROM mail WHERE {which} ORDER BY {order} LIMIT ?{skip})
    UPDATE mail SET state = 'sending', lease_owner = ?, lease_until = ?, attempts = attempts + 1
    WHERE id IN (SELECT id FROM found)
    RETURNING id, key, kind, due_at, created_at, game_id, ply, player_id, address, data, attempts - 1 AS attempts,
        tried_at, refused_at, bounce_token, request"""
_CLAIM_LOST = _CLAIM.replace("{which}", _LEFT)
_CLAIM_DUE = _CLAIM.replace("{which}", _WAITS)
_LONGEST_DUE = "due_at, id"
# To whose reader no mail failed so far, or the longest ago.
_ANOTHER_READER = """(
    SELECT max(o.tried_at) FROM mail o
    WHERE o.player_id = mail.player_id AND o.state IN ('pending', 'sending')) NULLS FIRST, tried_at NULLS FIRST, """


def claim(
    store: Store, owner: str, now: datetime, until: datetime, limit: int, probing: bool = False
) -> list[QueuedMail]:
    """Up to `limit` mails for `owner` to send before `until`, the longest due first; `probing`, to another reader each
    time. What another process did not finish in time is taken over. No mail is given to two."""
    skip = sql.skipping_locked(store)
    moment, lease = utc(now), utc(until)
    order = _ANOTHER_READER + _LONGEST_DUE if probing else _LONGEST_DUE
    lost, due = (text.replace("{skip}", skip).replace("{order}", order) for text in (_CLAIM_LOST, _CLAIM_DUE))
    with store.write():
        found = sql.dicts(store, lost, moment, leases.latest(now, until), limit, owner, lease)
        if len(found) < limit:
            latest = leases.latest(now, now + LAST_RETRY)
            found += sql.dicts(store, due, moment, moment, latest, limit - len(found), owner, lease)
    queued = [QueuedMail(**{**row, "data": json.loads(row["data"])}) for row in found]
    return sorted(queued, key=lambda one: (one.due_at, one.id))


def renew(store: Store, owner: str, until: datetime) -> set[int]:
    """Hold what `owner` has claimed until a later time; the ids of what is still its own."""
    statement = "UPDATE mail SET lease_until = ? WHERE state = 'sending' AND lease_owner = ? RETURNING id"
    with store.write():
        sql.lock_in_order(store, "mail", "state = 'sending' AND lease_owner = ?", owner)
        return {row[0] for row in sql.rows(store, statement, utc(until), owner)}


_MARK = """
    UPDATE mail SET state = ?, attempts = attempts - ?, due_at = coalesce(?, due_at), lease_owner = NULL,
        lease_until = ?, done_at = ?, message_id = coalesce(?, message_id), error = ?, fault = ?,
        tried_at = coalesce(?, tried_at), refused_at = coalesce(refused_at, ?), sent_to = coalesce(?, sent_to)
    WHERE id = ? AND state = 'sending' AND lease_owner = ?
    RETURNING player_id"""


_TAKEN = """
    SELECT 1 FROM mail WHERE state = 'sent' AND done_at > ? AND (player_id IS NULL OR player_id <> ?) LIMIT 1"""


def others_taken(store: Store, since: str, player_id: str | None) -> bool:
    """Whether mail to somebody other than this player was taken since then (text in UTC): what is refused beside it is
    not the mail server's fault. What was taken in the same second may have been before, and does not count."""
    return sql.row(store, _TAKEN, since, player_id or "") is not None


_FAILED = """
    SELECT count(DISTINCT coalesce(player_id, address)), min(CASE WHEN tried_at > ? THEN due_at END) FROM mail
    WHERE state IN ('pending', 'sending') AND (tried_at > ? OR id = ?)"""
_LAST_TAKEN = "SELECT max(done_at) FROM mail WHERE state = 'sent'"
EVERYBODY = 5
"""Mail to so many readers is refused, and none is taken between: then the mail server refuses everybody."""
EVERYBODY_FOR = timedelta(hours=1)  # the same, however few they are, when no mail was taken for so long


def refuses_everybody(store: Store, queued: QueuedMail, now: datetime) -> bool:
    """Whether the mail server, which refuses this mail at `now`, seems to take none from this server: since the last
    mail was taken those to `EVERYBODY` readers failed, this one included, or before it one due `EVERYBODY_FOR` ago."""
    with store.read():
        (taken,) = sql.rows(store, _LAST_TAKEN)[0]
        readers, due_at = sql.rows(store, _FAILED, taken or "", taken or "", queued.id)[0]
    long_ago = utc(now - EVERYBODY_FOR)
    return readers >= EVERYBODY or (due_at is not None and max(due_at, taken or "") <= long_ago)


@dataclass(frozen=True, slots=True)
class Noted:
    """What the outbox is like when marks are noted."""

    marks: int  # how many were still the owner's to speak of
    paused: pauses.Pause | None  # why nothing more is to be sent for now
    alarm: bool = False
    """Whether the operator is to be told of the fault: it is new, or has lasted for long since the last time."""
    ended: bool = False  # whether a pause for a fault is over


_PLAYERS = """
    SELECT id FROM player WHERE id IN (SELECT player_id FROM mail WHERE id IN {marks})
    ORDER BY id FOR NO KEY UPDATE"""  # not FOR UPDATE: that would keep out whoever, with a game locked, writes to them


def mark(
    store: Store,
    owner: str,
    marks: Iterable[Mark],
    now: datetime,
    fault: pauses.Fault | None = None,
    again: Callable[[int], datetime] | None = None,
    tally: Mapping[str, int] | None = None,
) -> Noted:
    """Note what became of claimed mails, in one transaction with all that follows from it.

    `fault`: no mail can be sent, and `again` tells when to try that once more; `tally`: how many became what. With
    either it waits for the disk; without, a power cut may undo it.
    """
    items = sorted(marks, key=lambda item: item.id)
    noted, ended = 0, False
    with store.write(power_cut_safe=bool(tally) or fault is not None):
        stopping = [item.id for item in items if item.stops]
        if stopping and not store.is_sqlite:  # players before mails, as everybody locks them
            sql.rows(store, _PLAYERS.replace("{marks}", sql.marks(stopping)), *stopping)
        for item in items:
            marked, sent_to = _mark(store, owner, item, now), _sent_to(item)
            if marked is None:
                continue
            noted += 1
            if sent_to is not None:
                ended |= pauses.over(store, now)
                if item.stops and marked[0] is not None:
                    stopped_addresses.stop_player(store, marked[0], sent_to, item.error or "", now, by="refused")
        alarm = fault is not None and again is not None and pauses.fail(store, fault, again, now)
        for name, number in sorted((tally or {}).items()):
            sql.execute(store, _TALLY, name, number)
        return Noted(noted, pauses.current(store), alarm, ended)


_TALLY = """
    INSERT INTO mail_tally (name, total) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET total = mail_tally.total + excluded.total"""


def _sent_to(item: Mark) -> str | None:
    return None if item.to is None else stopped_addresses.fingerprint(item.to)


def _mark(store: Store, owner: str, item: Mark, now: datetime) -> sql.Row | None:
    finished = utc(now) if item.state in ("sent", "skipped", "dead") else None
    due, again = (None if moment is None else utc(moment) for moment in (item.due, item.again))
    error = None if item.error is None else item.error[:ERROR_MAX]
    tried = None if item.fault is None else utc(now)
    refused = utc(now) if item.refused else None
    values = (item.state, 0 if item.counts else 1, due, again, finished, item.message_id, error, item.fault)
    return sql.row(store, _MARK, *values, tried, refused, _sent_to(item), item.id, owner)


Heard = Literal["unknown", "noted", "stopped"]
"""What came of a word about a mail: there is no such mail, it was noted, or its address gets no more."""
_OF_TOKEN = "SELECT id, player_id, address, sent_to FROM mail WHERE bounce_token = ?"  # noqa: S105
_DELAYED = "UPDATE mail SET error = ? WHERE id = ? AND state = 'sent'"
_CAME_BACK = "UPDATE mail SET state = 'dead', fault = 'theirs', done_at = ?, error = ? WHERE id = ? AND state = 'sent'"


def is_known(store: Store, token: str) -> bool:
    """Whether a mail was written whose envelope sender had this token, and has not been forgotten."""
    return sql.row(store, "SELECT 1 FROM mail WHERE bounce_token = ?", token) is not None


def _of_token(store: Store, token: str) -> sql.Row | None:
    """A mail, locked in the running transaction; before it its player, as whoever deletes an account does it."""
    found = sql.row(store, _OF_TOKEN, token)
    if found is None or store.is_sqlite:  # there `write()` has locked all already
        return found
    sql.row(store, "SELECT id FROM player WHERE id = ? FOR NO KEY UPDATE", found[1])
    return sql.row(store, sql.locking(store, _OF_TOKEN), token)


def came_back(store: Store, token: str, status: str, why: str, now: datetime) -> Heard:
    """A bounce says that a mail was not delivered, by its enhanced status code (RFC 3463): 5.… is for ever, and where
    the address is bad none is sent there until it is confirmed again. `why` is shown to the player. Raises `ValueError`
    for what is no status code."""
    for_ever = mail_status.kind(status)[0] == "5"
    with store.write():
        found = _of_token(store, token)
        if found is None:
            return "unknown"
        number, player_id, _, sent_to = found
        if not for_ever:
            sql.execute(store, _DELAYED, why[:ERROR_MAX], number)
            return "noted"
        sql.execute(store, _CAME_BACK, utc(now), why[:ERROR_MAX], number)
        if player_id is None or not mail_status.is_bad_address(status):
            return "noted"
        stopped = stopped_addresses.stop_player(store, player_id, sent_to, why, now, by="bounce")
        return "stopped" if stopped else "noted"


def complained(store: Store, token: str, why: str, now: datetime) -> Heard:
    """A reader reported a mail as unwanted: no more to a player's address until confirmed, none ever to a stranger."""
    with store.write():
        found = _of_token(store, token)
        if found is None:
            return "unknown"
        _, player_id, address, sent_to = found
        if player_id is not None:
            stopped = stopped_addresses.stop_player(store, player_id, sent_to, why, now, by="complaint")
            return "stopped" if stopped else "noted"
    stranger_mail.block(store, stranger_mail.claim(address), now)
    return "stopped"


def clean_up(store: Store, before: datetime) -> int:
    """Forget mails that were sent or skipped before that; dead letters stay until they are retried. How many."""
    statement = "DELETE FROM mail WHERE state IN ('sent', 'skipped') AND done_at <= ?"
    with store.write():
        sql.lock_in_order(store, "mail", "state IN ('sent', 'skipped') AND done_at <= ?", utc(before))
        return int(sql.execute(store, statement, utc(before)).rowcount)
