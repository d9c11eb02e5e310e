"""Addresses to which no mail goes any more, because it came back or was refused for good."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from server.service.common import audit_log, checks
from server.service.common.errors import Unprocessable
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

WHY_MAX = 500
CAME_BACK = "a mail to this address came back"


def fingerprint(address: str) -> str:
    """What is stored of the address that a mail was sent to: enough to compare, not to read."""
    return sha256(f"address {address.lower()}".encode("utf-8", "replace")).hexdigest()[:32]


_STOP = "UPDATE player SET mail_stopped_at = ?, mail_stopped_why = ? WHERE id = ? AND mail_stopped_at IS NULL"


def stop_player(store: Store, player_id: str, sent_to: str | None, why: str, now: datetime, by: str) -> bool:
    """Send no more mail to a player's address, unless it is another by now than `sent_to` is the fingerprint of; in the
    running transaction; whether that is new. `why` is shown to the player, `by` noted in the audit log."""
    found = sql.row(store, "SELECT email FROM player WHERE id = ?", player_id)
    if found is None or found[0] is None or sent_to not in (None, fingerprint(found[0])):
        return False
    stopped = sql.execute(store, _STOP, utc(now), why[:WHY_MAX], player_id).rowcount == 1
    if stopped:
        audit_log.note(store, "mail_stopped", now, player_id, by=by)
    return bool(stopped)


_STOP_MAILS = """
    UPDATE mail SET state = 'skipped', done_at = ?, lease_until = NULL, error = ?
    WHERE state = 'pending' AND lower(address) = lower(?)"""


def bounced(store: Store, address: str, why: str, now: datetime) -> tuple[int, int]:
    """The operator says that mail to `address` came back: stop it until it is confirmed again. How many accounts and
    waiting mails it concerned. `why` is shown to the player. Raises `Unprocessable` for what is no address."""
    checked = checks.text("address", address, checks.EMAIL_MAX).strip()  # also one that is not taken any more
    if "@" not in checked:
        raise Unprocessable("give the address that a mail came back from", {"address": ["give an address"]})
    with store.write():
        found = sql.rows(store, "SELECT id FROM player WHERE lower(email) = lower(?) ORDER BY id", checked)
        players = [player_id for (player_id,) in found if stop_player(store, player_id, None, why, now, by="operator")]
        sql.lock_in_order(store, "mail", "state = 'pending' AND lower(address) = lower(?)", checked)
        mails = sql.execute(store, _STOP_MAILS, utc(now), CAME_BACK, checked).rowcount
    return len(players), int(mails)
