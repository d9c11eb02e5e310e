"""The header of a mail: who, about what, in which thread, and how to have no more of them."""

from __future__ import annotations

import re
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import Policy

from server.addresses import mail_address
from server.board.measure import clean
from server.notify.mail_content import MailContent
from server.notify.mime_message import domain, message_id
from server.notify.recipients import TO_STRANGERS, Recipient
from server.service.outbox.deliveries import QueuedMail
from server.service.outbox.news import game_key
from server.settings import Settings

SENDER = "Ulm by mail"
SUBJECT_MAX = 120
_MESSAGE_ID = re.compile(r"<[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,120}@\[?[A-Za-z0-9.:-]{1,120}\]?>")


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
    person: Recipient,
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
    """The Message-ID of the mail that this one answers; empty where there is none, or none to be written into a
    header."""
    given = queued.data.get("mail", "")
    known = isinstance(given, str) and _MESSAGE_ID.fullmatch(given) and not given.endswith(".invalid>")
    return given if known else ""
