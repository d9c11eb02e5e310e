"""Reports of non-delivery (RFC 3464) and of abuse (RFC 5965), and whose fault it was by their status (RFC 3463). Forms
that are older are read by flufl.bounce. A report counts for the mail whose token it brings and for no other."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesParser
from typing import Literal

from server.inbox import addresses
from server.inbox.header_fields import CutFields, body, value
from server.inbox.limits import PARTS, REPORT, REPORT_LINES
from server.inbox.signs import pattern
from server.service.outbox import mail_status

Kind = Literal["recipient", "full", "refused", "failed", "delayed", "delivered", "complaint", "unknown"]
"""What became of a mail: nobody is there; the mailbox is full; somebody's policy refused it; it failed for another
reason; it is still on its way; it arrived; its reader complained; nothing that can be understood."""

WHY_MAX = 200
_NOT_ASCII = bytes(range(128)) + b"?" * 128


@dataclass(frozen=True, slots=True)
class Report:
    """What was said of a mail of ours. `token` is that of the mail in the report itself, empty where it has none;
    `status` an enhanced status code (5.1.1), `why` the other server's words on one line, without addresses."""

    kind: Kind
    status: str
    why: str
    token: str


def is_report(headers: Message) -> bool:
    """Whether a mail says of itself that it is a report of delivery or of abuse."""
    kind = value(headers, "Content-Type").lower()
    return kind.startswith("multipart/report") and "disposition-notification" not in kind


def read(data: bytes, domain: str) -> Report:
    """What a mail reports. Raises nothing: what cannot be understood is `unknown`."""
    data = _bounded(data)
    if data.lower().count(b"boundary") > PARTS:
        return Report("unknown", "", "", "")
    try:
        message = BytesParser(policy=CutFields()).parsebytes(data)
        parts = list(message.walk())
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError):
        return Report("unknown", "", "", "")
    token = next(iter(_tokens(parts, data, domain)), "")
    for part in parts:
        kind = part.get_content_type()
        if kind == "message/feedback-report":
            fields = next(iter(_blocks(part)), Message())
            return Report("complaint", "", plain(value(fields, "Feedback-Type")), token)
        if kind in ("message/delivery-status", "message/global-delivery-status"):
            return _of_status(part, token)
    return _of_old_form(message, data, token)


def _bounded(data: bytes) -> bytes:
    """So much of a report as is read: parsers make an object of each empty line. In ASCII, so that nothing decodes it
    by a charset that a stranger has chosen; what matters of a report is in ASCII."""
    lines = data[:REPORT].translate(_NOT_ASCII).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n", REPORT_LINES)
    return b"\n".join(lines[:REPORT_LINES])


def tokens_seen(data: bytes, domain: str) -> list[str]:
    """Tokens of mails of ours, as their envelope senders, that can be seen in a report without taking it apart. In its
    header stands the recipient, which the caller knows."""
    return addresses.tokens_in(body(data[:REPORT]).decode("ascii", "replace"), "bounce", domain)


def _tokens(parts: list[Message], data: bytes, domain: str) -> list[str]:
    """The same, and those in what is encoded."""
    found = tokens_seen(data, domain)
    for part in parts:
        # What was returned may be encoded.
        if part.get_content_type() in ("text/rfc822-headers", "message/feedback-report", "text/plain"):
            found += addresses.tokens_in(_text(part), "bounce", domain)
    return found


def _blocks(part: Message) -> list[Message]:
    """The groups of fields of a status part: one of the mail, then one of each recipient."""
    payload = part.get_payload()
    return [block for block in payload if isinstance(block, Message)] if isinstance(payload, list) else []


def _of_status(part: Message, token: str) -> Report:
    """The worst that is said of a recipient; our mails have one each, and servers that expand it may name several."""
    found = [_of_recipient(block, token) for block in _blocks(part)[:20] if "Action" in block or "Status" in block]
    order: tuple[Kind, ...] = ("recipient", "full", "refused", "failed", "delayed", "delivered", "unknown")
    return min(found, key=lambda one: order.index(one.kind), default=Report("unknown", "", "", token))


_UNKNOWN_USER, _OF_RECIPIENT, _OF_US = (pattern("reports", name) for name in ("unknown_user", "of_recipient", "of_us"))


def _of_recipient(block: Message, token: str) -> Report:
    action = value(block, "Action").lower().partition(" ")[0]
    status = mail_status.find(value(block, "Status"))
    words = value(block, "Diagnostic-Code")
    if status in ("", "5.0.0"):
        status = mail_status.find(words) or status
    if action == "delayed" or (action in ("", "failed") and status.startswith("4.")):
        # Some call it failed when they have given up after days of 4.x.x: whose mailbox it is may well be there.
        return Report("failed" if action == "failed" else "delayed", status, plain(words), token)
    arrived: Kind = "delivered" if action in ("delivered", "relayed", "expanded") else "unknown"
    return Report(fault(status, words) if action == "failed" else arrived, status, plain(words), token)


def fault(status: str, words: str) -> Kind:
    """Whose fault a permanent failure is: nobody is there, the mailbox is full, somebody refuses mail of ours (then it
    is for the operator, and the next reader's server may take it), or anything else."""
    if status == "5.2.2":
        return "full"
    if status == "5.4.1" and "access denied" not in words.lower() and not _UNKNOWN_USER.search(words):
        return "failed"  # elsewhere than at Microsoft: no answer from a host
    if _OF_RECIPIENT.fullmatch(status):
        return "recipient"
    if _UNKNOWN_USER.search(words) and status.startswith(("5.0.", "5.5.", "5.7.1")):
        return "recipient"
    return "refused" if _OF_US.fullmatch(status) else "failed"


def _of_old_form(message: Message, data: bytes, token: str) -> Report:
    """Letters of non-delivery without a status part."""
    try:
        from flufl.bounce import all_failures
    except ImportError:  # the extra `answers` has it
        return Report("unknown", "", "", token)
    logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # its errors quote mails
    try:
        temporary, permanent = all_failures(message)
    except Exception:  # of a library that reads what anybody sends
        return Report("unknown", "", "", token)
    if not permanent:
        return Report("delayed" if temporary else "unknown", "", "", token)
    letter = _text(next((part for part in message.walk() if part.get_content_type() == "text/plain"), message))
    told = re.split(r"\n-{2,} ?(?:below|this is a copy|original|returned)", letter, maxsplit=1, flags=re.IGNORECASE)[0]
    line = next((one for one in told.splitlines() if re.search(r"\b5\d\d\b|5\.\d\.\d", one)), "")
    status = mail_status.find(line) or "5.0.0"
    return Report(fault(status, told[:4000]), status, plain(line), token)


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def plain(text: str) -> str:
    """A stranger's words as they may be shown to the player and the operator: on one line, cut, without addresses."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text[:2000]).split())
    line = re.sub(r"^(?:smtp|x-[\w-]+)\s*;\s*", "", line, flags=re.IGNORECASE)
    line = re.sub(r"\S*@\S*|https?://\S*|www\.\S*", "…", line)
    return line if len(line) <= WHY_MAX else line[: WHY_MAX - 1] + "…"
