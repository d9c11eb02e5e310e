"""The line at the top of a letter, above which its answer stands: nothing that follows it is read. And a sign for lines
of which nobody can tell whether their writer wrote them."""

from __future__ import annotations

from functools import cache

from server.language import LANGUAGES, N_, catalogue, gettext
from server.move_language.writing import LONGEST, words

_TEXT = N_("Answer above this line to play by mail.")
_DOUBTFUL = "\ufffc "


def reply_mark() -> str:
    """The line in the language in force; short enough that no mail program breaks it."""
    return gettext(_TEXT)


def is_reply_mark(line: str) -> bool:
    """Whether a line, without the signs of quoting, is that line in any language."""
    return len(line) <= LONGEST and words(line) in _marks()


@cache
def _marks() -> frozenset[tuple[str, ...]]:
    return frozenset(words(str(catalogue.of(code).gettext(_TEXT))) for code in LANGUAGES)


def doubtful(line: str) -> str:
    """`line` with a sign: a mail program may have broken a quoted line there. As a move it is asked back; otherwise it
    is passed over."""
    return _DOUBTFUL + line


def is_doubtful(line: str) -> bool:
    """Whether a line has that sign."""
    return line.startswith(_DOUBTFUL)
