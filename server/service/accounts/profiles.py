"""What players see of their own account, and changing it."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import datetime
from typing import Annotated, NotRequired, TypedDict

from server.engine.ulm1.shapes import UtcTime
from server.language import gettext as _
from server.service.accounts import confirming, links, tokens
from server.service.accounts.confirming import Confirmation
from server.service.accounts.players import Player, found_as, require_in
from server.service.common import audit_log, checks, db_rate_limits
from server.service.common import preferences as wishes
from server.service.common.errors import Conflict, Forbidden, Unprocessable
from server.service.common.quotas import ADDRESSES_A_DAY, DAY
from server.service.outbox import enqueuing
from server.service.outbox.addressees import is_reached
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc


class MailStopped(TypedDict):
    """That a mail to the address came back."""

    at: Annotated[UtcTime, "When the first one did."]
    why: Annotated[str, "What the other side said."]


class Profile(TypedDict):
    """What a player sees of the own account. `confirmation` is in it when an address was just given."""

    confirmation: NotRequired[Confirmation]
    id: str
    name: str
    email: str | None
    email_confirmed: Annotated[bool, "Without it no mail but the one that asks."]
    mail_stopped: Annotated[MailStopped | None, "Mails came back: none is sent until the address is confirmed again."]
    preferences: wishes.Preferences
    created_at: Annotated[UtcTime, "When the account was made."]


class ProfileChanges(TypedDict, total=False):
    """What of it is to be changed, as it was asked for."""

    name: object
    email: object
    preferences: object


def profile(player: Player, confirmation: str | None = None) -> Profile:
    """What a player sees of the own account; `confirmation` is what became of the mail that asks for one."""
    stopped: MailStopped | None = None
    if player.mail_stopped_at is not None:
        stopped = {"at": player.mail_stopped_at, "why": player.mail_stopped_why or ""}
    shown: Profile = {
        "id": player.id,
        "name": player.name,
        "email": player.email,
        "email_confirmed": player.email_confirmed_at is not None,
        "mail_stopped": stopped,
        "preferences": player.preferences.copy(),
        "created_at": player.created_at,
    }
    return shown if confirmation is None else {"confirmation": confirmation, **shown}


def update_profile(
    store: Store, player: Player, changes: ProfileChanges, now: datetime, by_token: bool = False
) -> Profile:
    """Change `name`, `email` or some `preferences`, and return the profile as it is then.

    A new address is unconfirmed. Where there was another one, links and sessions from before end but for the one that
    asks, and it hears of the change if it was confirmed. Raises `Unprocessable` for anything unknown,
    `AccessEndedError`, `TooManyRequests` for one address after the other, `Forbidden` when a program (`by_token`) asks
    for another address than a confirmed one: a stolen token would take the account."""
    unknown = set(changes) - {"name", "email", "preferences"}
    if unknown:
        raise Unprocessable("only name, email and preferences can be changed", {key: ["unknown"] for key in unknown})
    confirmation = None
    with store.write():
        require_in(store, player)
        [stored] = sql.dicts(store, _STORED, player.id)
        if "name" in changes:
            stored["name"] = checks.name("name", changes["name"])
        if "email" in changes:
            address = checks.email(changes["email"])
            if address != stored["email"]:
                if by_token and is_reached(stored["email_confirmed_at"], stored["mail_stopped_at"]):
                    refusal = _(
                        "your address is confirmed, and your account depends on it: sign in on the pages and "
                        "change it at /account"
                    )
                    raise Forbidden(refusal, kind="fresh-sign-in")
                if address is None and not by_token and not tokens.is_way_in(store, player, now):
                    raise Unprocessable(
                        _("without an address and without a token nobody could come back to this account")
                    )
                if stored["email"] is not None:
                    # Links lie in the old mailbox, and sessions were opened by them.
                    links.raise_epoch(store, player.id, player.door)
                    audit_log.note(store, "address_changed" if address else "address_removed", now, player.id)
                    _tell_old_address(store, player.id, stored, address, now)
                stored["email"], stored["email_confirmed_at"] = address, None
                stored["email_given_at"] = None if address is None else utc(now)
                stored["mail_stopped_at"] = stored["mail_stopped_why"] = None
                if address is not None:
                    refusal = _(
                        "you have changed your address %(number)s times today: wait a day", number=ADDRESSES_A_DAY
                    )
                    db_rate_limits.require(store, "address", player.id, ADDRESSES_A_DAY, DAY, now, refusal)
                    confirmation = confirming.outcome(confirming.ask(store, player.id, address, now))
        if "preferences" in changes:
            wanted = wishes.check(changes["preferences"])
            stored["preferences"] = wishes.dump({**wishes.read(stored["preferences"]), **wanted})
        kept = wishes.read(stored["preferences"])
        stored["found_as"], stored["rated"] = found_as(stored["name"], kept), kept["rated"]
        columns = ", ".join(f"{name} = ?" for name in stored)
        sql.execute(store, f"UPDATE player SET {columns} WHERE id = ?", *stored.values(), player.id)  # noqa: S608
    del stored["email_given_at"], stored["found_as"], stored["rated"]
    return profile(replace(player, **{**stored, "preferences": wishes.read(stored["preferences"])}), confirmation)


_STORED = """
    SELECT name, email, email_given_at, email_confirmed_at, mail_stopped_at, mail_stopped_why, preferences
    FROM player WHERE id = ?"""


def _tell_old_address(store: Store, player_id: str, stored: sql.ByName, address: str | None, now: datetime) -> None:
    """Write the notice to the account's old address, if it was reached, in the running transaction; no secret in it."""
    if stored["email"] is None or not is_reached(stored["email_confirmed_at"], stored["mail_stopped_at"]):
        return
    key = f"address_changed:{player_id}:{utc(now)}:{secrets.token_hex(4)}"
    data = {"removed": address is None}
    enqueuing.enqueue(store, "address_changed", stored["email"], key=key, now=now, player_id=player_id, data=data)


def ask_to_confirm(store: Store, player: Player, now: datetime) -> None:
    """Send the mail that asks the player to confirm the address again. Raises `Conflict`, `TooManyRequests`."""
    with store.write():
        require_in(store, player)
        statement = "SELECT email, email_confirmed_at, mail_stopped_at FROM player WHERE id = ?"
        found = sql.row(store, statement, player.id)
        if found is None or found[0] is None:
            raise Conflict(_("your account has no mail address: give one with PATCH /api/v1/players/me first"))
        if is_reached(found[1], found[2]):
            raise Conflict(_("your address is confirmed: mail is on its way whenever there is news"))
        refusal = confirming.ask(store, player.id, found[0], now)
        if refusal is not None:
            raise refusal
