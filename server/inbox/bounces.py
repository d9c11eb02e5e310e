"""Reports of non-delivery (RFC 3464) and of abuse (RFC 5965), and whose fault it was by their status (RFC 3463). Forms
that are older are read by flufl.bounce. A report counts for the mail whose token it brings and for no other."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesParser
from typing import Literal

from server.inbox import addresses, html_lines
from server.inbox.header_fields import CutFields, body, value
from server.inbox.limits import PARTS, REPORT, REPORT_LINES
from server.inbox.signs import pattern
from server.service.outbox import mail_status

Kind = Literal["recipient", "full", "refused", "failed", "delayed", "delivered", "complaint", "unknown"]
"""What became of a mail: nobody is there; the mailbox is full; somebody's policy refused it; it failed for another
reason; it is still on its way; it arrived; its reader complained; nothing that can be understood."""

WHY_MAX = 200
_GENERAL = ("", "5.0.0", "5.3.0", "5.5.0")  # codes that say nothing
_COMPLAINTS, _OLD_COMPLAINTS, _OF_RECIPIENT, _NO_STRANGERS, _OF_US, _NOTICES, _DELAYS, _RETURNED = (
    pattern("reports", name)
    for name in (
        *("complaints", "old_complaints", "of_recipient", "no_strangers", "of_us", "notices", "delays", "returned"),
    )
)
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


def is_old_complaint(headers: Message) -> bool:
    """Whether a mail is a complaint as Microsoft's servers write it, with the mail that it is about."""
    return _OLD_COMPLAINTS.match(value(headers, "Subject")) is not None


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
            said = value(next(iter(_blocks(part)), Message()), "Feedback-Type")
            return Report("complaint" if _COMPLAINTS.fullmatch(said) else "unknown", "", plain(said), token)
        if "X-HmXmrOriginalRecipient" in part and is_old_complaint(message):
            return Report("complaint", "", plain(value(message, "Subject")), token)
        if kind in ("message/delivery-status", "message/global-delivery-status"):
            report = _of_status(part, token)
            if report.kind == "unknown" or (report.kind == "failed" and report.status in _GENERAL):
                letter = _of_letter(message, token)
                return letter if letter.kind in ("recipient", "refused") else report
            return report
    return _of_letter(message, token)


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
    """The parts of one; of a status part groups of fields, one of the mail, then one of each recipient."""
    payload = part.get_payload()
    return [block for block in payload if isinstance(block, Message)] if isinstance(payload, list) else []


def _of_status(part: Message, token: str) -> Report:
    """The worst that is said of a recipient; our mails have one each, and servers that expand it may name several."""
    found = [_of_recipient(block, token) for block in _blocks(part)[:20] if "Action" in block or "Status" in block]
    order: tuple[Kind, ...] = ("recipient", "full", "refused", "failed", "delayed", "delivered", "unknown")
    return min(found, key=lambda one: order.index(one.kind), default=Report("unknown", "", "", token))


def _of_recipient(block: Message, token: str) -> Report:
    action = value(block, "Action").lower().partition(" ")[0]
    status = mail_status.find(value(block, "Status"))
    words = value(block, "Diagnostic-Code")
    said = mail_status.find(words)
    if status in ("", "5.0.0") or (said[:1] == "5" == status[:1] and said != "5.0.0"):
        status = said or status  # who writes the report makes its own of what was said
    if action == "delayed" or (action == "" and status.startswith("4.")):
        return Report("delayed", status, plain(words), token)
    arrived: Kind = "delivered" if action in ("delivered", "relayed", "expanded") else "unknown"
    return Report(fault(status, words) if action == "failed" else arrived, status, plain(words), token)


def fault(status: str, words: str) -> Kind:
    """Whose fault a failure is: nobody is there, the mailbox is full, somebody refuses mail of ours (then it is for the
    operator, and the next reader's server may take it), or anything else. What the words say counts before the code."""
    said = mail_status.meaning(words)
    if status.startswith("4.") or (_reply(words) == "4" and not status.startswith(("5.1.", "5.2."))):
        # Given up after days: whose mailbox it is may well be there, if not even then they say that nobody is.
        return "recipient" if said == "nobody" and status.startswith("4.1.") else "failed"
    if _NO_STRANGERS.fullmatch(status):
        return "recipient"
    if status in ("5.1.7", "5.1.8"):  # it is the sender whom they do not know
        return "refused"
    if said == "now":
        return "failed"
    if said == "full" or (status == "5.2.2" and said != "us"):
        return "full"
    if said == "nobody":
        return "recipient"
    if said in ("us", "refused") or _OF_US.fullmatch(status):
        return "refused"
    return "recipient" if _OF_RECIPIENT.fullmatch(status) else "failed"


def _of_letter(message: Message, token: str) -> Report:
    """Letters of non-delivery without a status part, or with one that says little."""
    letter = _RETURNED.split(_letter(message)[:10_000], maxsplit=1)[0][:8000]
    subject = value(message, "Subject")
    if _DELAYS.search(f"{subject}\n{letter}"):
        return Report("delayed", "", "", token)
    known = is_report(message) or _NOTICES.search(f"{value(message, 'From')} {subject}")
    if not known and not _found_by_library(message):
        return Report("unknown", "", "", token)
    told = [part for part in re.split(r"\n\s*\n", letter) if _CODE.search(part)]
    words = "\n".join(part[found.start() :] for part in told if (found := _CODE.search(part)))
    if mail_status.meaning(words) == "":
        words = "\n".join(told) or letter  # the code stands behind them
    line = next((one for part in told for one in part.splitlines() if _CODE.search(one)), "")
    status = mail_status.find(line) or mail_status.find(words) or ("4.0.0" if _reply(words) == "4" else "5.0.0")
    kind = fault(status, words)
    if not told and kind != "recipient":
        return Report("failed" if _found_by_library(message) else "unknown", "5.0.0", "", token)
    return Report(kind, status, plain(line), token)


_CODE = re.compile(r"(?<![\d.])([45])\d\d[ ,:-]|(?<![\d.])([45])\.\d{1,3}\.\d{1,3}(?![\d.])")


def _reply(words: str) -> str:
    """The class of the first reply in a mail server's words; empty where there is none."""
    found = _CODE.search(words)
    return (found[1] or found[2]) if found else ""


def _found_by_library(message: Message) -> bool:
    """Whether flufl.bounce knows the form of a letter, as one that says that a mail did not arrive."""
    try:
        from flufl.bounce import all_failures
    except ImportError:  # the extra `answers` has it
        return False
    logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # its errors quote mails
    try:
        return bool(all_failures(message)[1])
    except Exception:  # of a library that reads what anybody sends
        return False


def _letter(message: Message) -> str:
    """What is written for people, without what was returned."""
    if message.get_content_type() == "message/rfc822":
        return ""
    if message.is_multipart():
        return next((text for part in _blocks(message) if (text := _letter(part))), "")
    text = _text(message)
    return "\n".join(html_lines.lines(text)) if message.get_content_type() == "text/html" else text


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def plain(text: str) -> str:
    """A stranger's words as they may be shown to the player and the operator: on one line, cut, without addresses."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text[:2000]).split())
    line = re.sub(r"^(?:smtp|x-[\w-]+)\s*;\s*", "", line, flags=re.IGNORECASE)
    line = re.sub(r"\S*@\S*|https?://\S*|www\.\S*", "…", line)
    return line if len(line) <= WHY_MAX else line[: WHY_MAX - 1] + "…"
