"""Who a mail is for, and whether that person wants it now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from server.notify.mail_content import Postpone, Skip
from server.service.common.preferences import Channel
from server.service.games.running_time import quiet_until
from server.service.outbox import addressees, stranger_mail
from server.service.outbox.addressees import Addressee
from server.service.outbox.deliveries import QueuedMail
from server.service.outbox.news import Kind
from server.service.outbox.stopped_addresses import CAME_BACK
from server.settings import Settings
from server.storage.database import Store

TO_STRANGERS: tuple[Kind, ...] = ("confirm", "invitation")
"""Mails that somebody else may have caused: they bear no name that a stranger chose but in quotes."""

ASKED_FOR: tuple[Kind, ...] = (
    "confirm",
    "sign_in",
    "invitation",
    "turn_link",
    "address_changed",
    "token_made",
    "answer",
    "resign_question",
)
"""Mails that somebody waits for, or that go to somebody without an account: neither wishes nor quiet hours apply."""

IN_DIGEST: tuple[Kind, ...] = ("started", "turn", "played_for_you", "over", "message")
"""What those who want a digest read there. The rest would come too late."""

WITH_REMINDERS: tuple[Kind, ...] = ("reminder", "vacation_ending")
"""What those who want reminders alone are sent. A digest says until when there is time: those readers get none."""


@dataclass(frozen=True, slots=True)
class MailTask:
    """What a mail is written from: a mail, to whom, at `now`."""

    store: Store
    settings: Settings
    queued: QueuedMail
    person: Addressee
    now: datetime


def recipient(store: Store, queued: QueuedMail, now: datetime) -> Addressee:
    """Who the mail goes to. Raises `Skip` and `Postpone` where it does not go (now)."""
    with store.read():  # one for all of its questions
        person = _addressed(store, queued, now)
        if queued.kind != "sign_in" and stranger_mail.is_blocked(store, stranger_mail.claim(person.address)):
            raise Skip("whoever reads there wants no mail from this server")
        return person


def _addressed(store: Store, queued: QueuedMail, now: datetime) -> Addressee:
    if queued.player_id is None:
        if queued.address is None:
            raise Skip("there is nobody to write to any more")
        return addressees.stranger(store, queued.address, queued.data.get("invitation"))
    person = addressees.of_player(store, queued.player_id, queued.game_id)
    if person is None or not (person.address or queued.kind == "address_changed"):
        raise Skip("the player has no address any more")
    if queued.kind == "address_changed" and queued.address is not None:
        return replace(person, address=queued.address)  # the one that it had
    if queued.address is not None and queued.address.lower() != person.address.lower():
        raise Skip("the player has another address by now")
    if queued.kind == "confirm":
        if person.confirmed_at is not None and person.stopped_at is None:
            raise Skip("the address is confirmed")
        return person
    if person.confirmed_at is None:
        raise Skip("the address is not confirmed")
    if person.stopped_at is not None:
        raise Skip(CAME_BACK)
    return person if queued.kind in ASKED_FOR else _wanted(person, queued, now)


def of_channel(store: Store, queued: QueuedMail, channel: Channel, now: datetime) -> Addressee:
    """Whom news by another channel than mail go to. Raises `Skip` and `Postpone` where they do not go (now)."""
    person = addressees.of_player(store, queued.player_id or "", queued.game_id, channel)
    if person is None:
        raise Skip("the player is gone")
    return person if queued.kind == "test" else _wanted(person, queued, now)


def _wanted(person: Addressee, queued: QueuedMail, now: datetime) -> Addressee:
    if queued.kind != "digest":  # which asks for each of its games
        if person.mode == "mute":
            raise Skip("the player wants no news of this game")
        if person.mode == "reminders" and queued.kind not in WITH_REMINDERS:
            raise Skip("the player wants reminders only")
        if person.mode == "digest" and (queued.kind in IN_DIGEST or queued.kind == "reminder"):
            raise Skip("it is left to the digest")
    until = quiet_until(person.wishes["quiet_hours"], person.zone, now)
    if until is not None:
        raise Postpone(until)
    return person
