"""The last touches to a mail: what makes a second sending of the same mail the same message.

Message-ID comes from the mail's key, Date from when it was due, boundaries from the Message-ID. The rest is the
composer's and depends on no clock, so that the bytes are the same too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256

from server.service.outbox.deliveries import QueuedMail
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
    """The composed `message` (changed in place) as bytes for the wire.

    Raises `ValueError` when it has not exactly one recipient.
    """
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
    """The message with CRLF line ends and boundaries that begin with `stem`, changed in place. Everything is ASCII,
    except header lines when `utf8` is set (for servers that take addresses beyond ASCII). Raises `ValueError` for a
    header that would begin another one.
    """
    for name, value in message.raw_items():
        if re.search(r"[\r\n]", str(value)):
            raise ValueError(f"the header {name} would begin another one")
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary(f"=_{stem}_{number}")  # "=_" is in neither quoted-printable nor base64, so in no part
        if part.get_content_subtype() == "related":  # which has to say what its first part is (RFC 2387)
            first, *_others = part.iter_parts()
            part.set_param("type", first.get_content_type())
    return message.as_bytes(policy=_ASCII.clone(utf8=utf8))
