"""The outbox as operators see and move it: what is in it, one mail with all that is known of it, retrying, dropping."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict, cast

from server.service.common import audit_log
from server.service.common.errors import NotFound
from server.service.outbox.deliveries import STATES
from server.storage import sql
from server.storage.database import Store
from server.storage.models import utc

_LISTING = """
    SELECT m.id, m.state, m.kind, m.game_id, m.ply, m.player_id, coalesce(m.address, p.email) AS address, m.attempts,
        m.due_at, m.lease_until, m.done_at, m.message_id, m.error
    FROM mail m LEFT JOIN player p ON p.id = m.player_id"""


class ListedMail(TypedDict):
    """A mail in the outbox, for the operator's eyes: its address, or that of its player, is among it."""

    id: int
    state: str
    kind: str
    game_id: str | None
    ply: int | None
    player_id: str | None
    address: str | None
    attempts: int
    due_at: str
    lease_until: str | None
    done_at: str | None
    message_id: str | None
    error: str | None


def listing(store: Store, state: str | None, limit: int) -> list[ListedMail]:
    """The newest `limit` mails, of one state or of all."""
    where, values = ("", ()) if state is None else (" WHERE m.state = ?", (state,))
    with store.read():
        return cast(
            "list[ListedMail]", sql.dicts(store, f"{_LISTING}{where} ORDER BY m.id DESC LIMIT ?", *values, limit)
        )


def counts(store: Store) -> dict[str, int]:
    """How many mails are in each state."""
    with store.read():
        found: dict[str, int] = dict(sql.rows(store, "SELECT state, count(*) FROM mail GROUP BY state"))
    return {state: found.get(state, 0) for state in STATES}


_RETRY = """
    UPDATE mail SET state = 'pending', attempts = 0, lease_owner = NULL, lease_until = NULL, done_at = NULL,
        fault = NULL
    WHERE state = 'dead'"""


def retry(store: Store, ids: Sequence[int] | None, now: datetime) -> int:
    """Give dead letters (`ids`, or all when None) a new start; how many. Raises `NotFound` for one that is not dead.

    Each is looked at anew before it is sent: what is no longer true is skipped.
    """
    with store.write():
        if ids is None:
            done = int(sql.execute(store, _RETRY).rowcount)
        else:
            for number in ids:
                if not sql.execute(store, _RETRY + " AND id = ?", number).rowcount:
                    raise NotFound(f"mail {number} is not dead; `ulm mail list --state dead` lists those that are")
            done = len(ids)
        audit_log.note(store, "operator_retried_mail", now, mails=done)
    return done


_DROP = """
    UPDATE mail SET state = 'skipped', done_at = ?, lease_until = NULL, error = 'dropped by the operator'
    WHERE id = ? AND state IN ('pending', 'dead')"""


def drop(store: Store, ids: Sequence[int], now: datetime) -> None:
    """Send these mails, waiting or dead, never. Raises `NotFound` for one that is neither; then none is dropped."""
    with store.write():
        for number in ids:
            if not sql.execute(store, _DROP, utc(now), number).rowcount:
                raise NotFound(f"mail {number} neither waits nor is dead; `ulm mail list` shows what it is")
        audit_log.note(store, "operator_dropped_mail", now, mails=len(ids))
