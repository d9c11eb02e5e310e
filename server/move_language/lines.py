"""What one line asks for: moves (parted by commas, semicolons, `then`, `and`; in words or by their numbers in the
letter) or a command; or nothing, when it is something else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from typing import get_args

from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.language import gettext as _
from server.move_language.courtesies import is_closing, is_greeting, without_courtesy
from server.move_language.lexicon import (
    VOCABULARIES,
    Words,
    begins,
    either,
    gathered,
    lexicon,
    readings,
    verbs,
    without_fillers,
)
from server.move_language.program import Command, CommandName, Phrase, Play, Problem, Step, meanings, near
from server.move_language.writing import LONGEST, forms, readable, words

PARTS_MOST = 40  # no turn has more moves
_ENDS = re.compile(r"\s*[,;]\s*|(?:(?<=[^\W\d])|(?<=[^\W\d]\d))[.!]+\s+(?!\d)")
_SPOILS = re.compile(r"[?<>=~+%@\\^$|\u2260\u00ac\ufffd\ufffc]|://|:\s*$")
"""What no move has in it. A colon may stand behind its first word: not so in the options of our letters."""
_COLON_INSIDE = re.compile(r"^\W*\w+\W+\w.*:")
_BULLETS = " \t\n*\u2022\u00b7\u25aa\u25e6\u2023\u25cf\u25cb\u2013\u2014+_-"
_AROUND = " \t\n*_"
_PROSE = 4
"""A line with more words, none of them of the game, is prose even if it begins with a word like `take`."""
_MOVE_MOST = 6  # so many words of a line are looked at for a move among other words
_NUMBER = re.compile(r"^\W{0,9}?(?P<mark>#?)\s?[(\[]?\s?(?P<number>[0-9]{1,3})\s?(?P<end>[.):\]]{0,3})[\s!.]*$")
_PREFIX = re.compile(
    r"^[(\[]?\s?(?P<number>[0-9]{1,2})(?:\s?[.):\]]{1,3}|\s{1,2}[\u2013-])\s{0,9}(?P<rest>[^\W\d].*)$", re.DOTALL
)
_COMMANDS: dict[Words, CommandName] = {
    form: name
    for name in get_args(CommandName)
    for one in VOCABULARIES.values()
    for text in one["commands"].get(name, ())
    for form in forms(text)
}
_MEANT = ("undo", "resign")
"""Commands that are asked back when more stands behind them: what they do is too much to be small talk."""


class UnreadableError(ValueError):
    """A line begins like a move, or holds one, and cannot be read. `mixed`: there is a move among other words."""

    def __init__(self, why: str, near: tuple[str, ...] = (), mixed: bool = False) -> None:
        super().__init__(why)
        self.near = near
        self.mixed = mixed


class Numbers:
    """What numbers have been seen in a mail: a person's own list and bare numbers do not go together."""

    def __init__(self) -> None:
        self._listed = 0
        self._bare = ""

    def option(self, text: str, options: int) -> int | None:
        """The option that `text` names: `3`, `3.`, `#3`, `option 3`; None when there is none such."""
        found = _NUMBER.match(text)
        if found is None:
            sequence = words(text)
            taken = begins(sequence, gathered("option"))
            if not taken or len(sequence) != taken + 1 or not sequence[-1].isdigit():
                return None
            number = int(sequence[-1][:4])
        else:
            number = int(found["number"])
            if not found["mark"]:
                self._bare = self._bare or text
        return number if 1 <= number <= options else None

    def listed(self, number: int) -> int | None:
        """Note the number before a move. None while the list counts from 1; else it has to be that of an option."""
        if number == self._listed + 1:
            self._listed = number
            return None
        return number

    def problem(self) -> Problem | None:
        """Bare numbers beside a list of moves that was counted by hand: an empty entry of it, or an option?"""
        if self._listed and self._bare:
            why = _("Is this a number of the mail, or of your own list? Write the moves without numbers.")
            return Problem(self._bare, why)
        return None


