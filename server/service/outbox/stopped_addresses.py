"""Addresses to which no mail goes any more, because it came back or was refused for ever.

A refusal while a mail is handed over may be a mistake of the mail server's: one that has lost its list of users refuses
everybody. So refusals are doubted as long as no mail to another was taken after them. Mails to a doubted address wait;
the next success anywhere else confirms the stop, and so many refusals in a row take all of them back.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from server.service.common import audit_log, checks
from server.service.common.errors import Unprocessable
from server.storage import sql
from server.storage.database import Store
from server.storage.models import utc

IN_A_ROW = 5
"""So many different addresses refused without a success between: it is the mail server, not they."""
WHY_MAX = 500
CAME_BACK = "a mail to this address came back"
DOUBTED = (
    "EXISTS (SELECT 1 FROM mail_refusal r JOIN player d ON d.id = r.player_id"
    " WHERE r.player_id = {player} AND d.mail_stopped_at IS NOT NULL)"
)
"""The condition that the address of `{player}` was refused and that this is doubted."""


def fingerprint(address: str) -> str:
    """What is stored of the address that a mail was sent to: enough to compare, not to read."""
    return sha256(f"address {address.lower()}".encode("utf-8", "replace")).hexdigest()[:32]


_STOP = "UPDATE player SET mail_stopped_at = ?, mail_stopped_why = ? WHERE id = ? AND mail_stopped_at IS NULL"


def stop_player(store: Store, player_id: str, sent_to: str | None, why: str, now: datetime, by: str) -> bool:
    """Send no more mail to a player's address, in the running transaction; whether that is new.

    Not where the player has another address by now than the one that `sent_to` is the fingerprint of. `why` is shown to
    the player, `by` is noted in the audit log.
    """
    found = sql.row(store, "SELECT email FROM player WHERE id = ?", player_id)
    if found is None or found[0] is None or (sent_to is not None and fingerprint(found[0]) != sent_to):
        return False
    stopped = sql.execute(store, _STOP, utc(now), why[:WHY_MAX], player_id).rowcount == 1
    if stopped:
        audit_log.note(store, "mail_stopped", now, player_id, by=by)
    return bool(stopped)


_REFUSED = """
    INSERT INTO mail_refusal (mail_id, player_id, sent_to, at) VALUES (?, ?, ?, ?) ON CONFLICT (mail_id) DO NOTHING"""
_IN_A_ROW = "SELECT count(DISTINCT sent_to) FROM mail_refusal"


def refused(store: Store, mail_id: int, player_id: str | None, sent_to: str, why: str, now: datetime) -> bool:
    """Note in the running transaction that a mail server refused an address for ever, and stop it.

    True when so many were refused one after the other that it is the server's fault: `take_back` says what to do then.
    """
    if player_id is not None:
        stop_player(store, player_id, sent_to, why, now, by="refused")
    sql.execute(store, _REFUSED, mail_id, player_id, sent_to, utc(now))
    counted = sql.row(store, _IN_A_ROW)
    return counted is not None and int(counted[0]) >= IN_A_ROW


def believed(store: Store, sent_to: str) -> None:
    """A mail was taken: whoever else was refused before it was so rightly. In the running transaction."""
    sql.execute(store, "DELETE FROM mail_refusal WHERE sent_to <> ?", sent_to)


_ROW = "SELECT mail_id, player_id, at FROM mail_refusal ORDER BY mail_id"
_GOOD_AGAIN = """
    UPDATE player SET mail_stopped_at = NULL, mail_stopped_why = NULL WHERE id = ? AND mail_stopped_at >= ?"""


def take_back(store: Store, now: datetime) -> Sequence[int]:
    """End the stops of all refusals in a row, in the running transaction; the numbers of their mails."""
    found = sql.rows(store, _ROW)
    for _, player_id, at in found:
        if player_id is not None and sql.execute(store, _GOOD_AGAIN, player_id, at).rowcount:
            audit_log.note(store, "mail_stop_undone", now, player_id)
    sql.execute(store, "DELETE FROM mail_refusal")
    return [mail_id for mail_id, _, _ in found]


_STOP_PLAYERS = """
    UPDATE player SET mail_stopped_at = ?, mail_stopped_why = ? WHERE lower(email) = lower(?)
        AND mail_stopped_at IS NULL
    RETURNING id"""
_STOP_MAILS = """
    UPDATE mail SET state = 'skipped', done_at = ?, lease_until = NULL, error = ?
    WHERE state = 'pending' AND lower(address) = lower(?)"""


def bounced(store: Store, address: str, why: str, now: datetime) -> tuple[int, int]:
    """A mail to `address` came back, the operator says: stop all mail there until it is confirmed again.

    Returns how many accounts and how many waiting mails it concerned. `why` is shown to the player. Raises
    `Unprocessable` for what is no address.
    """
    checked = checks.text("address", address, checks.EMAIL_MAX).strip()  # also one that is not taken any more
    if "@" not in checked:
        raise Unprocessable("give the address that a mail came back from", {"address": ["give an address"]})
    with store.write():
        players = sql.rows(store, _STOP_PLAYERS, utc(now), why[:WHY_MAX], checked)
        for (player_id,) in players:
            audit_log.note(store, "mail_stopped", now, player_id, by="operator")
        mails = sql.execute(store, _STOP_MAILS, utc(now), CAME_BACK, checked).rowcount
    return len(players), int(mails)
