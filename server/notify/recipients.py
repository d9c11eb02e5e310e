"""Who a notice is for, and whether that person wants it now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from server.notify.notice import Notice, Postpone, Skip
from server.notify.times import quiet_until
from server.service.common import preferences
from server.service.outbox import unsolicited
from server.storage import sql
from server.storage.database import Store

TO_STRANGERS = ("confirm", "invitation")
"""Mails that somebody else may have caused: they bear no name that a stranger chose but in quotes."""

ASKED_FOR = ("confirm", "sign_in", "invitation", "turn_link", "address_changed", "token_made")
"""Mails that somebody waits for, or that go to somebody without an account: neither wishes nor quiet hours apply."""

IN_DIGEST = ("started", "turn", "played_for_you", "over", "message")
"""What those who want a digest read there. The rest would come too late."""

WITH_REMINDERS = ("reminder", "vacation_ending")
"""What those who want reminders alone are sent."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """Who is written to. `seat_mail` is the wish for the notice's game, if any."""

    address: str
    name: str
    player_id: str | None
    wishes: dict[str, Any]
    seat_mail: str | None = None

    @property
    def zone(self) -> str:
        """The name of the time zone that times are told in."""
        return str(self.wishes["time_zone"])

    @property
    def language(self) -> str:
        """The code of the language that is written in."""
        return str(self.wishes["language"])

    @property
    def mode(self) -> str:
        """When notices of this game are wanted."""
        return self.seat_mail or str(self.wishes["mail"])


_PLAYER = """
    SELECT p.name, p.email, p.email_confirmed_at, p.mail_stopped_at, p.preferences,
        (SELECT s.mail FROM seat s WHERE s.player_id = p.id AND s.game_id = ?)
    FROM player p WHERE p.id = ?"""

# Somebody without an account is written to in the language of who invites them.
_INVITER = "SELECT p.preferences FROM invitation i JOIN player p ON p.id = i.inviter_id WHERE i.id = ?"


def recipient(store: Store, notice: Notice, now: datetime) -> Recipient | Skip | Postpone:
    """Who the notice goes to, or why it does not go (now)."""
    person = _addressed(store, notice, now)
    if (
        isinstance(person, Recipient)
        and notice.kind != "sign_in"
        and unsolicited.is_blocked(store, unsolicited.claim(person.address))
    ):
        return Skip("whoever reads there wants no mail from this server")
    return person


def _addressed(store: Store, notice: Notice, now: datetime) -> Recipient | Skip | Postpone:
    if notice.player_id is None:
        if notice.address is None:
            return Skip("there is nobody to write to any more")
        with store.read():
            found = sql.row(store, _INVITER, notice.data.get("invitation"))
        language = preferences.read(found[0] if found else None)["language"]
        return Recipient(notice.address, "", None, preferences.read(None) | {"language": language})
    with store.read():
        found = sql.row(store, _PLAYER, notice.game_id, notice.player_id)
    if found is None or (found[1] is None and notice.kind != "address_changed"):
        return Skip("the player has no address any more")
    name, address, confirmed, stopped, wishes, seat_mail = found
    person = Recipient(address or "", name, notice.player_id, preferences.read(wishes), seat_mail)
    if notice.kind == "address_changed" and notice.address is not None:
        return replace(person, address=notice.address)  # the one that it had
    if notice.address is not None and notice.address.lower() != address.lower():
        return Skip("the player has another address by now")
    if notice.kind == "confirm":
        return Skip("the address is confirmed") if confirmed is not None and stopped is None else person
    if confirmed is None:
        return Skip("the address is not confirmed")
    if stopped is not None:
        return Skip("a mail to this address came back")
    return person if notice.kind in ASKED_FOR else _wanted(person, notice, now)


def _wanted(person: Recipient, notice: Notice, now: datetime) -> Recipient | Skip | Postpone:
    if notice.kind != "digest":  # which asks for each of its games
        if person.mode == "mute":
            return Skip("the player wants no mail")
        if person.mode == "reminders" and notice.kind not in WITH_REMINDERS:
            return Skip("the player wants reminders only")
        if person.mode == "digest" and notice.kind in IN_DIGEST:
            return Skip("it is left to the digest")
    until = quiet_until(person.wishes["quiet_hours"], person.zone, now)
    return person if until is None else Postpone(until)
