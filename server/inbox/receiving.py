"""One mail that came in, from its bytes to what is done with it: cheap looks first. Each outcome is counted and logged
by its reason, without an address, a token or a word of the mail."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from functools import partial
from hashlib import sha256

from server.inbox import addresses, auto_mail, bounces, header_fields, message_reading
from server.inbox.addresses import Address
from server.inbox.limits import PER_PLAYER, PER_TOKEN, SEARCHED, SIZE, TRIES
from server.logs import places
from server.service.accounts import links
from server.service.accounts.links import BadLinkError
from server.service.answering import answers
from server.service.outbox import deliveries, mail_status, received_mail
from server.service.outbox.received_mail import Result
from server.settings import Settings
from server.storage.database import Store
from server.storage.unusable import StoreError

log = logging.getLogger("ulm.inbox")

NOT_FOR_US = "not for us"
GAVE_UP = "gave up"  # what is dropped for one of these stays in a mailbox, for people to look at


@dataclass(frozen=True, slots=True)
class Outcome:
    """`done`: it did what it could, durably. `dropped`: on purpose, and `why` says the reason. `again`: it cannot be
    done now; whoever brought it keeps it and comes back. `why` holds no word of the mail."""

    result: Result
    why: str = ""


Receive = Callable[[bytes, Sequence[str], str | None], Outcome]
"""`receive` with everything bound that is not of the mail: its bytes, the envelope's recipients and its sender."""


def together(outcomes: Sequence[Outcome]) -> Outcome:
    """What to say of a mail to several addresses at once: again if any is, for the others are done but once."""
    return min(outcomes, key=lambda one: ("again", "done", "dropped").index(one.result))


def receive(
    store: Store,
    settings: Settings,
    data: bytes,
    recipients: Sequence[str],
    now: datetime,
    rng: random.Random,
    sender: str | None = None,
) -> Outcome:
    """Do what a mail asks for, and tell whoever brought it what became of it. Raises nothing. With no `recipients` of
    the envelope the header tells them; `sender` is the envelope's, None where only the header tells it."""
    mail = _Arrived(store, settings, data, now, rng, sender)
    try:
        outcome = _guarded(mail, None, lambda: _receive(mail, recipients))
    except StoreError as error:
        log.warning("mail put off", extra={"fields": {"why": type(error).__name__}})
        return Outcome("again", "database")
    log.info("mail in", extra={"fields": {"outcome": outcome.result, "why": outcome.why, "bytes": len(data)}})
    return outcome


@dataclass(frozen=True, slots=True)
class _Arrived:
    """A mail with what it came with."""

    store: Store
    settings: Settings
    data: bytes
    now: datetime
    rng: random.Random
    sender: str | None

    @property
    def domain(self) -> str:
        return self.settings.reply_domain

    def dropped(self, why: str) -> Outcome:
        """Counted, and nothing else."""
        received_mail.count(self.store, "dropped", why, self.now)
        return Outcome("dropped", why)

    def noted(self, key: str, address: Address, token: str, player_id: str | None, result: Result, why: str) -> Outcome:
        """Counted, and known when it comes again. It counts for the limits of the token and of that player."""
        size = len(self.data)
        received_mail.note(self.store, key, address.purpose, token, player_id, result, why, size, self.now)
        return Outcome(result, why)


def _receive(mail: _Arrived, recipients: Sequence[str]) -> Outcome:
    if not mail.domain:
        return Outcome("dropped", "ULM_REPLY_DOMAIN is not set")
    ours = addresses.of_envelope(recipients, mail.domain)
    if recipients and not ours:
        return mail.dropped(NOT_FOR_US)
    if len(mail.data) > SIZE:
        return mail.dropped("too large")
    try:
        headers = header_fields.read(mail.data)
    except header_fields.HeaderError:
        return mail.dropped("no header")
    ours = ours or addresses.of_headers(headers, mail.domain)
    if not ours:
        return mail.dropped(NOT_FOR_US)
    return together([_guarded(mail, one, partial(_for_address, mail, headers, one)) for one in ours])


def _guarded(mail: _Arrived, address: Address | None, work: Callable[[], Outcome]) -> Outcome:
    """A mistake of ours at one address keeps no other from what the mail asks of it. Raises `StoreError`."""
    try:
        return work()
    except StoreError:
        raise
    except Exception as error:
        fields = {"error": type(error).__name__, "at": places(error, 1)}
        log.error("mail could not be worked on", extra={"fields": fields})
        return _failed(mail, address)


def _for_address(mail: _Arrived, headers: Message, address: Address) -> Outcome:
    if address.purpose == "check":  # from ourselves, and so by a program
        expected = received_mail.check_arrived(mail.store, address.token, len(mail.data), mail.now)
        return Outcome("done", "check") if expected else mail.dropped("unknown token")
    automatic = auto_mail.why_automatic(headers, mail.sender, _own_domains(mail.settings))
    old_form = address.purpose == "bounce" and (automatic or bounces.is_old_complaint(headers))
    if bounces.is_report(headers) or old_form:
        return _report(mail, headers, address)
    if automatic:
        return mail.dropped(automatic)
    if address.purpose == "bounce":
        return mail.dropped("no report")
    return _answer(mail, headers, address)