def bare(line: str) -> str:
    """A line without bullets and asterisks around it."""
    return line.lstrip(_BULLETS).rstrip(_AROUND)


def beginning(name: str) -> re.Pattern[str]:
    """Matches a line that begins with one of the languages' words; group 2 is what follows them."""
    return re.compile(rf"^\W{{0,20}}({either(name)})\b\s{{0,9}}:?\s{{0,9}}(.*)$", re.IGNORECASE | re.DOTALL)


def _separator(name: str, before: str = r"\s{0,9}") -> re.Pattern[str]:
    """Matches the languages' words between two moves."""
    return re.compile(rf"{before}\b(?:{either(name)})\b\s{{0,9}}[:,]?\s{{0,9}}", re.IGNORECASE)


_SAY, _PREVIEW, _IF, _ELSE = (beginning(name) for name in ("say", "preview", "if", "else"))
_WITHIN_WORD = tuple("-'\u2019./&")  # `Say-So Ltd` says nothing
_THEN, _AND = _separator("then"), _separator("and", r"\s{1,9}")
_OF_A_PLAN = re.compile(rf"\s*[:,;]\s*|\b(?:{either('then')}|{either('else')})\b", re.IGNORECASE)


def said(line: str) -> str | None:
    """What a line that begins with `say` says (the rest of its paragraph follows); None for other lines."""
    found = _SAY.match(bare(line))
    if found is None or bare(line)[found.end(1) : found.end(1) + 1] in _WITHIN_WORD:
        return None
    return found[2].strip()


def steps_of(rules: Rules, numbered: Sequence[Move], line: str, numbers: Numbers) -> list[Step] | None:
    """The steps of a line, None when it is none. Raises `UnreadableError`."""
    text = bare(line)
    if len(text) > LONGEST:
        if _steps(rules, numbered, text[:LONGEST], Numbers()) is not None:
            raise UnreadableError(_("This line is too long for moves. Write one move a line."))
        return None
    return _steps(rules, numbered, text, numbers)


def _steps(rules: Rules, numbered: Sequence[Move], text: str, numbers: Numbers) -> list[Step] | None:
    found = _PREVIEW.match(text)
    if found:
        return _preview(rules, numbered, text, found[2])
    command = _COMMANDS.get(without_courtesy(words(text)))
    if command is not None and not _is_spoiled(text):
        return [Command(command, text)]
    if plan := _IF.match(text) or _ELSE.match(text):
        _refuse_plan(rules, numbered, plan[2])
        return None
    for form, name in _COMMANDS.items():
        if name in _MEANT and words(text)[: len(form)] == form:
            raise UnreadableError(
                _("Write “%(command)s” on a line of its own if you mean that.", command=name), mixed=True
            )
    plays = _moves(rules, numbered, text, numbers)
    return None if plays is None else list(plays)


def _preview(rules: Rules, numbered: Sequence[Move], text: str, rest: str) -> list[Step]:
    if not rest.strip():
        raise UnreadableError(_("Write the moves to look at behind “preview”, in the same line."))
    try:
        inner = _moves(rules, numbered, rest, Numbers())
    except UnreadableError as why:
        raise UnreadableError(str(why), why.near, mixed=True) from None
    if not inner:
        raise UnreadableError(_("This is no move: “%(text)s”.", text=rest[:LONGEST]), mixed=True)
    return [Command("preview", text, tuple(inner))]


def _refuse_plan(rules: Rules, numbered: Sequence[Move], text: str) -> None:
    """Raise `UnreadableError` unless what stands behind `if` or `else` is prose."""
    pieces = [piece for piece in _OF_A_PLAN.split(text) if piece.strip()][:PARTS_MOST]
    if _of_the_game(rules, words(text)) or any(phrase(rules, numbered, piece, Numbers()) for piece in pieces):
        raise UnreadableError(_("Conditions are not understood. Write the moves to be played, one a line."), mixed=True)


