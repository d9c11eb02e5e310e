"""Pauses of the outbox: times in which no mail is sent, by the operator's word or because none can be.

Both are rows that all processes share, and both may be open at once. The operator's ends by the operator's word. A
fault (of the mail server, or of how this server is set up) is tried again: one process at a time sends one mail, in
longer and longer steps, and when that is taken the pause is over. What the clocks of games do meanwhile, others decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from server.service.common import audit_log
from server.storage import sql
from server.storage.database import Store
from server.storage.models import parse_utc, utc

Cause = Literal["operator", "fault"]
WHY_MAX = 500


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause that is open. Times are aware, in UTC."""

    cause: Cause
    since: datetime
    why: str
    """For the operator: it may quote the mail server."""
    until: datetime | None
    """When the next mail tries whether a fault is over; None for the operator's."""
    failures: int
    """How often it was found, a fault."""


_OPEN = "SELECT cause, since, why, retry_at, failures FROM mail_pause WHERE ended_at IS NULL ORDER BY cause DESC"


def current(store: Store) -> Pause | None:
    """The pause that mail is under, None when it goes out; the operator's where there are both. In the running
    transaction or one of its own."""
    with store.read():
        found = sql.row(store, _OPEN)  # "operator" comes first
    if found is None:
        return None
    cause, since, why, retry_at, failures = found
    return Pause(cause, parse_utc(since), why, None if retry_at is None else parse_utc(retry_at), failures)


_BY_OPERATOR = "SELECT since FROM mail_pause WHERE cause = 'operator' AND ended_at IS NULL"


def by_operator(store: Store) -> str | None:
    """Since when the operator has paused all mail, and with it every clock (text in UTC); None when that is not so. In
    the running transaction or one of its own."""
    with store.read():
        found = sql.row(store, _BY_OPERATOR)
    return None if found is None else str(found[0])


_BEGIN = """
    INSERT INTO mail_pause (cause, why, since, retry_at, failures, suspect_id) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (cause) WHERE ended_at IS NULL DO NOTHING"""
_END = "UPDATE mail_pause SET ended_at = ? WHERE cause = ? AND ended_at IS NULL"


def pause(store: Store, why: str, now: datetime) -> bool:
    """Send no mail until `resume`, on behalf of the operator; False when that is so already."""
    with store.write():
        begun = bool(sql.execute(store, _BEGIN, "operator", why[:WHY_MAX], utc(now), None, 0, None).rowcount == 1)
        if begun:
            audit_log.note(store, "operator_paused_mail", now)
    return begun


def resume(store: Store, now: datetime) -> bool:
    """End the operator's pause, and let a fault be tried again at once; False when neither was there."""
    with store.write():
        ended = sql.execute(store, _END, utc(now), "operator").rowcount == 1
        hurry = "UPDATE mail_pause SET retry_at = ? WHERE cause = 'fault' AND ended_at IS NULL"
        hurried = sql.execute(store, hurry, utc(now)).rowcount == 1
        if ended:
            audit_log.note(store, "operator_resumed_mail", now)
    return bool(ended or hurried)
