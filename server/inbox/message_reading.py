"""What a person has written in a mail: their own lines. Each level is split by searching, to a bounded depth: the
library's parser needs gigabytes or minutes for some mails."""

from __future__ import annotations

import codecs
import quopri
import re
from base64 import b64decode
from binascii import Error as BinasciiError
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.message import Message
from typing import Any

from server.inbox.header_fields import END, PARSER
from server.inbox.html_lines import lines as html_lines
from server.inbox.limits import HEADER, PART_DEPTH, PART_HEADER, SIZE, TEXT, TEXT_PARTS
from server.inbox.quotations import own_lines
from server.move_language.courtesies import is_of_program
from server.move_language.reply_mark import is_doubtful

_EMPTY = re.compile(rb"\r?\n")


class UnreadableMailError(ValueError):
    """The mail is larger, deeper or in more parts than a person's is."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """The writer's own part of a mail: lines without quotations and signature, blank ones between paragraphs; and the
    same as a message to people, without what a mail program adds below."""

    own: tuple[str, ...]
    text: str


def read(data: bytes) -> Incoming:
    """Read a raw mail. Raises nothing but `UnreadableMailError`."""
    if len(data) > SIZE:
        raise UnreadableMailError("the mail is too large")
    texts: list[tuple[str, list[str]]] = []
    for forms in list(_Walk(data).part(0, len(data), HEADER, 0)):
        kind, lines = _chosen(forms)
        _add(texts, kind, own_lines(lines))
    own: list[str] = []
    for _, lines in texts:
        if own and own[-1]:
            own.append("")
        own += lines
    while own and not own[-1]:
        own.pop()
    return Incoming(tuple(own), _message(own))


def _chosen(forms: list[_Text]) -> tuple[str, list[str]]:
    """The lines of a text in the first of its forms that has any, and its kind: plain before HTML."""
    for form in forms:
        lines = _lines(form)
        if any(line.strip() for line in lines):
            return form.kind, lines
    return "", []


def _add(texts: list[tuple[str, list[str]]], kind: str, own: list[str]) -> None:
    """One more text. Some programs send the same as plain text and as HTML one after the other: it is read once, in the
    form that has more of it."""
    said = _said(own)
    for place, (other, lines) in enumerate(texts):
        before = _said(lines)
        if kind != other and (said & before).total() * 4 >= min(said.total(), before.total()) * 3 > 0:
            texts[place] = texts[place] if said.total() <= before.total() else (kind, own)
            return
    texts.append((kind, own))


def _said(own: list[str]) -> Counter[str]:
    """The words of a text, however its lines are broken, and how often each is said."""
    return Counter(re.findall(r"\w+", " ".join(own).casefold()))


def _lines(form: _Text) -> list[str]:
    if form.kind == "text/html":
        return html_lines(form.text)
    # Not `splitlines`: that takes form feeds and others for line ends.
    lines = form.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return list(unflowed(lines, form.delsp)) if form.flowed else lines


def _message(own: list[str]) -> str:
    lines = [line for line in own if not is_doubtful(line)]
    while lines and (not lines[-1] or is_of_program(lines[-1])):
        lines.pop()
    return "\n".join(lines).strip()


@dataclass(frozen=True, slots=True)
class _Text:
    """A text part. `flowed`: its lines are broken as format=flowed has it (RFC 3676), `delsp` with it."""

    kind: str
    text: str
    flowed: bool = False
    delsp: bool = False


class _Walk:
    """Walks through a mail; parts are places in it, so that nothing is copied. It gives the texts that are not
    attached, forwarded or encrypted, each in its forms: [plain, html], or one of them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._parts = 0

    def part(self, start: int, end: int, header_most: int, depth: int) -> Iterator[list[_Text]]:
        """The texts between two places."""
        self._parts += 1
        if self._parts > TEXT_PARTS or depth > PART_DEPTH:
            raise UnreadableMailError("too many parts")
        found = _EMPTY.match(self._data, start, end) or END.search(self._data, start, min(end, start + header_most))
        if found is None and end - start > header_most:
            raise UnreadableMailError("a header without an end")
        body = found.end() if found else end
        headers = PARSER.parsebytes(self._data[start:body])
        kind = headers.get_content_type()
        if _attached(headers):
            return
        if kind.startswith("multipart/"):
            yield from self._multipart(headers, body, end, kind, depth)
        elif kind in ("text/plain", "text/html"):
            yield [_text(headers, self._data[body : min(end, body + 3 * TEXT)], kind)]

    def _multipart(self, headers: Message, start: int, end: int, kind: str, depth: int) -> Iterator[list[_Text]]:
        boundary = _parameters(headers).get("boundary")
        if not boundary:
            return
        places = self._split(start, end, boundary.encode("ascii", "replace").rstrip())
        if kind in ("multipart/related", "multipart/signed"):
            places = places[:1]
        elif kind in ("multipart/encrypted", "multipart/report", "multipart/digest"):
            return
        texts = [found for begin, stop in places for found in self.part(begin, stop, PART_HEADER, depth + 1)]
        if kind == "multipart/alternative":
            # The same text, plain first.
            forms = [text for found in texts for text in found]
            ordered = [text for wanted in ("text/plain", "text/html") for text in forms if text.kind == wanted]
            texts = [ordered] if ordered else []
        yield from texts

    def _split(self, start: int, end: int, boundary: bytes) -> list[tuple[int, int]]:
        """Where the parts between the boundaries are. Raises `UnreadableMailError`."""
        data, mark = self._data, b"--" + boundary
        parts: list[tuple[int, int]] = []
        begun = -1
        place = data.find(mark, start, end)
        looks = 0
        while place >= 0:
            looks += 1
            if looks > 100 * TEXT_PARTS or len(parts) > TEXT_PARTS:
                raise UnreadableMailError("too many boundaries")
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


