"""Opening an account: by the API, and the row of one however it came about."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Annotated, NotRequired, TypedDict

from server.language import gettext as _
from server.service.accounts import access, confirming
from server.service.accounts.confirming import Confirmation
from server.service.accounts.players import Player, found_as
from server.service.common import audit_log, checks, db_rate_limits, idempotency
from server.service.common import preferences as wishes
from server.service.common.ids import random_id
from server.service.common.quotas import HOUR
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc


class NewAccount(TypedDict):
    """An account that was just made, and with an address what became of the mail that asks to confirm it."""

    id: str
    name: str
    token: Annotated[str, "Keep it: it is stored hashed and never shown again."]
    confirmation: NotRequired[Confirmation]


def create_player(
    store: Store,
    name: str,
    email: str | None,
    now: datetime,
    machine: str = "",
    most: int | None = None,
    asked: idempotency.Asked | None = None,
) -> NewAccount:
    """Open an account for `machine` (an address), at most `most` an hour (None: any number). Raises `Unprocessable`,
    `TooManyRequests`, `Conflict` when it was opened before under the same key."""
    name = checks.name("name", name)
    email = checks.email(email)
    with store.write():
        idempotency.require_first(store, asked)
        if most is not None:
            refusal = _(
                "%(number)s accounts were made from your network in this hour: try again in the next", number=most
            )
            db_rate_limits.require_from(store, "account", machine, most, HOUR, now, refusal)
        player = add(store, name, now, "api", email=email)
        token = access.give_token(store, player.id, now)
        confirmation = None if email is None else confirming.outcome(confirming.ask(store, player.id, email, now))
        idempotency.keep(store, asked, {"id": player.id}, now)
    made: NewAccount = {"id": player.id, "name": name, "token": token}
    return {**made, "confirmation": confirmation} if confirmation is not None else made


def add(
    store: Store,
    name: str,
    now: datetime,
    by: str,
    *,
    email: str | None = None,
    preferences: wishes.Preferences | None = None,
) -> Player:
    """Store an account in the running transaction; `preferences` None: the defaults; the address is unconfirmed."""
    wanted = wishes.PREFERENCES.copy() if preferences is None else preferences
    player = Player(random_id(secrets.token_bytes, 16), name, email, preferences=wanted, created_at=utc(now))
    row = {
        "id": player.id,
        "name": name,
        "email": email,
        "email_given_at": email and utc(now),
        "rated": wanted["rated"],
    }
    row |= {"preferences": wishes.dump(wanted), "created_at": utc(now), "found_as": found_as(name, wanted)}
    sql.insert(store, "player", **row)
    audit_log.note(store, "account_made", now, player.id, by=by)
    return player
