"""Sending again what somebody did not get: a mail of the outbox, the mail that asks to confirm an address."""

from __future__ import annotations

from datetime import datetime

from server.service.accounts import confirming
from server.service.admin.lookup import no_account
from server.service.common import audit_log
from server.service.common.errors import Conflict, NotFound
from server.service.outbox.addressees import is_reached
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

_AGAIN = """
    UPDATE mail SET state = 'pending', due_at = ?, attempts = 0, tried_at = NULL, refused_at = NULL,
        lease_owner = NULL, lease_until = NULL, done_at = NULL, fault = NULL, error = NULL
    WHERE id = ? AND state IN ('sent', 'skipped', 'dead')"""


def send_again(store: Store, number: int, now: datetime) -> None:
    """Let a mail that was sent, skipped or given up be due again, on behalf of the operator. It is looked at anew
    before it goes: what is no longer true is skipped. Raises `NotFound`, `Conflict` for one that waits still.
    """
    with store.write():
        sql.lock_in_order(store, "mail", "id = ?", number)
        if not sql.execute(store, _AGAIN, utc(now), number).rowcount:
            if sql.row(store, "SELECT 1 FROM mail WHERE id = ?", number) is None:
                raise NotFound(f"there is no mail {number}; `ulm mail list` shows those that there are")
            raise Conflict(f"mail {number} is on its way still; `ulm mail show {number}` says what it waits for")
        audit_log.note(store, "operator_retried_mail", now, mails=1)


_PLAYER = "SELECT email, email_confirmed_at, mail_stopped_at, banned_at FROM player WHERE id = ?"


def ask_to_confirm(store: Store, player_id: str, now: datetime) -> str:
    """Send the mail that asks to confirm the address of an account; the address. Raises `NotFound`, `Conflict`."""
    with store.write():
        found = sql.row(store, sql.locking(store, _PLAYER), player_id)
        if found is None:
            raise no_account(player_id)
        address, confirmed, stopped, banned = found
        if banned is not None:
            raise Conflict(f"account {player_id} is banned: `ulm admin unban` first")
        if address is None:
            raise Conflict(f"account {player_id} has no mail address")
        if is_reached(confirmed, stopped):
            raise Conflict(f"the address of account {player_id} is confirmed: a sign-in link is asked for at /sign-in")
        refusal = confirming.ask(store, player_id, address, now)
        if refusal is not None:
            raise Conflict(refusal.message)
        audit_log.note(store, "operator_asked_to_confirm", now, player_id)
    return str(address)
