"""The outbox as delivery and operators use it: claiming what is due, noting what became of it, looking at it.

`enqueuing` puts rows in; everything after that is here. A row goes `pending` → `sending` (claimed by one process, for
the time of a lease) → `sent`, `skipped` or `dead`; a failed try brings it back to `pending`. While a row is pending,
`lease_until` is the time before which it is not tried again, so that `due_at` stays what it was and with it the Date of
the mail. Times are aware `datetime`s on the way in and text in UTC on the way out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypedDict, cast

from server.engine.canonical import Json
from server.service.common import audit_log, checks
from server.service.common.errors import NotFound, Unprocessable
from server.storage import sql
from server.storage.database import Store
from server.storage.models import parse_utc, utc

STATES = ("pending", "sending", "sent", "skipped", "dead")
ERROR_MAX = 500


@dataclass(frozen=True, slots=True)
class Notice:
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
    attempts: int = 0
    """Tries so far, this one not counted."""

    @property
    def due(self) -> datetime:
        """When the notice was to be sent, aware, in UTC. It stays the same over all tries."""
        return parse_utc(self.due_at)


@dataclass(frozen=True, slots=True)
class Mark:
    """What became of a claimed notice. `counts` tells whether it was a try; `due` moves the notice, `again` only says
    when to try next."""

    id: int
    state: str
    counts: bool = True
    due: datetime | None = None
    again: datetime | None = None
    message_id: str | None = None
    error: str | None = None


_DUE = """
    SELECT 1 FROM mail WHERE state = 'pending' AND due_at <= ? AND (lease_until IS NULL OR lease_until <= ?) LIMIT 1"""
_LOST = "SELECT 1 FROM mail WHERE state = 'sending' AND lease_until <= ? LIMIT 1"


def anything_due(store: Store, now: datetime) -> bool:
    """Whether `claim` would find something. Reads only: a server that idles writes nothing."""
    moment = utc(now)
    with store.read():
        return sql.row(store, _DUE, moment, moment) is not None or sql.row(store, _LOST, moment) is not None


# Materialized: a query in a query PostgreSQL may run once for each row, and would find others each time.
_CLAIM = """
    WITH found AS MATERIALIZED (SELECT id FROM mail WHERE {which} ORDER BY due_at, id LIMIT ?{skip})
    UPDATE mail SET state = 'sending', lease_owner = ?, lease_until = ?, attempts = attempts + 1
    WHERE id IN (SELECT id FROM found)
    RETURNING id, key, kind, due_at, created_at, game_id, ply, player_id, address, data, attempts - 1"""
_CLAIM_LOST = _CLAIM.replace("{which}", "state = 'sending' AND lease_until <= ?")
_CLAIM_DUE = _CLAIM.replace(
    "{which}", "state = 'pending' AND due_at <= ? AND (lease_until IS NULL OR lease_until <= ?)"
)


def claim(store: Store, owner: str, now: datetime, until: datetime, limit: int) -> list[Notice]:
    """Up to `limit` notices for `owner` to send before `until`, the longest due first.

    What another process has claimed and not finished in time is taken over. Several processes may claim at once: no
    notice is given to two of them.
    """
    skip = "" if store.is_sqlite else " FOR UPDATE SKIP LOCKED"
    moment, lease = utc(now), utc(until)
    with store.write():
        found = sql.rows(store, _CLAIM_LOST.replace("{skip}", skip), moment, limit, owner, lease)
        if len(found) < limit:
            found += sql.rows(
                store, _CLAIM_DUE.replace("{skip}", skip), moment, moment, limit - len(found), owner, lease
            )
    notices = [_notice(*row) for row in found]
    return sorted(notices, key=lambda notice: (notice.due_at, notice.id))


def _notice(number: int, key: str, kind: str, due_at: str, created_at: str, *rest: Json) -> Notice:
    game_id, ply, player_id, address, data, attempts = rest
    return Notice(number, key, kind, due_at, created_at, game_id, ply, player_id, address, json.loads(data), attempts)


def renew(store: Store, owner: str, until: datetime) -> set[int]:
    """Hold what `owner` has claimed until a later time; the ids of what is still its own."""
    statement = "UPDATE mail SET lease_until = ? WHERE state = 'sending' AND lease_owner = ? RETURNING id"
    with store.write():
        return {row[0] for row in sql.rows(store, statement, utc(until), owner)}


_MARK = """
    UPDATE mail SET state = ?, attempts = attempts - ?, due_at = coalesce(?, due_at), lease_owner = NULL,
        lease_until = ?, done_at = ?, message_id = coalesce(?, message_id), error = ?
    WHERE id = ? AND state = 'sending' AND lease_owner = ?"""


def mark(store: Store, owner: str, marks: Iterable[Mark], now: datetime) -> int:
    """Note what became of claimed notices, in one transaction; how many were still `owner`'s to speak of."""
    noted = 0
    with store.write():
        for item in marks:
            finished = utc(now) if item.state in ("sent", "skipped", "dead") else None
            due, again = (None if moment is None else utc(moment) for moment in (item.due, item.again))
            error = None if item.error is None else item.error[:ERROR_MAX]
            noted += sql.execute(
                store,
                _MARK,
                item.state,
                0 if item.counts else 1,
                due,
                again,
                finished,
                item.message_id,
                error,
                item.id,
                owner,
            ).rowcount
    return noted


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
    UPDATE mail SET state = 'pending', attempts = 0, lease_owner = NULL, lease_until = NULL, done_at = NULL
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


_STOP_PLAYERS = """
    UPDATE player SET mail_stopped_at = ?, mail_stopped_why = ? WHERE lower(email) = lower(?)
        AND mail_stopped_at IS NULL
    RETURNING id"""
_STOP_MAILS = """
    UPDATE mail SET state = 'skipped', done_at = ?, lease_until = NULL, error = ?
    WHERE state = 'pending' AND lower(address) = lower(?)"""


def bounced(store: Store, address: str, why: str, now: datetime) -> tuple[int, int]:
    """A mail to `address` came back: stop all mail there until it is confirmed again.

    Returns how many accounts and how many waiting mails it concerned. `why` is shown to the player. Raises
    `Unprocessable` for what is no address.
    """
    checked = checks.text("address", address, checks.EMAIL_MAX).strip()  # also one that is not taken any more
    if "@" not in checked:
        raise Unprocessable("give the address that a mail came back from", {"address": ["give an address"]})
    with store.write():
        players = sql.rows(store, _STOP_PLAYERS, utc(now), why[:ERROR_MAX], checked)
        for (player_id,) in players:
            audit_log.note(store, "mail_stopped", now, player_id, by="operator")
        mails = sql.execute(store, _STOP_MAILS, utc(now), "a mail to this address came back", checked).rowcount
    return len(players), int(mails)


def clean_up(store: Store, before: datetime) -> int:
    """Forget mails that were sent or skipped before that; dead letters stay until they are retried. How many."""
    statement = "DELETE FROM mail WHERE state IN ('sent', 'skipped') AND done_at <= ?"
    with store.write():
        return int(sql.execute(store, statement, utc(before)).rowcount)