def _own_domains(settings: Settings) -> tuple[str, ...]:
    return (settings.mail_from.rpartition("@")[2], settings.reply_domain)


# Reports


def _report(mail: _Arrived, headers: Message, address: Address) -> Outcome:
    """A report, or what may be one of an old form. It counts for the mail whose token it brings, and is not taken apart
    before that is known as one of ours."""
    token = address.token if address.purpose == "bounce" else ""
    token = token or next(iter(bounces.tokens_seen(mail.data, mail.domain)), "")
    report = None
    if not token:
        # It may be encoded with what was returned. Anybody can ask for such a search, so there are few.
        if not received_mail.may_search(mail.store, SEARCHED, mail.now):
            return mail.dropped("too many")
        report = bounces.read(mail.data, mail.domain)
        token = report.token
    if not token:
        return mail.dropped("report without token")
    if not deliveries.is_known(mail.store, token):
        return mail.dropped("report with unknown token")
    key = received_mail.mail_key(token, header_fields.message_id(headers, mail.data))
    if received_mail.find(mail.store, key) is not None:
        return Outcome("done", "was here before")
    if received_mail.too_many(mail.store, token, None, PER_TOKEN, {}, mail.now):
        return mail.dropped("too many")
    report = report or bounces.read(mail.data, mail.domain)
    return mail.noted(key, address, token, None, _heed(mail, token, report), f"report: {report.kind}")


def _heed(mail: _Arrived, token: str, report: bounces.Report) -> Result:
    """Do what follows from a report; dropped where that is nothing."""
    if report.kind == "complaint":
        heard = deliveries.complained(mail.store, token, report.why, mail.now)
    elif status := _told(report):
        heard = deliveries.came_back(mail.store, token, status, report.why, mail.now)
    else:
        return "dropped"
    return "dropped" if heard == "unknown" else "done"


_MEANT = {"recipient": "5.1.1", "full": "5.2.2", "refused": "5.7.0", "failed": "5.0.0", "delayed": "4.0.0"}


def _told(report: bounces.Report) -> str:
    """The status that says what the report means, which its own does not always; empty where nothing follows."""
    bad = bool(report.status) and mail_status.is_bad_address(report.status)
    other = bool(report.status) and not bad
    fits = {"recipient": bad, "refused": other, "failed": other, "delayed": report.status.startswith("4.")}
    return report.status if fits.get(report.kind) else _MEANT.get(report.kind, "")


# Answers


_DOORS = {"play": ("turn", "resign"), "talk": ("talk",)}  # what the tokens of addresses are for


def _answer(mail: _Arrived, headers: Message, address: Address) -> Outcome:
    identity = header_fields.message_id(headers, mail.data)
    key = received_mail.mail_key(address.token, identity)
    if received_mail.find(mail.store, key) is not None:
        return Outcome("done", "was here before")
    link = links.find(mail.store, address.token)
    if link is None:
        return mail.dropped("unknown token")
    purpose, claims = link
    player = claims.get("player")
    player_id = player if isinstance(player, str) else None
    if received_mail.too_many(mail.store, address.token, player_id, PER_TOKEN, PER_PLAYER, mail.now):
        return mail.dropped("too many")
    try:
        if purpose not in _DOORS[address.purpose]:
            raise BadLinkError
        links.read(mail.store, address.token, purpose, now=mail.now)
        incoming = message_reading.read(mail.data)
        found = answers.AnswerMail(
            identity, incoming.own, incoming.text, header_fields.authentication(headers, mail.settings.authserv_id)
        )
        work = answers.receive if address.purpose == "play" else answers.receive_message
        work(mail.store, address.token, found, mail.now, mail.rng)
    except message_reading.UnreadableMailError:
        return mail.noted(key, address, address.token, player_id, "dropped", "unreadable")
    except BadLinkError:
        # Of the token's limit, and not of the player's: who has but a token that is worthless takes nothing from them.
        return mail.noted(key, address, address.token, None, "dropped", "worthless token")
    return mail.noted(key, address, address.token, player_id, "done", address.purpose)


# Mistakes of ours


def _failed(mail: _Arrived, address: Address | None) -> Outcome:
    """The mail may come again, in case that somebody has put the mistake right; but not for ever."""
    key = received_mail.mail_key(f"failed {address}", sha256(mail.data).hexdigest())
    seen = received_mail.find(mail.store, key)
    again = seen is None or seen.tries + 1 < TRIES
    outcome = Outcome("again", "mistake") if again else Outcome("dropped", GAVE_UP)
    received_mail.note(
        mail.store, key, "-", "", None, outcome.result, outcome.why, len(mail.data), mail.now, failed=True
    )  # fmt: skip
    return outcome
