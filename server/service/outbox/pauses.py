"""Pauses of the outbox, by the operator's word or because no mail can be sent; rows that all processes share. A fault
is tried again by one mail at a time, in longer and longer steps, until one is taken or refused for its reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from server.service.common import audit_log
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

Cause = Literal["operator", "fault"]
WHY_MAX = 500
LAST_PAUSE = timedelta(minutes=5)  # it is tried whether a fault is over after this time at the latest
ALARM_AGAIN = timedelta(hours=1)  # how long a fault lasts before the operator is told once more


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause that is open. Times are aware, in UTC."""

    cause: Cause
    since: datetime
    why: str  # for the operator: it may quote the mail server
    until: datetime | None  # when the next mail tries whether a fault is over; None for the operator's
    failures: int  # how often it was found, a fault

    def lasts(self, now: datetime) -> bool:
        """Whether nothing is to be tried at `now`; a time too far ahead was written by a wrong clock."""
        return self.until is None or now < self.until <= now + 2 * LAST_PAUSE


@dataclass(frozen=True, slots=True)
class Fault:
    """Why no mail can be sent, as a process has found out."""

    why: str
    probing: bool = False  # whether it was found by the one mail that tries whether the pause is over


_OPEN = "SELECT cause, since, why, retry_at, failures FROM mail_pause WHERE ended_at IS NULL ORDER BY cause DESC"


def current(store: Store) -> Pause | None:
    """The pause that mail is under (the operator's first), None when it goes out; in any transaction."""
    found = sql.row(store, _OPEN)  # "operator" comes first
    if found is None:
        return None
    cause, since, why, retry_at, failures = found
    return Pause(cause, parse_utc(since), why, None if retry_at is None else parse_utc(retry_at), failures)


_LAST = """
    SELECT MAX(at) FROM (
        SELECT played_at AS at FROM move WHERE id = (SELECT MAX(id) FROM move)
        UNION ALL SELECT MAX(at) FROM audit
        UNION ALL SELECT MAX(created_at) FROM mail
        UNION ALL SELECT MAX(done_at) FROM mail
        UNION ALL SELECT MAX(until) FROM lease WHERE until <> ''
    ) AS known"""


def last_known(store: Store, now: datetime) -> datetime:
    """The last moment of which a database knows that was put back; where jobs ran, within a minute of its copy. A pause
    from then on keeps what may have gone out since, and no clock counts the time between."""
    found = sql.row(store, _LAST)
    return now if found is None or found[0] is None else min(now, parse_utc(found[0]))


BY_OPERATOR = "SELECT since FROM mail_pause WHERE cause = 'operator' AND ended_at IS NULL"
"""Since when the operator has paused all mail: a statement, or a part of others."""


def by_operator(store: Store) -> str | None:
    """Since when the operator has paused all mail and every clock (text in UTC), or None; in any transaction."""
    return sql.value(store, BY_OPERATOR)


_BEGIN = """
    INSERT INTO mail_pause (cause, why, since, retry_at, failures, alarmed_at)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (cause) WHERE ended_at IS NULL DO NOTHING"""
_END = "UPDATE mail_pause SET ended_at = ? WHERE cause = ? AND ended_at IS NULL"
_WHEN = "UPDATE mail_pause SET retry_at = ? WHERE cause = 'fault' AND ended_at IS NULL"


def pause(store: Store, why: str, now: datetime) -> bool:
    """Send no mail until `resume`, on behalf of the operator; False when that is so already."""
    with store.write():
        at = utc(now)
        begun = bool(sql.execute(store, _BEGIN, "operator", why[:WHY_MAX], at, None, 0, None).rowcount)
        if begun:
            audit_log.note(store, "operator_paused_mail", now)
    return begun


def resume(store: Store, now: datetime) -> bool:
    """End the operator's pause, and let a fault be tried again at once; False when neither was there."""
    with store.write():
        ended = sql.execute(store, _END, utc(now), "operator").rowcount == 1
        hurried = sql.execute(store, _WHEN, utc(now)).rowcount == 1
        if ended:
            audit_log.note(store, "operator_resumed_mail", now)
    return bool(ended or hurried)


_FAULT = "SELECT id, failures, alarmed_at FROM mail_pause WHERE cause = 'fault' AND ended_at IS NULL"
_AGAIN = "UPDATE mail_pause SET why = ?, retry_at = ?, failures = ? WHERE id = ?"
_ALARM = "UPDATE mail_pause SET alarmed_at = ? WHERE id = ?"


def fail(store: Store, fault: Fault, again: Callable[[int], datetime], now: datetime) -> bool:
    """No mail can be sent: begin a pause, or make the one that there is longer (`again`: until when, after so many
    failures), in the running transaction. Whether the operator is to be told: it is new, or has lasted for
    `ALARM_AGAIN`."""
    at, why = utc(now), fault.why[:WHY_MAX]
    if sql.execute(store, _BEGIN, "fault", why, at, utc(again(1)), 1, at).rowcount == 1:
        return True
    found = sql.row(store, sql.locking(store, _FAULT))
    if found is None or not fault.probing:
        return False  # what others found while a pause began, or has just ended
    number, failures, alarmed_at = found
    sql.execute(store, _AGAIN, why, utc(again(failures + 1)), failures + 1, number)
    if alarmed_at is not None and abs(now - parse_utc(alarmed_at)) < ALARM_AGAIN:
        return False
    sql.execute(store, _ALARM, at, number)
    return True


_PROBE = """
    UPDATE mail_pause SET retry_at = ?
    WHERE cause = 'fault' AND ended_at IS NULL AND (retry_at <= ? OR retry_at > ?)"""


def probe(store: Store, now: datetime, until: datetime) -> bool:
    """Whether this process may try, before `until`, whether the fault is over. Only one may at a time."""
    with store.write():
        return bool(sql.execute(store, _PROBE, utc(until), utc(now), utc(now + 2 * LAST_PAUSE)).rowcount == 1)


def try_at(store: Store, moment: datetime) -> None:
    """Let the next mail try at `moment` whether the fault is over: the present try is still on its way."""
    with store.write():
        sql.execute(store, _WHEN, utc(moment))


def over(store: Store, now: datetime) -> bool:
    """The mail server takes mail: end the pause for a fault, in the running transaction. Whether there was one."""
    return bool(sql.execute(store, _END, utc(now), "fault").rowcount == 1)


def clean_up(store: Store, before: datetime) -> int:
    """Forget pauses for a fault that ended before that; how many. The operator's stopped clocks, and stay."""
    with store.write():
        statement = "DELETE FROM mail_pause WHERE cause = 'fault' AND ended_at <= ?"
        return int(sql.execute(store, statement, utc(before)).rowcount)