def _is_spoiled(text: str) -> bool:
    """Whether something stands in `text` that no move and no command has, so that its words are not all it says."""
    return bool(_SPOILS.search(text) or _COLON_INSIDE.search(text)) or not readable(text)


def _moves(rules: Rules, numbered: Sequence[Move], text: str, numbers: Numbers) -> list[Play] | None:
    """The moves that `text` is; None when it is something else. Raises `UnreadableError` for what is partly moves."""
    found: list[Play] = []
    strange: list[str] = []
    for number, part in enumerate(part for part in _ENDS.split(text) if part.strip(" .!")):
        if number >= PARTS_MOST:
            raise UnreadableError(_("These are more moves than a turn has."))
        plays = _plays(rules, numbered, part, numbers)
        if plays is not None:
            found += plays
        elif not (is_greeting(part) or is_closing(part) or not words(part)):
            strange.append(part)
    if strange and found:
        why = _("This is no move: “%(text)s”. Nothing is played of a line that is not wholly moves.", text=strange[0])
        raise UnreadableError(why, near(rules, strange[0], numbered), mixed=True)
    if strange:
        _refuse(rules, numbered, strange, len(words(text)))
        return None
    _refuse_loose_number(found)
    return found or None


def _refuse(rules: Rules, numbered: Sequence[Move], parts: list[str], size: int) -> None:
    """Raise `UnreadableError` if one of `parts`, none of which is a move, looks like one; `size`: words of the line."""
    for place, part in enumerate(parts):
        sequence = words(part)
        if _likely(rules, sequence, size, first=place == 0) or _holds_move(rules, sequence):
            raise UnreadableError(_why(sequence), near(rules, part, numbered))


def _refuse_loose_number(found: Sequence[Play]) -> None:
    """Raise `UnreadableError` for `push N1 and 2`: the second of two slots, or an option of the letter?"""
    worded = False
    for play in found:
        number = _NUMBER.match(play.phrase.text)
        if worded and number and not number["mark"]:
            why = _("Is “%(number)s” a number of the mail? Then write “#%(number)s”.", number=str(play.phrase.number))
            raise UnreadableError(why, mixed=True)
        worded = worded or bool(play.phrase.words)


def _holds_move(rules: Rules, sequence: tuple[str, ...]) -> bool:
    """Whether words have a whole move among them, with nothing between: `well push n1 then`. Of prose that names a verb
    and a place (`nice seal in the garden`) that cannot be said."""
    for start in range(len(sequence)):
        if not begins(sequence[start:], verbs()):
            continue
        for end in range(start + 2, min(start + _MOVE_MOST, len(sequence)) + 1):
            said = sequence[start:end]
            if without_fillers(said) == said and _of_the_game(rules, said[1:]) and len(meanings(rules, said)) == 1:
                return True
    return False


def _why(sequence: Sequence[str]) -> str:
    if re.search(r"\bo [123]\b|\bo$", " ".join(sequence)):
        return _("“O” is east in German and west in Italian: write E or W.")
    if tuple(sequence) == ("fine",):
        return _("“fine” is small talk in English: write “fine turno” to end your turn.")
    if tuple(sequence) and all(word.isdigit() for word in sequence):
        return _("This is no number of an option in the mail that you answer.")
    return _("This begins like a move, but cannot be read as one.")


