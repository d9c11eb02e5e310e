"""The last touches to a mail: what makes a second sending of the same notice the same message.

Message-ID comes from the notice's key, Date from when it was due, boundaries from the Message-ID. The rest is the
composer's and depends on no clock, so that the bytes are the same too.
"""

from __future__ import annotations

from dataclasses import dataclass
from email.generator import BytesGenerator
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256
from io import BytesIO
from typing import Any

from server.service.outbox import Notice
from server.settings import Settings


@dataclass(frozen=True, slots=True)
class Envelope:
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


def message_id(settings: Settings, key: str) -> str:
    """The Message-ID of whatever `key` names, in angle brackets."""
    return f"<{sha256(key.encode('utf-8')).hexdigest()[:32]}@{domain(settings)}>"


def finish(settings: Settings, notice: Notice, message: EmailMessage) -> Envelope:
    """The composed `message` (changed in place) as bytes for the wire.

    Raises `ValueError` when it has not exactly one recipient.
    """
    to = message["To"]
    addresses = [] if to is None else to.addresses
    if len(addresses) != 1 or not addresses[0].addr_spec:
        raise ValueError("a mail goes to one address, not to several or none")
    identity = message_id(settings, notice.key)
    for name, value in (("Message-ID", identity), ("Date", format_datetime(notice.due))):
        del message[name]
        message[name] = value
    _set_boundaries(message, identity[1:25])
    address = addresses[0].addr_spec
    return Envelope(settings.mail_from, address, flatten(message, not address.isascii()), identity)


def flatten(message: EmailMessage, utf8: bool = False) -> bytes:
    """The message with CRLF line ends. Everything is ASCII on the wire, except header lines when `utf8` is set (for
    servers that take addresses beyond ASCII)."""
    # 7bit: a relay that takes no 8BITMIME would recode the parts on the way, and break a DKIM signature with it.
    buffer = BytesIO()
    BytesGenerator(buffer, policy=SMTP.clone(cte_type="7bit", utf8=utf8)).flatten(message)
    return buffer.getvalue()


def _set_boundaries(message: Any, stem: str) -> None:
    """Boundaries that follow from the message: the library would draw random ones."""
    number = 0
    for part in message.walk():
        if part.get_content_maintype() == "multipart":
            # "=_" occurs in neither quoted-printable nor base64 text, so no part can hold the boundary by chance.
            part.set_boundary(f"=_{stem}_{number}")
            number += 1