def _text(headers: Message, body: bytes, kind: str) -> _Text:
    encoding = str(headers.get("Content-Transfer-Encoding", "")).strip().lower()
    raw = _unpacked(body, encoding)[:TEXT]
    parameters = _parameters(headers)
    return _Text(
        kind,
        decoded(raw, parameters.get("charset", "")),
        flowed=parameters.get("format", "").lower() == "flowed",
        delsp=parameters.get("delsp", "").lower() == "yes",
    )


def _unpacked(body: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        return quopri.decodestring(body[: 3 * TEXT])
    if encoding == "base64":
        # Four letters at a time, whatever stands between them; what is cut off at the end is left out.
        letters = re.sub(rb"[^A-Za-z0-9+/]", b"", body[: 2 * TEXT].partition(b"=")[0])
        try:
            return b64decode(letters[: len(letters) - (len(letters) % 4 == 1)] + b"==="[: -len(letters) % 4])
        except BinasciiError:
            return b""
    return body[:TEXT]


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


_KNOWN = re.compile(
    r"utf-?8|utf-?16(-?[bl]e)?|utf-?32(-?[bl]e)?|ascii|iso8859-?\d+|latin-?1|cp\d+|koi8[-_][rut]|gb2312|gbk|gb18030|big5"
    r"|big5hkscs|euc[-_](jp|kr)|shift[-_]jis|iso2022_jp(_\d|_ext)?|mac-[a-z]+|tis-620|johab|hp-roman8"
)
"""What mail is written in, as the library calls it. The library has others, that turn bytes into other bytes or write
letters as several others (UTF-7): none of those is honoured."""

_WRONG = re.compile("[\\x00\\ud800-\\udfff]")


def decoded(data: bytes, charset: str) -> str:
    """`data` as text: by the named charset if it is one of mail and fits, else by UTF-8, else by Windows-1252. What
    cannot be read, and NUL, becomes U+FFFD, with which nothing is a move."""
    for name in (_codec(charset), "utf-8"):
        if name:
            try:
                return _clean(data.decode(name))
            except (UnicodeError, ValueError):
                continue
    name = _codec(charset)
    if name in ("utf-8", None, "ascii") and data.isascii() is False and _torn(data):
        return _clean(data.decode("utf-8", "replace"))
    return _clean(data.decode("cp1252", "replace"))


def _torn(data: bytes) -> bool:
    """UTF-8 that was cut within a letter, or has a few wrong bytes."""
    text = data.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    return wrong * 4 < sum(1 for letter in text if not letter.isascii())


def _codec(charset: str) -> str | None:
    try:
        name = codecs.lookup(charset.strip().strip("\"'")[:60]).name if charset else None
    except (LookupError, ValueError, UnicodeError):
        return None
    return name if name is not None and _KNOWN.fullmatch(name) else None


def _clean(text: str) -> str:
    return _WRONG.sub("\ufffd", text.removeprefix("\ufeff"))


def unflowed(lines: Iterable[str], delsp: bool) -> Iterator[str]:
    """Whole lines: one that ends with a blank goes on in the next, if that is quoted as deep and no signature."""
    begun: list[str] = []
    depth = -1
    for line in lines:
        deep = len(line) - len(line.lstrip(">"))
        text = line[deep:]
        text = text.removeprefix(" ")  # put there so that nothing is mistaken for a sign
        mark = text == "-- "
        if begun and (deep != depth or mark):
            yield _quoted("".join(begun), depth)
            begun.clear()
        if text.endswith(" ") and not mark:
            begun.append(text[:-1] if delsp else text)
            depth = deep
        else:
            yield _quoted("".join([*begun, text]), deep)
            begun.clear()
    if begun:
        yield _quoted("".join(begun), depth)


def _quoted(text: str, depth: int) -> str:
    return f"{'>' * depth} {text}" if depth else text
