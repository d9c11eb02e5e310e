"""Mail that no person wrote: never answered, and nothing of it is played (RFC 3834), or two programs would answer each
other for ever. Answers of ours bear several of these signs (`notify/mime_message.py`)."""

from __future__ import annotations

import re
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import parseaddr

from server.inbox.addresses import ascii_domain
from server.inbox.header_fields import one_line, value
from server.inbox.signs import SIGNS, pattern

RECEIVED_MAX = 50
"""So many servers pass on no mail that is not running in a circle (RFC 5321, 6.3, asks for a hundred at least)."""

_COMMENTS_MOST = 20  # in a sender
_OF = SIGNS["programs"]
_DAEMONS, _DAEMON_NAMES, _NOBODY, _AWAY, _ABSENT = (
    pattern("programs", name) for name in ("daemons", "daemon_names", "nobody", "away", "absent")
)
_AWAY_FIRST = pattern("programs", "away", r"[\W_]*(?:{})[^:\uff1a]{0,40}[:\uff1a]\s*\S")
# Signs and brackets may come first. Each is read in one way alone, or a hundred would not be read to an end.
_FAILED = pattern("programs", "failed", r"(?:[\W_]*\[(?=[^\]]{1,40}\])(?:(?![\[\]])[\W_])*[^\W_][^\]]*\])*[\W_]*(?:{})")
_AWAY_FIELDS = pattern("programs", "away_fields", r"[a-z0-9-]{0,30}?(?:{})[\w-]{0,30}")
_AWAY_VALUES = pattern("programs", "away_values", r"[\W_]*(?:kind\s*=\s*)?(?:{})[\W_]*(?:[,;}].*)?")
_ACTING = [field.split(": ") for field in _OF["acting"]]


def why_automatic(headers: Message, sender: str | None, own_domains: tuple[str, ...]) -> str | None:
    """The sign by which a mail is known to be a program's; None for what a person may have written. `sender` is the
    envelope's (None: only the header tells it), `own_domains` are those of the Message-IDs of our mails."""
    if sender is None and "Return-Path" in headers:
        sender = value(headers, "Return-Path").strip("<> ")
    if sender is not None and not sender.strip("<> "):
        return "null sender"
    submitted = value(headers, "Auto-Submitted").lower()
    if submitted and not re.match(r"no\b(?!-)", submitted):
        return "Auto-Submitted"
    if set(re.split(r"[\s,;]+", value(headers, "Precedence").lower())).intersection(_OF["precedence"]):
        return "Precedence"
    if any(value(headers, name) and value(headers, name).lower() != "no" for name in _OF["answering"]):
        return "answering machine"
    if any(re.search(wanted, value(headers, name), re.IGNORECASE) for name, wanted in _ACTING):
        return "answering machine"
    if any(_is_of_machine(name, one_line(said)) for name, said in headers.items()):
        return "answering machine"
    if value(headers, "X-Auto-Response-Suppress").lower() not in ("", "none"):
        return "X-Auto-Response-Suppress"
    if any(name in headers for name in _OF["lists"]):
        return "mailing list"
    if len(headers.get_all("Received", [])) > RECEIVED_MAX:
        return "loop"
    return _of_ours(headers, own_domains) or _by_who_writes(headers)


def _is_of_machine(name: str, said: str) -> bool:
    """Whether a field of a name that nobody has listed says that an answering machine wrote."""
    if said.lower() in ("", "no", "none", "false", "0") or name.lower().startswith("x-auto-response-suppress"):
        return False
    return bool(_AWAY_FIELDS.fullmatch(name) or (name[:2].lower() == "x-" and _AWAY_VALUES.fullmatch(said)))


def _of_ours(headers: Message, domains: tuple[str, ...]) -> str | None:
    """Our own mail, come back: its Message-ID is what `notify/mime_message.py` makes."""
    found = re.fullmatch(r"<[0-9a-f]{32}@([^<>@\s]+)>", value(headers, "Message-ID").lower())
    return "loop" if found and ascii_domain(found[1]) in {ascii_domain(name) for name in domains} else None


def _by_who_writes(headers: Message) -> str | None:
    sender = value(headers, "From")
    if sender.count("(") > _COMMENTS_MOST:  # comments within each other: the library calls itself for each
        return "no sender"
    name, address = parseaddr(sender)
    local = address.partition("@")[0]
    if _DAEMONS.fullmatch(local) or _DAEMON_NAMES.fullmatch(name.strip()) or (sender and not address):
        return "mailer daemon"
    if value(headers, "Content-Type").lower().startswith("multipart/report"):
        return "report"
    subject = _subject(headers)
    if _FAILED.match(subject.strip()):
        return "failure notice"
    if _ABSENT.match(subject.strip()) or _AWAY_FIRST.match(subject):
        return "out of office"
    # People may write of a vacation: alone such a subject is no sign.
    if _AWAY.search(subject) and (
        _NOBODY.search(local)
        or any(name in headers for name in _OF["with_away"])
        or not ("In-Reply-To" in headers or "References" in headers)
    ):
        return "out of office"
    return None


def _raw_subject(headers: Message) -> str:
    """The subject on one line; what is not encoded is taken for UTF-8."""
    given = next((str(said) for name, said in headers.raw_items() if name.lower() == "subject"), "")[:1000]
    return " ".join(given.encode("utf-8", "surrogateescape").decode("utf-8", "replace").split())


def _subject(headers: Message) -> str:
    """The subject in words, as far as it can be decoded."""
    words = []
    try:
        for text, charset in decode_header(_raw_subject(headers)):
            words.append(text if isinstance(text, str) else text.decode(charset or "ascii", "replace"))
    except (LookupError, ValueError, MessageError):  # a charset that there is not; Base64 that is none
        return value(headers, "Subject")
    return "".join(words)
