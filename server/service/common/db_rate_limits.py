"""How often somebody may do what costs others: each use is a row of `used_link`, under a hash, undone with what it
counts (`limits` counts in no SQL database)."""

from __future__ import annotations

import bisect
from datetime import datetime, timedelta
from hashlib import sha256

from server.service.common import networks
from server.service.common.errors import TooManyRequests
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc


def take(store: Store, what: str, who: str, most: int, per: timedelta, now: datetime) -> bool:
    """Note in the running transaction that `who` does `what`; False beyond `most` in this hour (or `per`)."""
    expires = utc(now + per)
    sql.execute(store, "DELETE FROM used_link WHERE expires_at < ?", utc(now))
    first = taken(store, what, who, most, per, now)
    statement = "INSERT INTO used_link (hash, expires_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING"
    # Somebody else may take one between that look and this.
    return any(
        sql.execute(store, statement, _name(what, who, per, now, number), expires).rowcount == 1
        for number in range(first, most)
    )


def taken(store: Store, what: str, who: str, most: int, per: timedelta, now: datetime) -> int:
    """How many of `most` are taken in this hour (or `per`), in a transaction."""

    def is_free(number: int) -> bool:
        return sql.row(store, "SELECT 1 FROM used_link WHERE hash = ?", _name(what, who, per, now, number)) is None

    # The numbers that are taken are the first ones: halving finds the next with a few looks, however many there are.
    return bisect.bisect_left(range(most), True, key=is_free)


def _name(what: str, who: str, per: timedelta, now: datetime, number: int) -> str:
    began = int(now.timestamp() // per.total_seconds())
    return sha256(f"{what} {who} {began} {number}".encode("utf-8", "replace")).hexdigest()


def left(per: timedelta, now: datetime) -> float:
    """In how many seconds the next hour (or whatever `per` is) begins, from which on `take` counts anew."""
    return per.total_seconds() - now.timestamp() % per.total_seconds()


def take_from(store: Store, what: str, machine: str, most: int, per: timedelta, now: datetime) -> bool:
    """The same for whoever asks from a machine (its address): for each of its networks (`networks.counted`)."""
    return all(take(store, what, network, most * times, per, now) for network, times in networks.counted(machine))


def require(store: Store, what: str, who: str, most: int, per: timedelta, now: datetime, refusal: str) -> None:
    """`take`, or raise `TooManyRequests` with these words."""
    if not take(store, what, who, most, per, now):
        raise TooManyRequests(refusal, left(per, now))


def require_from(store: Store, what: str, machine: str, most: int, per: timedelta, now: datetime, refusal: str) -> None:
    """The same of `take_from`."""
    if not take_from(store, what, machine, most, per, now):
        raise TooManyRequests(refusal, left(per, now))
