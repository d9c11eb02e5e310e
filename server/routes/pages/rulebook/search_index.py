"""Where words stand in the rules: the chapters as they are told, taken apart into their paragraphs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from html.parser import HTMLParser
from typing import NamedTuple

_BEGIN = {"li", "p", "dt", "h2", "h3", "h4", "figcaption", "tr"}
_END = _BEGIN - {"dt"} | {"dd"}  # a term and what is said about it are one paragraph
_HEADINGS = {"h2", "h3", "h4"}
_MOST = 25
_SHOWN = 240
_WORDS = 8
"""So many words of a query are looked for."""
_LONGEST = 40
_RULE = re.compile(r"§?\s*([a-z]\d{1,2})", re.IGNORECASE)


class Paragraph(NamedTuple):
    """A piece of text of a chapter, the nearest place that a link can lead to, and the rules that it tells."""

    chapter: str
    anchor: str
    text: str
    rules: tuple[str, ...]
    heading: str


class _Reader(HTMLParser):
    """Collects the paragraphs of a chapter; pictures of pieces count by their titles."""

    def __init__(self, chapter: str) -> None:
        super().__init__()
        self.chapter = chapter
        self.found: list[Paragraph] = []
        self.heading = ""
        self._anchor = chapter
        self._words: list[str] = []
        self._rules: list[str] = []
        self._silent = 0  # within a picture, but for its title
        self._piece = self._title = False
        self._marks = False  # within the ids of the rules that are told
        self._tag = ""
        self._depth = self._since = 0  # of lists: here, and where the heading stands

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._depth += tag == "ul"
        if tag == "svg":
            self._silent += 1
            self._piece = given.get("class") == "piece"
        self._title = tag == "title" and self._piece
        self._marks = tag == "small" or (self._marks and tag in ("span", "a"))
        if tag in _BEGIN and not self._silent:
            self._finish()
            self._tag = tag
        name = given.get("id")
        if name and not self._silent:
            if name.startswith("rule-"):
                self._rules.append(name.removeprefix("rule-"))
            else:
                self._anchor = name

    def handle_endtag(self, tag: str) -> None:
        if tag == "ul":
            self._depth -= 1
            if self._depth < self._since:  # the heading was that of a row
                self.heading, self._since = "", 0
        if tag == "svg":
            self._silent -= 1
            self._piece = False
        self._title = False
        self._marks = self._marks and tag != "small"
        if tag in _END and not self._silent:
            self._finish()

    def handle_data(self, data: str) -> None:
        if self._title or not (self._silent or self._marks):
            self._words.append(data)

    def _finish(self) -> None:
        text = " ".join(" ".join(self._words).split())
        if self._rules:
            self._anchor = f"rule-{self._rules[0]}"
        if self._tag in _HEADINGS and text:
            self.heading, self._since = (text if self._tag != "h2" else ""), self._depth
        elif text:
            self.found.append(Paragraph(self.chapter, self._anchor, text, tuple(self._rules), self.heading))
        self._words, self._rules, self._tag = [], [], ""


@lru_cache(maxsize=256)  # of as many chapters as there are in all languages
def _paragraphs(chapter: str, html: str) -> tuple[tuple[Paragraph, str], ...]:
    """The paragraphs of a chapter, each with what is searched of it."""
    reader = _Reader(chapter)
    reader.feed(html)
    reader.close()
    return tuple((one, _plain(f"{one.heading} {one.text}")) for one in reader.found)


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
