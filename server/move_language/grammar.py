"""Reads a person's own lines: moves, plans and commands in their order, or which line cannot be read.

Nothing is guessed. A line is wholly moves, or wholly something else: if it begins like a move, or holds a whole one
among other words (`so push N1 it is`), nothing of the mail is played and the line is quoted back. Everything else is
*other text*. Moves right beside other text may be a piece of it, broken there by a mail program (`wrapped_prose`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.language import gettext as _
from server.move_language import courtesies, steps, wrapped_prose
from server.move_language.doubtful import is_doubtful, without_doubt
from server.move_language.numbering import Lists
from server.move_language.parts import UnreadableError, beginning, either
from server.move_language.plans import with_alternative
from server.move_language.program import Plan, Play, Problem, Problems, Program, Step
from server.move_language.reply_mark import is_reply_mark
from server.move_language.writing import LONGEST, tidy, words

LINES_MOST = 300
"""A mail with more lines of its own is none that plays."""
LETTERS_MOST = 20_000
"""Nor one with more letters: a turn takes some hundred."""
PROBLEMS_MOST = 10
LINE_MOST = 20 * LONGEST
_QUOTED = (">", "|", "\u203a", "\u00bb")
_WORD_AT_END = re.compile(rf"\b(?:{either('THEN')}|{either('ELSE')})\W{{0,9}}$", re.IGNORECASE)
_OPENS = [beginning(name) for name in ("IF", "ELSE", "PREVIEW", "SAY")]
_NAMES_MOST = 4
"""So many lines below a closing may be a signature."""


def parse(lines: Sequence[str], rules: Rules = rulesets.NEWEST, numbered: Sequence[Move] = ()) -> Program | Problems:
    """Read `lines`, a person's own ones without what is quoted, for a game under `rules`.

    `numbered` are the moves that the answered letter offers, in its order: what a number means, and what is suggested.
    Returns a `Program` (with no steps when there is no move in them) or the `Problems`; raises nothing.
    """
    reader = _Reader(rules, numbered)
    sizes = [min(len(line), LINE_MOST) for line in lines if line.strip()]
    if len(sizes) > LINES_MOST or sum(sizes) > LETTERS_MOST:
        return Problems((Problem("", _("Your mail is too long to be read for moves. Write moves alone.")),))
    try:
        whole = list(_joined(lines))
        for line, below in zip(whole, [*whole, ""][1:], strict=True):
            reader.read(line, below)
    except _EndOfAnswerError:
        pass
    return reader.result()


class _EndOfAnswerError(Exception):
    """What follows is our own letter, or there are problems enough."""


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """Lines, tidy; one that ends with a comma goes on in the next: programs break long ones there.

    What has become too long for a move so is joined no further: it is refused, or it is other text.
    """
    begun = ""
    for line in lines:
        text = tidy(line[:LINE_MOST])
        if begun and text and not text.startswith(_QUOTED):
            text = f"{begun} {text}"
        elif begun:
            yield begun
        begun = ""
        if _goes_on(text):
            begun = text
        else:
            yield text
    if begun:
        yield begun


def _goes_on(line: str) -> bool:
    if len(line) > LONGEST:
        return False
    if line.endswith(":"):
        return any(pattern.match(line) for pattern in _OPENS)
    if not line.endswith((",", ";")) and not _WORD_AT_END.search(line):
        return False
    return not courtesies.is_closing(line) and (not line.endswith((",", ";")) or not courtesies.is_greeting(line))


class _Reader:
    """Reads line after line."""

    def __init__(self, rules: Rules, numbered: Sequence[Move]) -> None:
        self._rules, self._numbered = rules, numbered
        self._steps: list[Step] = []
        self._says: list[list[str]] = []
        self._other: list[str] = []
        self._problems: list[Problem] = []
        self._saying = False  # in the paragraph of a `say`
        self._closed = 0  # lines below a closing that may be names yet
        self._lists = Lists()
        self._beside = wrapped_prose.Beside()

    def result(self) -> Program | Problems:
        """What was read."""
        other = "\n".join(self._other).strip()
        if problem := self._lists.problem():
            self._problems.append(problem)
        if self._problems:
            return Problems(tuple(self._problems[:PROBLEMS_MOST]), other)
        says = (" ".join(filter(None, lines)) for lines in self._says)
        return Program(tuple(self._steps), tuple(filter(None, says)), other)

    def read(self, line: str, below: str) -> None:
        """One more line, and what stands below it. Raises `_EndOfAnswerError` where no more is to be read."""
        if is_reply_mark(line) or len(self._problems) > PROBLEMS_MOST:
            raise _EndOfAnswerError
        if self._saying and (courtesies.is_of_program(line) or courtesies.begins_signature(line, below)):
            self._saying = False
        if not line or line.startswith(_QUOTED) or is_doubtful(line):
            self._beside.nothing()
        if not line:
            self._saying = False
            if self._other and self._other[-1]:
                self._other.append("")
        elif line.startswith(_QUOTED):
            self._saying = False
        elif is_doubtful(line):
            self._saying = False
            self._doubt(without_doubt(line))
        elif self._saying:
            self._says[-1].append(line)
        else:
            self._unquoted(line)

    def _doubt(self, line: str) -> None:
        """Nothing is played of such a line; it is asked back if it would be read."""
        try:
            read = steps.steps_of(self._rules, self._numbered, line, Lists())
            found = read is not None or steps.said(line) is not None
        except UnreadableError:
            found = False
        if found:
            why = _("Is this yours, or the end of the quoted line above? Leave an empty line above what you write.")
            self._problems.append(Problem(line[:LONGEST], why))

    def _unquoted(self, line: str) -> None:
        if courtesies.is_of_program(line):
            self._closed = 0
            self._beside.nothing()
            return
        try:
            said = steps.said(line)
            if said is not None:
                self._wrapped(self._beside.say(line))
                self._says.append([said])
                self._saying = True
                return
            found = steps.steps_of(self._rules, self._numbered, line, self._lists)
        except UnreadableError as why:
            if self._closed and courtesies.may_be_name(line) and not why.mixed:
                self._closed -= 1
            else:
                self._problems.append(Problem(line[:LONGEST], str(why), why.near))
            return
        if found is None:
            self._text(line)
            return
        self._wrapped(self._beside.moves(line, self._rules, found))
        if self._closed and (self._steps or len(words(line)) == 1):
            doubt = _("Is this a move, or does it belong to your signature? Write your moves above your name.")
            self._problems.append(Problem(line[:LONGEST], doubt))
        elif isinstance(found, steps.Else):
            self._alternative(line, found.steps)
        else:
            self._closed = 0
            self._steps += found

    def _wrapped(self, line: str | None) -> None:
        """Ask back a line that may be a piece of the prose beside it."""
        if line is not None:
            why = _("Is this a move, or a piece of the sentence beside it? Leave an empty line between them.")
            self._problems.append(Problem(line[:LONGEST], why))

    def _alternative(self, line: str, no: tuple[Play | Plan, ...]) -> None:
        """`else` on a line of its own belongs to the plan right before it."""
        before = self._steps[-1] if self._steps else None
        whole = with_alternative(before, no) if isinstance(before, Plan) else None
        if whole is None:
            self._problems.append(Problem(line[:LONGEST], _("This “else” has no “if” right before it.")))
        else:
            self._steps[-1] = whole

    def _text(self, line: str) -> None:
        other = len(self._other)
        self._sort(line)
        if len(self._other) > other:
            self._wrapped(self._beside.prose(line))
        else:
            self._beside.nothing()

    def _sort(self, line: str) -> None:
        """Courtesy, signature or other text."""
        if courtesies.is_closing(line) and (self._steps or not courtesies.is_greeting(line)):
            self._closed = _NAMES_MOST
        elif self._closed and courtesies.may_be_name(line):
            self._closed -= 1
        elif not courtesies.is_greeting(line):
            self._closed = 0
            self._other.append(line)
