"""Which lines of a mail its writer has written, and which are another mail that is quoted.

What cannot be told is left to the grammar: it plays no line that it cannot wholly read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.move_language.reply_mark import doubtful, is_reply_mark

LINES_MOST = 5000
LINE_MOST = 10_000

_SIGN = re.compile(r"[ \t]{0,3}(?:[A-Za-z]{1,4})?[>\u203a\u00bb]")
_SIGNATURE = "--"
_BY = (
    r"wrote|writes|schrieb(?: .{1,200})?|hat(?: .{1,200})? geschrieben|ha scritto|a \u00e9crit|escribi\u00f3|schreef"
    r"|skrev(?: .{1,200})?|napisa\u0142\(?a?\)?"
)
_ATTRIBUTION_END = re.compile(rf"(?:\b|^)(?:{_BY}) ?:$", re.IGNORECASE)
_ATTRIBUTION_START = re.compile(
    r"^[ \t*]*(?:on|am|il|in data|le|el|op|den|em|w dniu)\b.*\d|<[^<>\s@]+@[^<>\s@]+>|\bschrieb\s+am\b|\bwrote\s*:",
    re.IGNORECASE,
)
_ATTRIBUTION_WORD = re.compile(r"[ \t]*(?:on|am|il)\b", re.IGNORECASE)
_ATTRIBUTION_LINES = 4
_SEPARATOR = re.compile(
    r"[ \t*]*-{2,}\s*(?:original(?:[ -]?(?:message|nachricht|appointment))?"
    r"|urspr\u00fcngliche\s+(?:nachricht|mail|e-mail)|weitergeleitete\s+nachricht|messaggio\s+originale"
    r"|messaggio\s+inoltrato|forwarded\s+message|reply\s+message|message\s+d'origine|mensaje\s+original"
    r")\s*-{2,}[ \t*]*$"
    r"|[ \t]*_{20,}[ \t]*$"
    r"|[ \t]*(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)|inizio messaggio inoltrato"
    r"|inizio del messaggio inoltrato)\s*:\s*$",
    re.IGNORECASE,
)
_FROM = ("from", "von", "da", "de")
_FIELD = re.compile(
    r"[ \t*]*(from|von|da|de|sent|date|gesendet|datum|inviato|data|to|an|a|cc|kopie|subject|betreff|oggetto|reply-to)"
    r"[ \t]{0,20}\*?[ \t]{0,20}:",
    re.IGNORECASE,
)


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
        if is_reply_mark(line) or _SEPARATOR.match(line) or self._is_header(place):
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
        # The line may be broken before the date or the address.
        if not (_ATTRIBUTION_START.search(line) or _ATTRIBUTION_WORD.match(line)):
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
