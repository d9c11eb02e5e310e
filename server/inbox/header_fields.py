"""The header of a raw mail, read without its body. Fields are cut as they are parsed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import Compat32
from hashlib import sha256

from server.addresses import MESSAGE_ID
from server.inbox.limits import FIELD, HEADER, HEADER_LINES, LONG_FIELD

_LISTS = frozenset(("to", "cc", "references", "authentication-results"))


class CutFields(Compat32):
    """Raw values, as by `compat32` (the other policies parse each, and raise for some), and none longer than a person's
    or a mail server's is: of parameters the library's reader takes time with the square of their length."""

    def header_source_parse(self, sourcelines: Sequence[str]) -> tuple[str, str]:
        """The name of a field, and its value up to the longest that is read."""
        name, value = super().header_source_parse(list(sourcelines))
        return name, value[: LONG_FIELD if name.lower() in _LISTS else FIELD]


END = re.compile(rb"\r?\n\r?\n|\r\r")  # where a header ends, of a mail or a part
PARSER = BytesHeaderParser(policy=CutFields())


class HeaderError(ValueError):
    """There is no header, or no end of it."""


def read(data: bytes) -> Message:
    """The header fields of a mail. Values are as they came, folded and encoded. Raises `HeaderError`."""
    found = END.search(data, 0, HEADER)
    if found is None and len(data) > HEADER:
        raise HeaderError("the header has no end")
    # mbox separators stand before the header where a pipe was told to write one.
    text = data[: found.start() + 2] if found else data
    if text.count(b"\n") + text.count(b"\r") > 2 * HEADER_LINES:
        raise HeaderError("the header has too many lines")
    headers = PARSER.parsebytes(text)
    if not headers.keys():
        raise HeaderError("there is no header")
    return headers


def body(data: bytes) -> bytes:
    """What comes after the header."""
    found = END.search(data)
    return data[found.end() :] if found else b""


def value(headers: Message, name: str) -> str:
    """The first field of that name, as of `one_line`; empty where there is none."""
    return one_line(headers.get(name, ""))


def one_line(said: object) -> str:
    """What a field says on one line, cut."""
    return " ".join(str(said)[:1000].split())


def message_id(headers: Message, data: bytes) -> str:
    """The Message-ID if it is one that may stand in a header of ours, else one made of the bytes: the same mail has the
    same one each time, and is done once by that."""
    given = value(headers, "Message-ID")
    if MESSAGE_ID.fullmatch(given):
        return given
    return f"<{sha256(data).hexdigest()[:32]}@message-id.invalid>"


_METHODS = ("dkim", "spf", "dmarc", "arc")
_RESULT = re.compile(
    r"(?:^|;)\s*(dkim|spf|dmarc|arc)\s*=\s*"
    r"(pass|fail|softfail|neutral|none|policy|temperror|permerror|bestguesspass|hardfail)(?![\w-])",
    re.IGNORECASE,
)


def authentication(headers: Message, authserv_id: str = "") -> str:
    """What the mail server in front found out about a sender (RFC 8601): `dkim=pass spf=pass dmarc=fail`; empty for
    nothing. It is noted and never relied on. Anybody can write such a field: the topmost counts, and where
    `authserv_id` names that server, no other's."""
    for field in headers.get_all("Authentication-Results", [])[:20]:
        text = _without_comments(" ".join(str(field)[:4000].split()))
        server, _, rest = text.partition(";")
        if authserv_id and (not server.split() or server.split()[0].lower() != authserv_id.lower()):
            continue
        found: dict[str, str] = {}
        for method, result in _RESULT.findall(f";{rest}"):
            # Of several signatures one that is good is enough.
            if found.get(method.lower()) != "pass":
                found[method.lower()] = result.lower()
        return " ".join(f"{method}={found[method]}" for method in _METHODS if method in found)
    return ""


def _without_comments(text: str) -> str:
    """Comments stand in brackets, within each other too; what is in them proves nothing."""
    depth, kept = 0, []
    for part in re.split(r"([()])", text):
        if part == "(":
            depth += 1
        elif part == ")" and depth:
            depth -= 1
        elif not depth:
            kept.append(part)
    return "".join(kept)