def _likely(rules: Rules, sequence: tuple[str, ...], size: int, first: bool) -> bool:
    """Whether words that are no move look like one. Of prose that only its verb could betray, little is enough."""
    if not sequence:
        return False
    if sequence == ("fine",):
        return True
    rest = without_fillers(sequence)
    named = _of_the_game(rules, rest[1:])
    short = size <= _PROSE
    if first and begins(sequence, gathered("not")):
        return named  # `don't push N1`
    if sequence[0].isdigit():
        return first and (short or named)
    if begins(sequence, verbs()) or (rest and begins(rest, verbs())):
        return named or (first and (short or sequence[0] in _unmistakable()))
    if first and rest and short and (_of_the_game(rules, rest) and len(rest) <= 2 and readings(rules, rest)):
        return True  # a name alone: what is to be done with it?
    return (short or named) and bool(rest) and _nearly_a_verb(rest[0]) and (first or named)


def _of_the_game(rules: Rules, sequence: Sequence[str]) -> bool:
    """Whether slots, colours, numbers, cards or quarters are among the words."""
    if any(word.isdigit() for word in sequence):
        return True
    known = lexicon(rules)
    names = (
        known.get(tuple(sequence[start:end]), frozenset())
        for start in range(len(sequence))
        for end in (start + 1, start + 2, start + 3)
        if len(sequence[start]) > 1  # `e` is east, and Italian for `and`
    )
    return any(":" in concept for found in names for concepts in found for concept in concepts)


@cache
def _unmistakable() -> frozenset[str]:
    """First words of verbs that begin hardly any sentence but a move."""
    clear: set[str] = set()
    others: set[str] = set()
    for language in VOCABULARIES.values():
        for verb, texts in language["verbs"].items():
            chosen = clear if verb in ("push", "clear", "buy", "seal", "salvage", "levy", "money", "swap") else others
            chosen |= {form[0] for text in texts for form in forms(text)}
    return frozenset(clear - others)


def _nearly_a_verb(word: str) -> bool:
    return len(word) > 3 and bool(get_close_matches(word, _single_verbs(), 1, 0.75))


@cache
def _single_verbs() -> tuple[str, ...]:
    return tuple(sorted({verb[0] for verb in verbs() if len(verb) == 1 and len(verb[0]) > 3}))


def _plays(rules: Rules, numbered: Sequence[Move], part: str, numbers: Numbers) -> list[Play] | None:
    """A part between commas: one move, or several with `then` or `and` between them. None when it is none."""
    found: list[Play] = []
    pieces = _THEN.split(part)
    for place, piece in enumerate(pieces):
        if not piece.strip():
            if place == 0 and len(pieces) > 1:
                continue
            return None
        phrases = _phrases(rules, numbered, piece, numbers)
        if phrases is None:
            return None
        found += [Play(phrase, goes_on=place > 0 and number == 0) for number, phrase in enumerate(phrases)]
    return found


def _phrases(rules: Rules, numbered: Sequence[Move], text: str, numbers: Numbers) -> list[Phrase] | None:
    whole = phrase(rules, numbered, text, numbers)
    if whole is not None:
        return [whole]
    pieces = _AND.split(text)
    if len(pieces) < 2 or _PREFIX.match(text):
        return None
    paid = phrase(rules, numbered, " ".join(pieces), numbers)
    if paid is not None and {move[0] for move in paid.meanings(rules)} <= {"buy", "levy"}:
        return [replace(paid, text=text)]  # `buy gray and white`
    found = [phrase(rules, numbered, piece, numbers) for piece in pieces]
    return [one for one in found if one is not None] if None not in found else None


def phrase(rules: Rules, numbered: Sequence[Move], text: str, numbers: Numbers) -> Phrase | None:
    """One move; None when `text` is none."""
    text = bare(text)
    if _is_spoiled(text):
        return None
    number = numbers.option(text, len(numbered))
    if number is not None:
        return Phrase(text, (), number)
    listed = _PREFIX.match(text)
    if listed:
        inner = phrase(rules, numbered, listed["rest"], numbers)
        if inner is None or inner.number is not None:
            return None
        return Phrase(text, inner.words, numbers.listed(int(listed["number"])))
    sequence = without_courtesy(words(text))
    return Phrase(text, sequence) if meanings(rules, sequence) else None
