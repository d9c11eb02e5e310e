"""Where words stand in the rules: the chapters as they are told, taken apart into their paragraphs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

_MOST = 25
_SHOWN = 240
_WORDS = 8
"""So many words of a query are looked for."""
_LONGEST = 40
_RULE = re.compile(r"§?\s*([a-z]\d{1,2})", re.IGNORECASE)
_PIECE = re.compile(r'<svg[^>]*class="piece".*?(?:<title>(.*?)</title>.*?)?</svg>', re.DOTALL)
_UNREAD = re.compile(r"<svg.*?</svg>", re.DOTALL)
_MARKS = re.compile(r"<small\b.*?</small>", re.DOTALL)  # the ids of the rules that are told
_APART = re.compile(r"(</?(?:li|p|dt|h[2-4]|figcaption|tr|ul)\b[^>]*>|</dd>)")
_ID = re.compile(r'\bid="([^"]+)"')


class Paragraph(NamedTuple):
    """A piece of text of a chapter, the nearest place that a link can lead to, and the rules that it tells."""

    chapter: str
    anchor: str
    text: str
    rules: tuple[str, ...]
    heading: str


class _Reader:
    """Collects the paragraphs of a chapter; pictures of pieces count by their titles."""

    def __init__(self, chapter: str, html: str) -> None:
        self.chapter, self.anchor, self.heading = chapter, chapter, ""
        self.found: list[Paragraph] = []
        self._tag, self._words, self._rules = "", "", list[str]()
        self._depth = self._since = 0  # of lists: here, and where the heading stands
        drawn = _UNREAD.sub("", _PIECE.sub(lambda piece: f" {piece[1] or ''} ", html)).replace("</th>", "</th> ")
        for number, part in enumerate(_APART.split(drawn)):
            if number % 2:
                self._at(part.strip("</>").split()[0], part.startswith("</"))
            else:
                self._words += _MARKS.sub(" ", part)
            for name in _ID.findall(part):
                if name.startswith("rule-"):
                    self._rules.append(name.removeprefix("rule-"))
                else:
                    self.anchor = name
        self._finish()

    def _at(self, tag: str, closing: bool) -> None:
        """A tag of a paragraph or a list; a term (dt) and what is said about it are one paragraph."""
        self._words += " "
        if tag == "ul":
            self._depth += -1 if closing else 1
            if self._depth < self._since:  # the heading was that of a row
                self.heading, self._since = "", 0
        elif not closing or tag != "dt":
            self._finish()
            self._tag = "" if closing else tag

    def _finish(self) -> None:
        text = " ".join(Markup(self._words).striptags().split())  # noqa: S704 - no HTML is left
        if self._rules:
            self.anchor = f"rule-{self._rules[0]}"
        if self._tag.startswith("h") and text:
            self.heading, self._since = (text if self._tag != "h2" else ""), self._depth
        elif text:
            self.found.append(Paragraph(self.chapter, self.anchor, text, tuple(self._rules), self.heading))
        self._tag, self._words, self._rules = "", "", []


@lru_cache(maxsize=256)  # of as many chapters as there are in all languages
def _paragraphs(chapter: str, html: str) -> tuple[tuple[Paragraph, str], ...]:
    """The paragraphs of a chapter, each with what is searched of it."""
    return tuple((one, _plain(f"{one.heading} {one.text}")) for one in _Reader(chapter, html).found)


def _plain(text: str) -> str:
    """Without capitals and accents, so that `Munzmeister` finds `Münzmeister`."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def found(chapters: Mapping[str, str], query: str) -> list[Paragraph]:
    """The paragraphs that tell that rule, or in which a word begins with each word of `query`: headings first."""
    asked = _RULE.fullmatch(query.strip())
    every = [paragraph for chapter, html in chapters.items() for paragraph in _paragraphs(chapter, html)]
    if asked and (telling := [one for one, _text in every if asked[1].upper() in one.rules]):
        return [_shortened(one) for one in telling]
    wanted = [re.compile(rf"\b{re.escape(word)}") for word in words(query)]
    if not wanted:
        return []
    ranked = []
    for place, (one, text) in enumerate(every):
        near = _near(wanted, text)
        if near is not None:
            ranked.append((near > len(one.heading) + 40, place, one))
    return [_shortened(one) for _, _, one in sorted(ranked)[:_MOST]]


def words(query: str) -> list[str]:
    """What is looked for: the words of a query without capitals and accents, each once. A single letter may stand for a
    sentence of many (U+FDFA is one of four words), so that there is a limit to them after that."""
    return [word[:_LONGEST] for word in dict.fromkeys(_plain(query).split())][:_WORDS]


def _near(wanted: list[re.Pattern[str]], text: str) -> int | None:
    """Where the last of the words begins that a text has all of; None where one of them is missing."""
    near = 0
    for pattern in wanted:
        hit = pattern.search(text)
        if hit is None:
            return None
        near = max(near, hit.start())
    return near


def _shortened(one: Paragraph) -> Paragraph:
    text = one.text if len(one.text) <= _SHOWN else one.text[: _SHOWN - 1].rsplit(" ", 1)[0] + " …"
    return one._replace(text=text)
