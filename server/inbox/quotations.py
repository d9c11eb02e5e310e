"""Which lines of a mail its writer has written, and which are quoted. What cannot be told is left to the grammar.

What programs put above a quotation is known by its shape, in whatever language: a date or an address that ends in a
colon or stands between dashes, or a block of fields. Their words help only where the shape does not tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from server.inbox.signs import SIGNS, pattern
from server.move_language.reply_mark import doubtful, is_reply_mark
from server.move_language.writing import visible

LINES_MOST = 5000
LINE_MOST = 10_000

_SIGN = re.compile(r"[ \t]{0,3}(?:(?:[A-Za-z]{1,4})?[>\u203a\u00bb]|\|(?:[ \t]|$))")
_SIGNATURE = "--"
_ATTRIBUTION_END = pattern("quotations", "by", r"(?:\b|^)(?:{}) ?:$")
_ATTRIBUTION_BEGINS = pattern("quotations", "begins")
_ATTRIBUTION_LINES = 4
_BROKEN_AT = 25  # programs break no lines that are shorter
_SEPARATORS = (
    pattern("quotations", "dashed", r"[ \t*]*-{2,}\s*(?:{})\s*-{2,}[ \t*]*$"),
    pattern("quotations", "announced", r"[ \t]*(?:{})\s*:\s*$"),
    re.compile(r"[ \t]*_{20,}[ \t]*$"),
)
_FROM = SIGNS["quotations"]["from"]
_FIELD = pattern("quotations", "fields", rf"[ \t*]*({'|'.join(_FROM)}|{{}})[ \t]{{0,20}}\*?[ \t]{{0,20}}:")

_LINE_SEEN = 1000  # so much of a line is looked at for what follows
_ADDRESS = re.compile(r"[^\s<>@\[\]()]{1,64}@[\w.-]{1,253}\w")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DATE = re.compile(rf"{_YEAR.pattern}|(?<!\d)\d{{1,2}}([./-])\d{{1,2}}\1(?:\d\d)?(?!\d)")
_TIME = re.compile(r"(?<!\d)\d{1,2}[:.\u6642\u65f6]\d\d(?!\d)")
_COLON = (":", "\uff1a")
_SENDER = re.compile(r"[^<>]{0,100}<[^\s<>@]{1,64}@[^\s<>@]{1,253}>[^\w<>]{0,9}")
_WHEN = re.compile(r"(?=.*\d[:.]\d\d)(?=.*\d\d).{5,60}")  # alone in the line below, as Notes writes them
_DASHES = ("---", "===", "\u2014\u2014\u2014")
_RULE = re.compile(r"[-=_*~\u2014\u2500# \t]{5,}$")
_LABEL = re.compile(
    r"[ \t*\u2022]{0,9}[^\W\d](?:[^\W\d]|['\u2019./()-]){0,30}"
    r"(?:[ \u00a0\u202f][^\W\d](?:[^\W\d]|['\u2019./()-]){0,20}){0,2}"
    r"[ \t*\u00a0\u202f]{0,5}(?:\uff1a|:(?!//))"
)
_BLOCK_MOST = 12  # lines of a block of fields
_BLOCK_LEAST = 3  # fields that it has


def own_lines(lines: Sequence[str]) -> list[str]:
    """The writer's own lines, without signature; blank ones between paragraphs are kept. Where something was quoted
    between them, a blank one stands."""
    cutter = _Cutter(
        [line.rstrip("\r\n\t ") for line in _without_files(line[:LINE_MOST] for line in lines[:LINES_MOST])]
    )
    place: int | None = 0
    while place is not None and place < len(cutter.lines):
        place = cutter.step(place)
    return cutter.result()


class _Cutter:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.seen = [visible(line[:_LINE_SEEN]).rstrip() for line in lines]
        self.own: list[str] = []
        self._signed = False  # in the signature: what follows is nobody's, until something is quoted again

    def result(self) -> list[str]:
        """The own lines, without the rules that programs draw above what they quote."""
        while self.own and not (self.own[-1] and not _RULE.match(self.own[-1])):
            self.own.pop()
        return self.own

    def step(self, place: int) -> int | None:
        """Look at one line; the next to look at, None at the end of all that is the writer's."""
        line = self.lines[place]
        if not line.strip():
            self._blank()
            return place + 1
        if _SIGN.match(line):
            self._signed = False
            self._blank()
            return place + 1
        if is_reply_mark(line) or self._separates(place) or self._is_header(place):
            return None
        if line == _SIGNATURE:
            self._signed = True
        attribution = self._attribution(place) or self._shaped(place)
        if attribution:
            after = self._next_text(place + attribution)
            if after is None or not _SIGN.match(self.lines[after]):
                return None  # a quotation without signs: nobody can tell where it ends
            self._blank()
            return after
        if not self._signed:
            self.own.append(doubtful(line) if self._torn_off(place) else line)
        return place + 1

    def _blank(self) -> None:
        if self.own and self.own[-1]:
            self.own.append("")

    def _next_text(self, place: int) -> int | None:
        return next((at for at in range(place, len(self.lines)) if self.lines[at].strip()), None)

    def _separates(self, place: int) -> bool:
        """`--- Original message ---` and its likes: by their words, or by what stands between the dashes or below."""
        line = self.seen[place]
        below = self.seen[place + 1].strip() if place + 1 < len(self.seen) else ""
        if any(one.match(line) for one in _SEPARATORS) or (_SENDER.fullmatch(line) and _WHEN.fullmatch(below)):
            return True
        inner = line.strip(" \t*")
        if not inner.startswith(_DASHES) or not inner.endswith(_DASHES) or not inner.strip("-=\u2014 \t"):
            return False
        after = self._next_text(place + 1)
        if after is None:
            return _is_dated(inner)
        return _is_dated(inner) or self._is_quoted(after) or _LABEL.match(self.seen[after]) is not None

    def _is_quoted(self, place: int) -> bool:
        """Whether a quotation begins in that very line."""
        return bool(_SIGN.match(self.lines[place])) or is_reply_mark(self.lines[place]) or self._is_header(place)

    def _is_header(self, place: int) -> bool:
        """From, Sent, To, Subject, as Outlook and others write them above what they quote: by their names, or in any
        language by an address, the one date or the mark below."""
        return self._named_header(place) or self._shaped_header(place)

    def _named_header(self, place: int) -> bool:
        if not _FIELD.match(self.lines[place]):
            return False
        found = []
        for line in self.lines[place : place + 8]:
            field = _FIELD.match(line)
            if field:
                found.append(field[1].lower() in _FROM)
            elif found and not line.strip():
                break
        return len(found) >= 3 or (len(found) >= 2 and any(found))

    def _shaped_header(self, place: int) -> bool:
        following = self.seen[place + 1 : place + 3]  # the first field may be broken
        if not _LABEL.match(self.seen[place]) or not any(map(_LABEL.match, following)):
            return False
        end = place
        while end < min(len(self.lines), place + _BLOCK_MOST) and self.lines[end].strip():
            if _SIGN.match(self.lines[end]) or is_reply_mark(self.lines[end]):
                break
            end += 1
        fields = [line for line in self.seen[place:end] if _LABEL.match(line)]
        after = self._next_text(end)
        quoted = after is not None and (_SIGN.match(self.lines[after]) or is_reply_mark(self.lines[after]))
        if len(fields) < (_BLOCK_LEAST - 1 if quoted else _BLOCK_LEAST):
            return False
        dated = sum(bool(_YEAR.search(line)) for line in fields)
        return any(map(_has_address, fields)) or (dated == 1 and (bool(quoted) or len(fields) > _BLOCK_LEAST))

    def _attribution(self, place: int) -> int:
        """How many lines `On … wrote:` takes here; 0 when there is none."""
        line = self.seen[place]
        if not _ATTRIBUTION_BEGINS.search(line):  # it may be broken before the date or the address
            return 0
        said = ""
        for count, line in enumerate(self.seen[place : place + _ATTRIBUTION_LINES], 1):
            if not line.strip() or _SIGN.match(line):
                return 0
            said = f"{said} {line}"
            # Blanks made one, and looked at only where it can be: else the pattern is dear on runs of them.
            if line.endswith(_COLON) and _ATTRIBUTION_END.search(" ".join(said.split())[-400:]):
                return count
        return 0

    def _shaped(self, place: int) -> int:
        """The same of a language that is not known: lines with a date and a time or an address that end in a colon, and
        below them a quotation; or with a date and an address, whatever follows."""
        found = [False, False]
        for count, line in enumerate(self.seen[place : place + _ATTRIBUTION_LINES], 1):
            if not line.strip() or _SIGN.match(line) or is_reply_mark(line):
                return 0
            found[0] = found[0] or _is_dated(line)
            found[1] = found[1] or _has_address(line)
            if count == 1 and not any(found):
                return 0
            if line.endswith(_COLON):
                after = self._next_text(place + count)
                return count if all(found) or (after is not None and self._is_quoted(after)) else 0
            if len(line) < _BROKEN_AT:
                return 0
        return 0

    def _torn_off(self, place: int) -> bool:
        """Whether a line may be the end of the quoted one before it, which a mail program has broken."""
        if place == 0 or place + 1 >= len(self.lines):
            return False
        before, after = self.lines[place - 1], self.lines[place + 1]
        return bool(_SIGN.match(before) and len(before) >= 55 and _SIGN.match(after)) and len(self.lines[place]) <= 40


