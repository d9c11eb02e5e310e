"""Sending the mail again that asks to confirm an address."""

from __future__ import annotations

from datetime import datetime

from server.service.accounts import confirming
from server.service.admin.lookup import no_account
from server.service.common import audit_log
from server.service.common.errors import Conflict
from server.service.outbox.addressees import is_reached
from server.storage import sql
from server.storage.database import Store

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
