"""The moves of a line: parted by commas, semicolons, `then`, `and`; each in words or by its number in the letter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache

from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.language import gettext as _
from server.move_language.courtesies import is_closing, is_greeting, without_courtesy
from server.move_language.lexicon import LANGUAGES, begins, gathered, lexicon, readings, verbs, without_fillers
from server.move_language.numbering import Lists, is_bare_number
from server.move_language.phrases import Phrase, meanings, near
from server.move_language.program import Play
from server.move_language.writing import forms, readable, words

PARTS_MOST = 40
"""No turn has more moves."""
_ENDS = re.compile(r"\s*[,;]\s*|(?:(?<=[^\W\d])|(?<=[^\W\d]\d))[.!]+\s+(?!\d)")
_SPOILS = re.compile(r"[?<>=~+%@\\^$|\u2260\u00ac\ufffd\ufffc]|://|:\s*$")
"""What no move has in it. A colon may stand behind its first word: not so in the options of our letters."""
_COLON_INSIDE = re.compile(r"^\W*\w+\W+\w.*:")
_BULLETS = " \t\n*\u2022\u00b7\u25aa\u25e6\u2023\u25cf\u25cb\u2013\u2014+_-"
_AROUND = " \t\n*_"
_PROSE = 4
"""A line with more words, none of them of the game, is prose even if it begins with a word like `take`."""


_MOVE_MOST = 6
"""So many words of a line are looked at for a move among other words."""


class UnreadableError(ValueError):
    """A line begins like a move, or holds one, and cannot be read. `mixed`: there is a move among other words."""

    def __init__(self, why: str, near: tuple[str, ...] = (), mixed: bool = False) -> None:
        super().__init__(why)
        self.near = near
        self.mixed = mixed


def is_spoiled(text: str) -> bool:
    """Whether something stands in `text` that no move and no command has, so that its words are not all it says."""
    return bool(_SPOILS.search(text) or _COLON_INSIDE.search(text)) or not readable(text)


def bare(line: str) -> str:
    """A line without bullets and asterisks around it."""
    return line.lstrip(_BULLETS).rstrip(_AROUND)


def beginning(name: str) -> re.Pattern[str]:
    """Matches a line that begins with one of the languages' words; group 2 is what follows them."""
    return re.compile(rf"^\W{{0,20}}({either(name)})\b\s{{0,9}}:?\s{{0,9}}(.*)$", re.IGNORECASE | re.DOTALL)


@cache
def separator(name: str, before: str = r"\s{0,9}") -> re.Pattern[str]:
    """Matches the languages' words between two moves."""
    return re.compile(rf"{before}\b(?:{either(name)})\b\s{{0,9}}[:,]?\s{{0,9}}", re.IGNORECASE)


def either(name: str) -> str:
    """The languages' words of a list as alternatives of a pattern, the longest first."""
    texts = {text for language in LANGUAGES.values() for text in getattr(language, name)}
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))


def moves(rules: Rules, numbered: Sequence[Move], text: str, lists: Lists) -> list[Play] | None:
    """The moves that `text` is; None when it is something else altogether.

    Raises `UnreadableError` for what begins like a move, or holds one, and is not wholly moves.
    """
    found: list[Play] = []
    strange: list[str] = []
    for number, part in enumerate(part for part in _ENDS.split(text) if part.strip(" .!")):
        if number >= PARTS_MOST:
            raise UnreadableError(_("These are more moves than a turn has."))
        plays = _plays(rules, numbered, part, lists)
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
        if worded and is_bare_number(play.phrase.text):
            number = str(play.phrase.number)
            why = _("Is “%(number)s” a number of the mail? Then write “#%(number)s”.", number=number)
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
            if without_fillers(said) == said and of_the_game(rules, said[1:]) and len(meanings(rules, said)) == 1:
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
    named = of_the_game(rules, rest[1:])
    short = size <= _PROSE
    if first and begins(sequence, gathered("NOT")):
        return named  # `don't push N1`
    if sequence[0].isdigit():
        return first and (short or named)
    if begins(sequence, verbs()) or (rest and begins(rest, verbs())):
        return named or (first and (short or sequence[0] in _unmistakable()))
    if first and rest and short and (of_the_game(rules, rest) and len(rest) <= 2 and readings(rules, rest)):
        return True  # a name alone: what is to be done with it?
    return (short or named) and bool(rest) and _nearly_a_verb(rest[0]) and (first or named)


def of_the_game(rules: Rules, sequence: Sequence[str]) -> bool:
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
    for language in LANGUAGES.values():
        for verb, texts in language.VERBS.items():
            chosen = clear if verb in ("push", "clear", "buy", "seal", "salvage", "levy", "money", "swap") else others
            chosen |= {form[0] for text in texts for form in forms(text)}
    return frozenset(clear - others)


def _nearly_a_verb(word: str) -> bool:
    return len(word) > 3 and bool(get_close_matches(word, _single_verbs(), 1, 0.75))


@cache
def _single_verbs() -> tuple[str, ...]:
    return tuple(sorted({verb[0] for verb in verbs() if len(verb) == 1 and len(verb[0]) > 3}))


def _plays(rules: Rules, numbered: Sequence[Move], part: str, lists: Lists) -> list[Play] | None:
    """A part between commas: one move, or several with `then` or `and` between them. None when it is none."""
    found: list[Play] = []
    pieces = separator("THEN").split(part)
    for place, piece in enumerate(pieces):
        if not piece.strip():
            if place == 0 and len(pieces) > 1:
                continue
            return None
        phrases = _phrases(rules, numbered, piece, lists)
        if phrases is None:
            return None
        found += [Play(phrase, goes_on=place > 0 and number == 0) for number, phrase in enumerate(phrases)]
    return found


def _phrases(rules: Rules, numbered: Sequence[Move], text: str, lists: Lists) -> list[Phrase] | None:
    whole = phrase(rules, numbered, text, lists)
    if whole is not None:
        return [whole]
    pieces = separator("AND", r"\s{1,9}").split(text)
    if len(pieces) < 2 or lists.prefix(text) is not None:
        return None
    paid = phrase(rules, numbered, " ".join(pieces), lists)
    if paid is not None and {move[0] for move in paid.meanings(rules)} <= {"buy", "levy"}:
        return [replace(paid, text=text)]  # `buy gray and white`
    found = [phrase(rules, numbered, piece, lists) for piece in pieces]
    return [one for one in found if one is not None] if None not in found else None


def phrase(rules: Rules, numbered: Sequence[Move], text: str, lists: Lists) -> Phrase | None:
    """One move; None when `text` is none."""
    text = bare(text)
    if is_spoiled(text):
        return None
    number = lists.number(text, len(numbered))
    if number is not None:
        return Phrase(text, (), number)
    prefix = lists.prefix(text)
    if prefix is not None:
        inner = phrase(rules, numbered, prefix.rest, lists) if prefix.rest != text else None
        if inner is None or inner.number is not None:
            return None
        return Phrase(text, inner.words, lists.listed(prefix.number))
    sequence = without_courtesy(words(text))
    return Phrase(text, sequence) if meanings(rules, sequence) else None
