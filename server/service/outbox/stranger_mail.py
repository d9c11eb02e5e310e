"""Mail to people who did not ask for it, counted by *mailbox* (`ann+1@…` is `ann@…`), and who wants none."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from weakref import WeakKeyDictionary

from server.language import gettext as _
from server.service.common import audit_log, db_rate_limits, networks
from server.service.common.errors import TooManyRequests
from server.service.common.quotas import (
    DAY,
    HOUR,
    STRANGER_MAILS_A_DAY,
    STRANGER_MAILS_AN_HOUR,
    STRANGER_MAILS_LEAST,
    STRANGER_MAILS_PART,
)
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

_DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}


_an_hour: WeakKeyDictionary[Store, int] = WeakKeyDictionary()


def allow(store: Store, an_hour: int) -> None:
    """Let this process write at most so many such mails within an hour, all together."""
    _an_hour[store] = an_hour


def normal(address: str) -> str:
    """The mailbox of an address: without case, `+…`, and dots where the provider is known not to heed them."""
    local, _at, domain = address.strip().lower().rpartition("@")
    domain = domain.rstrip(".")
    bare = local.partition("+")[0] or local
    if domain in _DOTLESS:
        bare, domain = bare.replace(".", "") or bare, _DOTLESS[domain]
    return f"{bare}@{domain}"


def claim(address: str) -> str:
    """What is stored and signed of a mailbox: enough to compare, not to read."""
    return sha256(f"mailbox {normal(address)}".encode("utf-8", "replace")).hexdigest()[:32]


def take(
    store: Store, kind: str, address: str, most: int, now: datetime, enough: TooManyRequests
) -> TooManyRequests | None:
    """Note in the running write transaction that a mail of this kind goes to a stranger's mailbox. Where it may not,
    why: too many came from the network that asks, went to the mailbox today (`enough`), or leave at all."""
    everybody = _an_hour.get(store, STRANGER_MAILS_AN_HOUR)
    # Who is stopped by an earlier bound uses nothing up of a later one, which others need too.
    refusal = _of_network(store, everybody, now)
    if refusal is not None:
        return refusal
    if not db_rate_limits.take(store, f"mailbox {kind}", claim(address), most, DAY, now):
        return enough
    if not db_rate_limits.take(store, "strangers", "all", everybody, HOUR, now):
        said = _("this server has written to as many new people within the hour as it may: try again in the next")
        return TooManyRequests(said, db_rate_limits.left(HOUR, now))
    return None


def _of_network(store: Store, everybody: int, now: datetime) -> TooManyRequests | None:
    """Count a mail to the network that asks for it, if one does; why it may not be."""
    machine = audit_log.caller()
    if machine is None:
        return None
    said = _("many mails to new people were asked for from your network: try again later")
    if not db_rate_limits.take_from(store, "strangers", machine, STRANGER_MAILS_A_DAY, DAY, now):
        return TooManyRequests(said, db_rate_limits.left(DAY, now))
    # The widest of its networks has a part of what others have left of the hour: so a few do not use all of it up.
    free = everybody - db_rate_limits.taken(store, "strangers", "all", everybody, HOUR, now)
    share = max(STRANGER_MAILS_LEAST, free // STRANGER_MAILS_PART)
    if not db_rate_limits.take(store, "strangers' share", networks.counted(machine)[0][0], share, HOUR, now):
        return TooManyRequests(said, db_rate_limits.left(HOUR, now))
    return None


def is_blocked(store: Store, mailbox: str) -> bool:
    """Whether nothing is to be sent to a mailbox (its `claim`) but what its own reader asks for."""
    return sql.row(store, "SELECT 1 FROM blocked_mailbox WHERE hash = ?", mailbox) is not None


def blocked(store: Store, mailboxes: Sequence[str]) -> set[str]:
    """Those of the mailboxes (claims) of which `is_blocked` is so, in the running transaction. A statement at most."""
    if not mailboxes:
        return set()
    statement = f"SELECT hash FROM blocked_mailbox WHERE hash IN {sql.marks(mailboxes)}"  # noqa: S608
    return {found for (found,) in sql.rows(store, statement, *mailboxes)}


def block(store: Store, mailbox: str, now: datetime) -> None:
    """Send nothing there any more, whoever asks; twice is as once."""
    with store.write():
        statement = "INSERT INTO blocked_mailbox (hash, created_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING"
        sql.execute(store, statement, mailbox, utc(now))
        audit_log.note(store, "mailbox_blocked", now)


def unblock(store: Store, mailbox: str, now: datetime) -> bool:
    """Send mail there again; whether it was blocked."""
    with store.write():
        done = sql.execute(store, "DELETE FROM blocked_mailbox WHERE hash = ?", mailbox).rowcount == 1
        if done:
            audit_log.note(store, "mailbox_unblocked", now)
    return bool(done)
