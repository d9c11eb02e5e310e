"""The frame of a mail: its header, and what makes a second sending the same bytes: Message-ID from the mail's key, Date
from when it was due, boundaries from the Message-ID."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime
from hashlib import sha256

from server.addresses import MESSAGE_ID, mail_address
from server.board.measure import clean
from server.notify.mail_content import MailContent
from server.notify.recipients import TO_STRANGERS
from server.service.outbox.addressees import Addressee
from server.service.outbox.deliveries import QueuedMail
from server.service.outbox.news import game_key
from server.settings import Settings

_ASCII = SMTP.clone(cte_type="7bit")
"""A relay that takes no 8BITMIME would make it so on the way, and break a DKIM signature."""


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A mail as a transport takes it: addresses alone, and the message with CRLF line ends."""

    sender: str
    to: str
    data: bytes
    message_id: str


def domain(settings: Settings) -> str:
    """The domain that mails come from, in ASCII."""
    name = settings.mail_from.rpartition("@")[2]
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return "localhost"


def mail_name(key: str) -> str:
    """The first part of the Message-ID of whatever `key` names."""
    return sha256(key.encode("utf-8")).hexdigest()[:32]


def message_id(settings: Settings, key: str) -> str:
    """The Message-ID of whatever `key` names, in angle brackets."""
    return f"<{mail_name(key)}@{domain(settings)}>"


def sender(settings: Settings, queued: QueuedMail) -> str:
    """The envelope's sender, to which a mail comes back: one for each mail (VERP) where such mail can be received."""
    if not settings.reply_domain or queued.bounce_token is None:
        return settings.mail_from
    return f"bounce+{queued.bounce_token}@{settings.reply_domain}"


def finish(settings: Settings, queued: QueuedMail, message: EmailMessage) -> OutgoingMail:
    """The composed `message` (changed in place) as bytes for the wire. Raises `ValueError` without one recipient."""
    to = message["To"]
    addresses = [] if to is None else to.addresses
    if len(addresses) != 1 or not addresses[0].addr_spec:
        raise ValueError("a mail goes to one address, not to several or none")
    identity = message_id(settings, queued.key)
    for name, value in (("Message-ID", identity), ("Date", format_datetime(queued.due))):
        del message[name]
        message[name] = value
    address = addresses[0].addr_spec
    return OutgoingMail(
        sender(settings, queued), address, flatten(message, identity[1:25], not address.isascii()), identity
    )


def flatten(message: EmailMessage, stem: str, utf8: bool = False) -> bytes:
    """The message, changed in place, with CRLF line ends and boundaries that begin with `stem`; in ASCII but for header
    lines with `utf8`. Raises `ValueError` for a header that would begin another one."""
    for name, value in message.raw_items():
        if re.search(r"[\r\n]", str(value)):
            raise ValueError(f"the header {name} would begin another one")
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary(f"=_{stem}_{number}")  # "=_" is in neither quoted-printable nor base64, so in no part
        if part.get_content_subtype() == "related":  # which has to say what its first part is (RFC 2387)
            first, *_others = part.iter_parts()
            part.set_param("type", first.get_content_type())
    return message.as_bytes(policy=_ASCII.clone(utf8=utf8))


SENDER = "Ulm by mail"
SUBJECT_MAX = 120


class _Verbatim(str):
    """A header that is one long word: the library would write it as encoded text, which no mail program reads here."""

    name: str
    defects: tuple[Exception, ...] = ()

    def __new__(cls, name: str, value: str) -> _Verbatim:
        if not value.isascii() or not value.isprintable() or len(value) > 900:
            raise ValueError(f"{name}: one line of ASCII is needed")
        made = super().__new__(cls, value)
        made.name = name
        return made

    def fold(self, *, policy: Policy) -> str:
        """As `email.headerregistry` has it: the header with its line end."""
        return f"{self.name}: {self}{policy.linesep}"


def one_line(text: str, longest: int = SUBJECT_MAX) -> str:
    """`text` as a header or a heading may hold it: one line of printable characters, not too long."""
    line = " ".join(clean(" ".join(text.split())).split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


_AUTOMATIC = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
"""Answering machines keep silent; so do those of people on vacation."""


def set_headers(
    message: EmailMessage,
    settings: Settings,
    queued: QueuedMail,
    person: Addressee,
    content: MailContent,
    unsubscribe: str | None,
) -> None:
    """Set everything but Message-ID and Date, which delivery sets. `unsubscribe` is the address of RFC 8058."""
    message["From"] = Address(SENDER, addr_spec=settings.mail_from)
    name = "" if queued.kind in TO_STRANGERS else one_line(person.name, 60)
    message["To"] = Address(name, addr_spec=mail_address(person.address))
    message["Subject"] = one_line(content.subject)
    if content.reply_to:
        _set(message, "Reply-To", content.reply_to)
    for header, value in _AUTOMATIC.items():
        _set(message, header, value)
    if unsubscribe is not None:
        message["List-Id"] = f"{SENDER} <notices.{domain(settings)}>"
        _set(message, "List-Unsubscribe", f"<{unsubscribe}>")
        _set(message, "List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
    if queued.game_id is not None and queued.player_id is not None:
        # One thread for each game: everything answers the first mail, that the game has started.
        first = game_key("started", queued.game_id, 0, queued.player_id)
        if queued.key != first:
            thread = message_id(settings, first)
            answered = _answered(queued)
            _set(message, "In-Reply-To", answered or thread)
            _set(message, "References", f"{thread} {answered}".rstrip())


def _set(message: EmailMessage, name: str, value: str) -> None:
    """Set a header that is one long word, as it is."""
    message.set_raw(name, _Verbatim(name, value))


def _answered(queued: QueuedMail) -> str:
    """The Message-ID of the mail that this one answers; empty where there is none that can be written."""
    given = queued.data.get("mail", "")
    known = isinstance(given, str) and MESSAGE_ID.fullmatch(given) and not given.endswith(".invalid>")
    return given if known else ""
