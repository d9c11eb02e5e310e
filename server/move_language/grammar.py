"""Reads a person's own lines: moves and commands in their order, or which line cannot be read.

A line is wholly moves, or wholly something else: if it begins like a move, or holds a whole one among other words,
nothing of the mail is played and the line is quoted back. Moves right beside other text may be a broken piece of it.

So it is in the first paragraph with moves, and between moves. What is no whole move in a later paragraph, or behind the
end of the turn, is a signature: nothing is read of it, and nobody is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy

from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.turn import END
from server.language import gettext as _
from server.move_language import courtesies, lines
from server.move_language.lexicon import begins, either, gathered, without_fillers
from server.move_language.lines import Numbers, UnreadableError, beginning
from server.move_language.program import Command, Phrase, Play, Problem, Problems, Program, Step
from server.move_language.reply_mark import is_doubtful, is_reply_mark
from server.move_language.writing import LONGEST, tidy, words

LINES_MOST = 300  # A mail with more lines of its own is none that plays
LETTERS_MOST = 10_000  # nor one with more letters: a turn takes some hundred
PROBLEMS_MOST = 10
LINE_MOST = 20 * LONGEST
_QUOTED = (">", "|", "\u203a", "\u00bb")
_WORD_AT_END = re.compile(rf"\b(?:{either('then')}|{either('else')})\W{{0,9}}$", re.IGNORECASE)
_OPENS = [beginning(name) for name in ("if", "else", "preview", "say")]
_NAMES_MOST = 4  # so many lines below a closing may be a signature
_BROKEN_AT = 50  # mail programs break no lines that are much shorter than that
_SHORT = 2  # so few words of prose are an exclamation or a name, and no line that was broken
_HARMLESS = ("show", "hand", "help", "preview")


def parse(own: Sequence[str], rules: Rules = rulesets.NEWEST, numbered: Sequence[Move] = ()) -> Program | Problems:
    """Read a person's own lines for a game under `rules`; `numbered` are the moves that the answered letter offers.
    Returns a `Program` (without steps where there is no move) or the `Problems`; raises nothing."""
    reader = _Reader(rules, numbered)
    sizes = [min(len(line), LINE_MOST) for line in own if line.strip()]
    if len(sizes) > LINES_MOST or sum(sizes) > LETTERS_MOST:
        return Problems((Problem("", _("Your mail is too long to be read for moves. Write moves alone.")),))
    try:
        whole = list(_joined(own))
        for line, below in zip(whole, [*whole, ""][1:], strict=True):
            reader.read(line, below)
    except _EndOfAnswerError:
        pass
    return reader.result()


class _EndOfAnswerError(Exception):
    """What follows is our own letter, or there are problems enough."""


def _joined(own: Sequence[str]) -> Iterator[str]:
    """Lines, tidy; one that ends with a comma goes on in the next, but none becomes longer than a move is."""
    begun = ""
    for line in own:
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
        self._done = self._over = False  # the turn was ended, in this paragraph or in one above
        self._below = False  # something to be done stands in a paragraph above
        self._signed = self._foot = False  # a line of a signature stands above, or above in this paragraph
        self._passed_over = False  # something else than a closing and a name was taken for a signature
        self._pending: list[Problem] = []  # what cannot be read of it: asked back if moves follow
        self._numbers = Numbers()
        self._beside = _Beside()

    def result(self) -> Program | Problems:
        """What was read."""
        other = "\n".join(self._other).strip()
        if problem := self._numbers.problem():
            self._problems.append(problem)
        if self._problems:
            return Problems(tuple(self._problems[:PROBLEMS_MOST]), other)
        says = (" ".join(filter(None, said)) for said in self._says)
        return Program(tuple(self._steps), tuple(filter(None, says)), other, self._passed_over)

    def read(self, line: str, below: str) -> None:
        """One more line, and what stands below it. Raises `_EndOfAnswerError` where no more is to be read."""
        if is_reply_mark(line) or len(self._problems) > PROBLEMS_MOST:
            raise _EndOfAnswerError
        if self._saying and (courtesies.is_of_program(line) or courtesies.begins_signature(line, below)):
            self._saying = False
        if not line or line.startswith(_QUOTED) or is_doubtful(line):
            self._beside.nothing()
        if not line:
            self._saying = self._foot = False
            self._over, self._below = self._done, bool(self._steps or self._says)
            if self._other and self._other[-1]:
                self._other.append("")
        elif line.startswith(_QUOTED):
            self._saying = False
        elif is_doubtful(line):
            self._saying = False
            self._doubt(line[2:])
        elif self._saying:
            self._says[-1].append(line)
        else:
            self._unquoted(line)

    def _doubt(self, line: str) -> None:
        """Nothing is played of such a line; it is asked back if it would be read."""
        try:
            read = lines.steps_of(self._rules, self._numbered, line, Numbers())
            found = read is not None or lines.said(line) is not None
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
        numbers = copy(self._numbers)
        try:
            said = None if self._signed else lines.said(line)
            if said is not None:
                self._wrapped(self._beside.say(line))
                self._says.append([said])
                self._saying = True
                return
            found = lines.steps_of(self._rules, self._numbered, line, numbers)
        except UnreadableError as why:
            self._unreadable(line, why)
            return
        if found is None:
            self._text(line)
        elif self._is_of_signature(line, found):
            self._passed_over = True
        else:
            self._numbers = numbers
            self._take(line, found)

    def _unreadable(self, line: str, why: UnreadableError) -> None:
        """A line that begins like a move, or holds one."""
        problem = Problem(line[:LONGEST], str(why), why.near)
        if self._closed and courtesies.may_be_name(line) and not why.mixed:
            self._closed -= 1
        elif self._over or (
            not (why.mixed or self._beside.condition())
            and (self._below or self._done or (self._closed and self._steps))
        ):
            self._pending.append(problem)
            self._passed_over = True
            self._sign()
        else:
            self._problems.append(problem)

    def _is_of_signature(self, line: str, found: Sequence[Step]) -> bool:
        """Whether moves are none: names and slogans may look like them."""
        weak = all(isinstance(one, Play) for one in found) and (
            _is_weak(line, self._rules, found) or len(without_fillers(words(line))) <= 1
        )
        return (self._over and (self._signed or weak)) or (self._foot and not self._pending)

    def _take(self, line: str, found: Sequence[Step]) -> None:
        """Moves, or a command."""
        self._wrapped(self._beside.moves(line, self._rules, found))
        self._problems += self._pending
        self._pending.clear()
        closed = self._closed and (self._steps or len(words(line)) == 1)
        if closed or (self._signed and _is_weak(line, self._rules, found)):
            doubt = _("Is this a move, or does it belong to your signature? Write your moves above your name.")
            self._problems.append(Problem(line[:LONGEST], doubt))
            return
        self._closed = 0
        self._steps += found
        self._done = self._done or any(isinstance(one, Play) and self._ends(one.phrase) for one in found)

    def _ends(self, phrase: Phrase) -> bool:
        if phrase.number is not None:
            return 1 <= phrase.number <= len(self._numbered) and self._numbered[phrase.number - 1] == END
        return phrase.meanings(self._rules) == [END]

    def _sign(self) -> None:
        """A line of a signature."""
        self._signed = self._foot = True
        self._beside.nothing()

    def _wrapped(self, line: str | None) -> None:
        """Ask back a line that may be a piece of the prose beside it."""
        if line is not None:
            why = _("Is this a move, or a piece of the sentence beside it? Leave an empty line between them.")
            self._problems.append(Problem(line[:LONGEST], why))

    def _text(self, line: str) -> None:
        """Courtesy, signature or other text."""
        may_sign = (self._below or self._done) and courtesies.may_sign(line)
        if courtesies.is_closing(line) and (self._steps or not courtesies.is_greeting(line)):
            self._closed = _NAMES_MOST
            self._beside.nothing()
            if self._done:
                self._sign()
        elif self._foot or may_sign:
            self._passed_over |= not (self._closed and courtesies.may_be_name(line))
            self._closed -= bool(self._closed)
            self._sign()
        elif self._closed and courtesies.may_be_name(line):
            self._closed -= 1
            self._beside.nothing()
        elif courtesies.is_greeting(line):
            self._beside.nothing()
        else:
            self._closed = 0
            self._other.append(line)
            if self._over:
                self._beside.nothing()
            else:
                self._wrapped(self._beside.prose(line))


class _Beside:
    """What stands right beside the line that is read. Each method is told of one more line, and answers with the line
    that has to be asked back: mail programs break long lines, and `end` or `3.` comes to stand in a line alone."""

    def __init__(self) -> None:
        self._prose = ""  # the line above, if it is prose
        self._weak = ""  # the line above, if it is moves that prose may hold
        self._moves = False  # the line above is moves
        self._listed = False  # so is the one above the weak one: they stand in a list

    def nothing(self) -> None:
        """An empty line, a greeting, something quoted."""
        self._prose = self._weak = ""
        self._moves = self._listed = False

    def condition(self) -> bool:
        """Whether the line above begins a condition."""
        return begins(words(self._prose), gathered("if")) > 0

    def moves(self, line: str, rules: Rules, found: Sequence[Step]) -> str | None:
        """Moves or a command."""
        above, listed, weak = self._prose, self._moves, _is_weak(line, rules, found)
        self.nothing()
        if all(isinstance(one, Command) and one.name in _HARMLESS for one in found):
            return None
        if _goes_on_in(above, weak):
            return line
        self._weak = line if weak else ""
        self._listed, self._moves = listed, True
        return None

    def say(self, line: str) -> str | None:
        """Something to be said."""
        above = self._prose
        self.nothing()
        return line if _goes_on_in(above, len(words(line)) == 1) else None

    def prose(self, line: str) -> str | None:
        """Other text."""
        above, size = self._weak, len(words(line))
        goes_on = size > 1 if line[:1].islower() else size > _SHORT and not self._listed
        self.nothing()
        self._prose = line
        return above if above and goes_on else None


def _goes_on_in(prose: str, weak: bool) -> bool:
    """Whether `prose` may go on in the line of moves below it."""
    if not prose:
        return False
    sequence = words(prose)
    if weak and (len(sequence) > _SHORT or courtesies.denies(sequence)):
        return True
    ends = not prose[-1].isalnum()
    if begins(sequence, gathered("if")) and prose[-1] not in ".!?":
        return True  # `if I may`, and a move below
    return not ends and (len(prose) >= _BROKEN_AT or courtesies.denies(sequence))


def _is_weak(line: str, rules: Rules, found: Sequence[Step]) -> bool:
    """Whether prose may hold just that: a number, a word, the end of the turn."""
    sequence = words(line)
    if len(sequence) <= 1 or all(word.isdigit() for word in sequence):
        return True
    if len(found) != 1:
        return False
    match found[0]:
        case Command(name):
            return name in ("undo", "resign")
        case Play(phrase):
            return any(move == END or move[0] == "pass" for move in phrase.meanings(rules))
