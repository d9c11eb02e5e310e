"""The outbox as operators see and move it: what is in it, one mail with all that is known of it, retrying, dropping."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict, cast

from server.service.common import audit_log
from server.service.common.errors import Conflict, NotFound
from server.service.outbox.deliveries import STATES
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

_LISTING = """
    SELECT m.id, m.state, m.kind, m.game_id, m.ply, m.player_id, coalesce(m.address, p.email) AS address,
        m.attempts, m.due_at, m.lease_until, m.done_at, m.message_id, m.error
    FROM mail m LEFT JOIN player p ON p.id = m.player_id"""

_ALL = f"{_LISTING} ORDER BY m.id DESC LIMIT ?"
_OF_STATE = f"{_LISTING} WHERE m.state = ? ORDER BY m.due_at DESC, m.id DESC LIMIT ?"
"""In the order of an index: of what has become of sixty days of mail no more is read than is listed."""


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
    """The `limit` mails that were written last, of all; or that are due last, of one state."""
    with store.read():
        found = sql.dicts(store, _ALL, limit) if state is None else sql.dicts(store, _OF_STATE, state, limit)
    return cast("list[ListedMail]", found)


def counts(store: Store) -> dict[str, int]:
    """How many mails are in each state."""
    found: dict[str, int] = dict(sql.rows(store, "SELECT state, count(*) FROM mail GROUP BY state"))
    return {state: found.get(state, 0) for state in STATES}


class ShownMail(ListedMail):
    """All that is known of a mail but what would open something: neither its data nor the token for bounces."""

    key: str
    created_at: str
    lease_owner: str | None
    request: str | None  # the id of the request that caused it, as the log has it
    fault: str | None
    player: str | None  # the player's name
    stopped_at: str | None  # since when no mail goes to the player's address
    stopped_why: str | None


_SHOWN = _LISTING.replace(
    "SELECT m.id,",
    "SELECT m.key, m.created_at, m.request, m.lease_owner, m.fault, p.name AS player, p.mail_stopped_at AS stopped_at,"
    " p.mail_stopped_why AS stopped_why,"
    " m.id,",
)


def show(store: Store, number: int) -> ShownMail:
    """One mail. Raises `NotFound`."""
    found = sql.dicts(store, f"{_SHOWN} WHERE m.id = ?", number)
    if not found:
        raise NotFound(f"there is no mail {number}; `ulm mail list` shows those that there are")
    return cast("ShownMail", found[0])


class Figures(TypedDict):
    """The outbox in numbers, for who watches it."""

    oldest_due: str | None  # when the mail was due that has waited longest
    pending: int
    dead: int
    paused: dict[str, bool]  # whether mail is paused, by each cause
    stopped_addresses: int
    waiting_clocks: int  # how many games wait for the mail of a turn, and their clocks with it
    totals: dict[str, int]  # how many mails became what, since the beginning


COUNTED = 10_000  # so many are counted at most: a long queue must not cost who watches it a look at every row
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM mail WHERE state = ? AND due_at <= ? LIMIT ?) AS found"
_STOPPED = "SELECT count(*) FROM (SELECT 1 FROM player WHERE mail_stopped_at IS NOT NULL LIMIT ?) AS found"
_WAITING = """
    SELECT count(*) FROM (
        SELECT 1 FROM game WHERE turn_notice IS NOT NULL AND lost_since IS NOT NULL AND lost_until IS NULL LIMIT ?
    ) AS found"""
_OLDEST = "SELECT min(due_at) FROM mail WHERE state = 'pending' AND due_at <= ?"


def figures(store: Store, now: datetime) -> Figures:
    """What `/metrics` shows: of mails that are due, counted up to `COUNTED`, from indexes alone."""
    at = utc(now)
    with store.read():
        causes = {cause for (cause,) in sql.rows(store, "SELECT cause FROM mail_pause WHERE ended_at IS NULL")}
        return {
            "oldest_due": sql.value(store, _OLDEST, at),
            "pending": sql.value(store, _COUNT, "pending", at, COUNTED) or 0,
            "dead": sql.value(store, _COUNT, "dead", at, COUNTED) or 0,
            "paused": {cause: cause in causes for cause in ("operator", "fault")},
            "stopped_addresses": sql.value(store, _STOPPED, COUNTED) or 0,
            "waiting_clocks": sql.value(store, _WAITING, COUNTED) or 0,
            "totals": dict(sql.rows(store, "SELECT name, total FROM mail_tally")),
        }


_ANEW = """
    UPDATE mail SET state = 'pending', attempts = 0, lease_owner = NULL, lease_until = NULL,
        done_at = NULL, fault = NULL, tried_at = NULL, refused_at = NULL"""
_RETRY = f"{_ANEW} WHERE state = 'dead'"
_SEND_AGAIN = f"{_ANEW}, due_at = ?, error = NULL WHERE id = ? AND state IN ('sent', 'skipped', 'dead')"


def retry(store: Store, ids: Sequence[int] | None, now: datetime) -> int:
    """Give dead letters (`ids`, or all when None) a new start; how many. Raises `NotFound` for one that is not dead."""
    with store.write():
        if ids is None:
            sql.lock_in_order(store, "mail", "state = 'dead'")
            done = int(sql.execute(store, _RETRY).rowcount)
        else:
            for number in sorted(ids):
                sql.lock_in_order(store, "mail", "id = ?", number)
                if not sql.execute(store, _RETRY + " AND id = ?", number).rowcount:
                    raise NotFound(f"mail {number} is not dead; `ulm mail list --state dead` lists those that are")
            done = len(ids)
        audit_log.note(store, "operator_retried_mail", now, mails=done)
    return done


def send_again(store: Store, number: int, now: datetime) -> None:
    """Let a mail that was sent, skipped or given up be due again. It is looked at anew before it goes: what is no
    longer true is skipped. Raises `NotFound`, `Conflict` for one that waits still."""
    with store.write():
        sql.lock_in_order(store, "mail", "id = ?", number)
        if not sql.execute(store, _SEND_AGAIN, utc(now), number).rowcount:
            show(store, number)
            raise Conflict(f"mail {number} is on its way still; `ulm mail show {number}` says what it waits for")
        audit_log.note(store, "operator_retried_mail", now, mails=1)


_DROP = """
    UPDATE mail SET state = 'skipped', done_at = ?, lease_until = NULL, error = 'dropped by the operator'
    WHERE id = ? AND state IN ('pending', 'dead')"""


def drop(store: Store, ids: Sequence[int], now: datetime) -> None:
    """Send these mails, waiting or dead, never. Raises `NotFound` for one that is neither; then none is dropped."""
    with store.write():
        for number in sorted(ids):
            if not sql.execute(store, _DROP, utc(now), number).rowcount:
                raise NotFound(f"mail {number} neither waits nor is dead; `ulm mail list` shows what it is")
        audit_log.note(store, "operator_dropped_mail", now, mails=len(ids))
