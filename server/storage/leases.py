"""Leases: of several processes, the one that does a job.

A lease is a row with an owner and an end. Its owner renews it while it works; when it dies, the lease runs out. Clocks
of processes may differ by seconds, so leases last for minutes. Hand-written, in three statements: APScheduler 3 knows
no other process, and locks of libraries ask for one more server."""

from __future__ import annotations

import os
import secrets
import socket
from datetime import datetime

from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

# One statement decides: between a look and a write another process might take it.
_TAKE = """
    INSERT INTO lease (name, owner, until) VALUES (?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
        WHERE lease.owner = excluded.owner OR lease.until <= ? OR lease.until > ?
    RETURNING owner"""


def new_owner() -> str:
    """A name for this process that no other has, and that tells an operator which one it is."""
    return f"{socket.gethostname()[:30]}:{os.getpid()}:{secrets.token_hex(4)}"


def held(store: Store, now: datetime) -> dict[str, str]:
    """The leases that somebody holds at `now`, by name, and which process that is."""
    return dict(sql.rows(store, "SELECT name, owner FROM lease WHERE until > ? ORDER BY owner", utc(now)))


def latest(now: datetime, until: datetime) -> str:
    """When a lease taken now until `until` ends at the latest; a later end was written by a wrong clock."""
    return utc(now + 2 * (until - now))


def take(store: Store, name: str, owner: str, now: datetime, until: datetime) -> bool:
    """Take the lease, or hold it for longer; False when another process has it."""
    most = latest(now, until)
    found = sql.row(store, "SELECT owner, until FROM lease WHERE name = ?", name)
    if found is not None and found[0] != owner and utc(now) < found[1] <= most:
        return False  # the usual case of a process that stands by: nothing is written
    with store.write():
        return sql.row(store, _TAKE, name, owner, utc(until), utc(now), most) is not None


def release(store: Store, name: str, owner: str) -> None:
    """Give the lease back, so that another process need not wait for its end."""
    with store.write():
        sql.execute(store, "DELETE FROM lease WHERE name = ? AND owner = ?", name, owner)


def turn_of(queue: str, asker: str) -> str:
    """For ORDER BY in the `take` of `claim_row`: `asker` (SQL) comes after all who were served longer ago."""
    return f"COALESCE((SELECT v.number FROM served v WHERE v.queue = '{queue}' AND v.asker = {asker}), 0)"  # noqa: S608


_SERVED = """
    INSERT INTO served (queue, asker, number)
    SELECT ?, ?, COALESCE(MAX(number), 0) + 1 FROM served WHERE queue = ?
    ON CONFLICT (queue, asker) DO UPDATE SET number = excluded.number RETURNING number"""
_FORGET = "DELETE FROM served WHERE queue = ? AND number <= ?"
REMEMBERED = 1000  # callers of a queue: who was served before them is as good as new


def claim_row(
    store: Store,
    ready: str,
    take: str,
    now: datetime,
    until: datetime,
    queue: str,
    owner: str | None = None,
) -> sql.Row | None:
    """A row of a queue that is this process's until `until`, None when `ready` finds none; `take` takes one, with
    `{skip}` where those of others are passed over. Both get when leases have run out."""
    free = (utc(now), latest(now, until))
    if sql.row(store, ready, *free) is None:
        return None
    taker = () if owner is None else (owner,)
    with store.write(power_cut_safe=False):
        found = sql.row(store, take.format(skip=sql.skipping_locked(store)), *free, *taker, utc(until))
        if found is None:
            return None
        *row, asker = found
        ((number,),) = sql.rows(store, _SERVED, queue, asker, queue)
        sql.execute(store, _FORGET, queue, number - REMEMBERED)
        return tuple(row)
