"""Opening an account."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

from server.language import gettext as _
from server.service.accounts import confirming
from server.service.accounts.access import new_token, token_hash
from server.service.common import audit_log, checks, hourly_limits, idempotency
from server.service.common.errors import TooManyRequests
from server.service.common.ids import Entropy, random_id
from server.storage import models
from server.storage.database import Store

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SENT, HELD_BACK = "sent", "held_back"
"""What may have become of the mail that asks to confirm a new address."""


def create_player(
    store: Store,
    name: str,
    email: str | None,
    now: datetime,
    entropy: Entropy = secrets.token_bytes,
    machine: str = "",
    most: int | None = None,
    asked: idempotency.Asked | None = None,
) -> dict[str, Any]:
    """Open an account. Returns `{id, name, token}`; the token is shown this once. An address is asked to confirm, and
    there is `confirmation` then: "sent", or "held_back" (enough of these mails went there today).

    `machine` is who asks (its address) and `most` how many accounts are opened for it in an hour (None: any number).
    Raises `Unprocessable` for a name or an address that cannot be, `TooManyRequests` beyond `most`, `Conflict` when it
    was `asked` for and opened before under the same key.
    """
    name = checks.name("name", name)
    email = checks.email(email)
    player_id = random_id(entropy, 16)
    token = new_token(entropy)
    with store.write():
        told = idempotency.before(store, asked)
        if told is not None:
            raise idempotency.shown_once(told)
        if most is not None and not hourly_limits.take_from(store, "account", machine, most, HOUR, now):
            raise TooManyRequests(
                _("%(number)s accounts were made from your network in this hour: go on in the next", number=most),
                hourly_limits.left(HOUR, now),
            )
        given = None if email is None else now
        models.Player.insert(id=player_id, name=name, email=email, email_given_at=given, created_at=now).execute()
        models.Token.insert(player=player_id, hash=token_hash(token), created_at=now).execute()
        audit_log.note(store, "account_made", now, player_id, by="api")
        confirmation = None if email is None else ask_and_say(store, player_id, email, now)
        idempotency.keep(store, asked, {"id": player_id}, now)
    made = {"id": player_id, "name": name, "token": token}
    return made if confirmation is None else {**made, "confirmation": confirmation}


def ask_and_say(store: Store, player_id: str, address: str, now: datetime) -> str:
    return SENT if confirming.ask(store, player_id, address, now) else HELD_BACK
