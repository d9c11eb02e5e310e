"""The line at the top of a letter that can be answered: what a person writes stands above it.

Letters show `reply_mark()` as a line (a paragraph, in HTML) of its own before everything else. Whoever reads an answer
takes nothing from what follows such a line, in any language, quoted by signs or not: so the options of our own letter
are never taken for moves, however a mail program quotes it.
"""

from __future__ import annotations

from functools import cache

from server.language import LANGUAGES, N_, catalogue, gettext
from server.move_language.lexicon import Words
from server.move_language.writing import LONGEST, words

_TEXT = N_("Answer above this line to play by mail.")


def reply_mark() -> str:
    """The line in the language in force; short enough that no mail program breaks it."""
    return gettext(_TEXT)


def is_reply_mark(line: str) -> bool:
    """Whether a line, without the signs of quoting, is that line in any language."""
    return len(line) <= LONGEST and words(line) in _marks()


@cache
def _marks() -> frozenset[Words]:
    return frozenset(words(str(catalogue.of(code).gettext(_TEXT))) for code in LANGUAGES)