def _has_address(line: str) -> bool:
    return "@" in line and _ADDRESS.search(line) is not None


def _is_dated(line: str) -> bool:
    return bool(_DATE.search(line) or _TIME.search(line))


_ARMOR = re.compile(r"-{5}BEGIN ([A-Z0-9 ]{1,40})-{5}$")
_SIGNED = "PGP SIGNED MESSAGE"
_FILES = (
    (re.compile(r"begin [0-7]{3,4} \S"), re.compile(r"end$")),
    (re.compile(r"begin-base64 [0-7]{3,4} \S"), re.compile(r"====$")),
    (re.compile(r"=ybegin .*\bname="), re.compile(r"=yend\b")),
    (re.compile(r"\(This file must be converted with BinHex"), re.compile(r".*[^:]:$")),
)


def _without_files(lines: Iterable[str]) -> Iterator[str]:
    """The lines without what programs have written between them: files (uuencode and its likes), and what signs or
    encrypts (RFC 4880). One that is cut off goes on to the end."""
    until: re.Pattern[str] | None = None
    heading = escaped = False
    for line in lines:
        text = line.rstrip()
        armor = _ARMOR.match(text)
        if until is not None:
            until = None if until.match(text) else until
        elif armor and armor[1] == _SIGNED:
            heading = escaped = True
        elif armor:
            until, escaped = re.compile(rf"-{{5}}END {armor[1]}-{{5}}"), False
        elif heading:
            heading = bool(text)  # `Hash: SHA256`, and an empty line
        else:
            until = next((end for begin, end in _FILES if begin.match(text)), None)
            if until is None:
                yield line.removeprefix("- ") if escaped else line
