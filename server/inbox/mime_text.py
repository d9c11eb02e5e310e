"""The text parts of a raw mail, found without reading more of it than is needed.

The library's parser is not asked to take whole mails apart: it makes an object of each part, calls itself for each
level, and looks at each line for each boundary, so some bytes cost it gigabytes or minutes. Here each level is split by
searching, to a depth and a number of parts that no person's mail has; of a part the library reads the header.
"""

from __future__ import annotations

import quopri
import re
from base64 import b64decode
from binascii import Error as BinasciiError
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from typing import Any

from server.inbox import charsets
from server.inbox.header_fields import END, PARSER
from server.inbox.limits import HEADER

DEPTH_MOST = 12
PARTS_MOST = 100
HEADER_MOST = 8000
"""Bytes of a part's header, but for that of the whole mail."""
TEXT_MOST = 600_000
"""Bytes of one part's text: what a person writes comes early, and the quotation after it may go on."""

_EMPTY = re.compile(rb"\r?\n")


class TooMuchError(ValueError):
    """More parts, levels or header than a person's mail has."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text part. `flowed`: its lines are broken as format=flowed has it (RFC 3676), `delsp` with it."""

    kind: str
    text: str
    flowed: bool = False
    delsp: bool = False


def texts(data: bytes) -> list[list[Text]]:
    """The texts of a mail, each in the forms that it has: [plain, html], or one of them.

    What is attached, forwarded as a message or encrypted is not among them. Raises `TooMuchError`.
    """
    return list(_Walk(data).part(0, len(data), HEADER, 0))


class _Walk:
    """Walks through a mail; parts are places in it, so that nothing is copied."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._parts = 0

    def part(self, start: int, end: int, header_most: int, depth: int) -> Iterator[list[Text]]:
        """The texts between two places."""
        self._parts += 1
        if self._parts > PARTS_MOST or depth > DEPTH_MOST:
            raise TooMuchError("too many parts")
        found = _EMPTY.match(self._data, start, end) or END.search(self._data, start, min(end, start + header_most))
        if found is None and end - start > header_most:
            raise TooMuchError("a header without an end")
        body = found.end() if found else end
        headers = PARSER.parsebytes(self._data[start:body])
        kind = headers.get_content_type()
        if _attached(headers):
            return
        if kind.startswith("multipart/"):
            yield from self._multipart(headers, body, end, kind, depth)
        elif kind in ("text/plain", "text/html"):
            yield [_text(headers, self._data[body : min(end, body + 3 * TEXT_MOST)], kind)]

    def _multipart(self, headers: Message, start: int, end: int, kind: str, depth: int) -> Iterator[list[Text]]:
        boundary = _parameters(headers).get("boundary")
        if not boundary:
            return
        places = self._split(start, end, boundary.encode("ascii", "replace").rstrip())
        if kind in ("multipart/related", "multipart/signed"):
            places = places[:1]
        elif kind in ("multipart/encrypted", "multipart/report", "multipart/digest"):
            return
        texts = [found for begin, stop in places for found in self.part(begin, stop, HEADER_MOST, depth + 1)]
        if kind == "multipart/alternative":
            # The same text, plain first.
            forms = [text for found in texts for text in found]
            ordered = [text for wanted in ("text/plain", "text/html") for text in forms if text.kind == wanted]
            texts = [ordered] if ordered else []
        yield from texts

    def _split(self, start: int, end: int, boundary: bytes) -> list[tuple[int, int]]:
        """Where the parts between the boundaries are. Raises `TooMuchError`."""
        data, mark = self._data, b"--" + boundary
        parts: list[tuple[int, int]] = []
        begun = -1
        place = data.find(mark, start, end)
        looks = 0
        while place >= 0:
            looks += 1
            if looks > 100 * PARTS_MOST or len(parts) > PARTS_MOST:
                raise TooMuchError("too many boundaries")
            after = place + len(mark)
            line_end = data.find(b"\n", after, min(end, after + 1000))
            rest = data[after : line_end if line_end >= 0 else min(end, after + 1000)].strip()
            if (place == start or data[place - 1 : place] == b"\n") and rest in (b"", b"--"):
                if begun >= 0:
                    parts.append((begun, max(begun, place - (2 if data[place - 2 : place] == b"\r\n" else 1))))
                if rest or line_end < 0:
                    return parts
                begun = line_end + 1
            place = data.find(mark, after, end)
        if begun >= 0:  # cut off on the way
            parts.append((begun, end))
        return parts


def _attached(headers: Message) -> bool:
    """A file, be it shown between the lines."""
    disposition = str(headers.get("Content-Disposition", ""))[:1000].lower()
    return disposition.lstrip().startswith("attachment") or "filename" in disposition


def _text(headers: Message, body: bytes, kind: str) -> Text:
    encoding = str(headers.get("Content-Transfer-Encoding", "")).strip().lower()
    raw = _decoded(body, encoding)[:TEXT_MOST]
    parameters = _parameters(headers)
    return Text(
        kind,
        charsets.decoded(raw, parameters.get("charset", "")),
        flowed=parameters.get("format", "").lower() == "flowed",
        delsp=parameters.get("delsp", "").lower() == "yes",
    )


def _decoded(body: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        return quopri.decodestring(body[: 3 * TEXT_MOST])
    if encoding == "base64":
        # Four letters at a time, whatever stands between them; what is cut off at the end is left out.
        letters = re.sub(rb"[^A-Za-z0-9+/]", b"", body[: 2 * TEXT_MOST].partition(b"=")[0])
        try:
            return b64decode(letters[: len(letters) - (len(letters) % 4 == 1)] + b"==="[: -len(letters) % 4])
        except BinasciiError:
            return b""
    return body[:TEXT_MOST]


def _parameters(headers: Message) -> dict[str, str]:
    """The parameters of Content-Type, the first of each name; none where they cannot be read."""
    try:
        listed: list[Any] = headers.get_params([])
    except (ValueError, TypeError, LookupError):
        return {}
    found: dict[str, str] = {}
    for name, value in listed:
        text = value[2] if isinstance(value, tuple) else value  # a tuple as RFC 2231 has it, with charset and language
        found.setdefault(name.lower(), str(text or "").strip()[:200])
    return found
