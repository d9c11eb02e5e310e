"""Which lines of a mail its writer has written, and which are quoted. What cannot be told is left to the grammar."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.inbox.signs import SIGNS, pattern
from server.move_language.reply_mark import doubtful, is_reply_mark

LINES_MOST = 5000
LINE_MOST = 10_000

_SIGN = re.compile(r"[ \t]{0,3}(?:[A-Za-z]{1,4})?[>\u203a\u00bb]")
_SIGNATURE = "--"
_ATTRIBUTION_END = pattern("quotations", "by", r"(?:\b|^)(?:{}) ?:$")
_ATTRIBUTION_BEGINS = pattern("quotations", "begins")
_ATTRIBUTION_LINES = 4
_SEPARATORS = (
    pattern("quotations", "dashed", r"[ \t*]*-{2,}\s*(?:{})\s*-{2,}[ \t*]*$"),
    pattern("quotations", "announced", r"[ \t]*(?:{})\s*:\s*$"),
    re.compile(r"[ \t]*_{20,}[ \t]*$"),
)
_FROM = SIGNS["quotations"]["from"]
_FIELD = pattern("quotations", "fields", rf"[ \t*]*({'|'.join(_FROM)}|{{}})[ \t]{{0,20}}\*?[ \t]{{0,20}}:")


def own_lines(lines: Sequence[str]) -> list[str]:
    """The writer's own lines, without signature; blank ones between paragraphs are kept. Where something was quoted
    between them, a blank one stands."""
    cutter = _Cutter([line[:LINE_MOST].rstrip("\r\n\t ") for line in lines[:LINES_MOST]])
    place: int | None = 0
    while place is not None and place < len(cutter.lines):
        place = cutter.step(place)
    while cutter.own and not cutter.own[-1]:
        cutter.own.pop()
    return cutter.own


class _Cutter:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.own: list[str] = []
        self._signed = False  # in the signature: what follows is nobody's, until something is quoted again

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
        if is_reply_mark(line) or any(one.match(line) for one in _SEPARATORS) or self._is_header(place):
            return None
        if line == _SIGNATURE:
            self._signed = True
        attribution = self._attribution(place)
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

    def _is_header(self, place: int) -> bool:
        """From, Sent, To, Subject, as Outlook and others write them above what they quote."""
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

    def _attribution(self, place: int) -> int:
        """How many lines `On … wrote:` takes here; 0 when there is none."""
        line = self.lines[place][:1000]
        if not _ATTRIBUTION_BEGINS.search(line):  # it may be broken before the date or the address
            return 0
        said = ""
        for count, line in enumerate(self.lines[place : place + _ATTRIBUTION_LINES], 1):
            if not line.strip() or _SIGN.match(line):
                return 0
            said = f"{said} {line}"
            # Blanks made one, and looked at only where it can be: else the pattern is dear on runs of them.
            if line.rstrip().endswith(":") and _ATTRIBUTION_END.search(" ".join(said.split())[-400:]):
                return count
        return 0

    def _torn_off(self, place: int) -> bool:
        """Whether a line may be the end of the quoted one before it, which a mail program has broken."""
        if place == 0 or place + 1 >= len(self.lines):
            return False
        before, after = self.lines[place - 1], self.lines[place + 1]
        return bool(_SIGN.match(before) and len(before) >= 55 and _SIGN.match(after)) and len(self.lines[place]) <= 40
