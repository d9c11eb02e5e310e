"""Addresses to which no mail goes any more, because it came back or was refused for ever.

A refusal while a mail is handed over may be a mistake of the mail server's (`refusals.py`): as long as that is doubted,
mails to the address wait. What came back, or was complained of, is beyond doubt.
"""

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
DOUBTED = (
    "EXISTS (SELECT 1 FROM mail_refusal r JOIN player d ON d.id = r.player_id"
    " WHERE r.player_id = {player} AND r.stopped = 1 AND d.mail_stopped_at IS NOT NULL)"
)
"""The condition that the address of `{player}` was refused and that this is doubted."""


def fingerprint(address: str) -> str:
    """What is stored of the address that a mail was sent to: enough to compare, not to read."""
    return sha256(f"address {address.lower()}".encode("utf-8", "replace")).hexdigest()[:32]


_STOP = "UPDATE player SET mail_stopped_at = ?, mail_stopped_why = ? WHERE id = ? AND mail_stopped_at IS NULL"
_STOP_FOR_GOOD = "UPDATE player SET mail_stopped_at = ?, mail_stopped_why = ? WHERE id = ?"
_BEYOND_DOUBT = "UPDATE mail_refusal SET stopped = 0 WHERE player_id = ? AND stopped = 1"


def stop_player(store: Store, player_id: str, sent_to: str | None, why: str, now: datetime, by: str) -> bool:
    """Send no more mail to a player's address, in the running transaction; whether that is new.

    Not where the player has another address by now than the one that `sent_to` is the fingerprint of. `why` is shown to
    the player, `by` is noted in the audit log. Where the address is stopped by a refusal that is doubted, it is stopped
    beyond doubt from now on.
    """
    if not _has_address(store, player_id, sent_to):
        return False
    doubted = sql.execute(store, _BEYOND_DOUBT, player_id).rowcount > 0
    statement = _STOP_FOR_GOOD if doubted else _STOP
    stopped = sql.execute(store, statement, utc(now), why[:WHY_MAX], player_id).rowcount == 1
    if stopped:
        audit_log.note(store, "mail_stopped", now, player_id, by=by)
    return bool(stopped)


_DOUBTED = f"SELECT 1 FROM player p WHERE p.id = ? AND {DOUBTED.format(player='p.id')}"  # noqa: S608


def stop_refused(store: Store, player_id: str, sent_to: str, why: str, now: datetime) -> bool:
    """The same because a mail server refused the address for ever, which is doubted for now; whether it is stopped by
    refusals alone."""
    if not _has_address(store, player_id, sent_to):
        return False
    if sql.execute(store, _STOP, utc(now), why[:WHY_MAX], player_id).rowcount == 1:
        audit_log.note(store, "mail_stopped", now, player_id, by="refused")
        return True
    return sql.row(store, _DOUBTED, player_id) is not None


def _has_address(store: Store, player_id: str, sent_to: str | None) -> bool:
    found = sql.row(store, "SELECT email FROM player WHERE id = ?", player_id)
    return found is not None and found[0] is not None and sent_to in (None, fingerprint(found[0]))


_GOOD_AGAIN = """
    UPDATE player SET mail_stopped_at = NULL, mail_stopped_why = NULL WHERE id = ? AND mail_stopped_at >= ?"""


def undo(store: Store, player_id: str, since: str, now: datetime) -> None:
    """End a stop by refusals that began at `since` (text in UTC) or later, in the running transaction."""
    if sql.execute(store, _GOOD_AGAIN, player_id, since).rowcount:
        audit_log.note(store, "mail_stop_undone", now, player_id)


_DISLIKED = """
    SELECT 1 FROM mail m WHERE m.player_id = ? AND m.id <> ? AND m.state = 'dead' AND m.sent_to = ?
        AND m.kind NOT IN ('message', 'invitation', 'rematch') AND coalesce(m.game_id, m."key") <> ?
        AND NOT EXISTS (SELECT 1 FROM mail s WHERE s.player_id = m.player_id AND s.sent_to = m.sent_to
            AND s.state = 'sent' AND s.done_at >= m.done_at)
    LIMIT 1"""


def disliked_before(store: Store, player_id: str, address: str, mail_id: int, about: str) -> bool:
    """Whether a mail to that address about something else (another game) came to nothing too, and none was taken since.
    Then it is not what the one mail says: in most stand names that somebody else chose."""
    with store.read():
        return sql.row(store, _DISLIKED, player_id, mail_id, fingerprint(address), about) is not None


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
        found = sql.rows(store, "SELECT id FROM player WHERE lower(email) = lower(?) ORDER BY id", checked)
        players = [player_id for (player_id,) in found if stop_player(store, player_id, None, why, now, by="operator")]
        sql.lock_in_order(store, "mail", "state = 'pending' AND lower(address) = lower(?)", checked)
        mails = sql.execute(store, _STOP_MAILS, utc(now), CAME_BACK, checked).rowcount
    return len(players), int(mails)
