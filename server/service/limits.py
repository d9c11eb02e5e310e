"""How often somebody may do what costs others: mails to strangers, messages.

A use is a row of `used_link` that is forgotten when its hour or day is over; which one it is, is hashed.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from server.service import sql
from server.storage.database import Store
from server.storage.models import utc


def take(store: Store, what: str, who: str, most: int, per: timedelta, now: datetime) -> bool:
    """Note in the running write transaction that `who` does `what`; False when that was done `most` times already.

    Counted from one full hour (or whatever `per` is) to the next.
    """
    began = int(now.timestamp() // per.total_seconds())
    expires = utc(now + per)
    sql.execute(store, "DELETE FROM used_link WHERE expires_at < ?", utc(now))
    statement = "INSERT INTO used_link (hash, expires_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING"
    for number in range(most):
        name = sha256(f"{what} {who} {began} {number}".encode("utf-8", "replace")).hexdigest()
        if sql.execute(store, statement, name, expires).rowcount == 1:
            return True
    return False


def take_from(store: Store, what: str, machine: str, most: int, per: timedelta, now: datetime) -> bool:
    """The same for whoever asks from a machine (its address)."""
    return take(store, what, _household(machine), most, per, now)


def _household(machine: str) -> str:
    # Whoever has one IPv6 address has billions of them: what these share counts.
    try:
        address = ip_address(machine)
    except ValueError:
        return machine
    return str(int(address) >> 64) if isinstance(address, IPv6Address) else machine
