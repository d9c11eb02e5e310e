"""Numbers before moves and in the place of them: options of the letter (`3`, `#3`), or a list (`1. push N1`)."""

from __future__ import annotations

import re
from typing import NamedTuple

from server.language import gettext as _
from server.move_language.lexicon import begins, gathered
from server.move_language.program import Problem
from server.move_language.writing import words

_NUMBER = re.compile(r"^\W{0,9}?(?P<mark>#?)\s?[(\[]?\s?(?P<number>[0-9]{1,3})\s?(?P<end>[.):\]]{0,3})[\s!.]*$")
_PREFIX = re.compile(
    r"^[(\[]?\s?(?P<number>[0-9]{1,2})(?:\s?[.):\]]{1,3}|\s{1,2}[\u2013-])\s{0,9}(?P<rest>[^\W\d].*)$", re.DOTALL
)


class Prefix(NamedTuple):
    """A number with a move behind it."""

    number: int
    rest: str


def is_bare_number(text: str) -> bool:
    """Whether `text` is a number and nothing says of what: `3`, `3.`, but neither `#3` nor `option 3`."""
    found = _NUMBER.match(text)
    return found is not None and not found["mark"]


class Lists:
    """What numbers have been seen in a mail: a person's own list and bare numbers do not go together."""

    def __init__(self) -> None:
        self._listed = 0
        self._bare = ""

    def number(self, text: str, options: int) -> int | None:
        """The option that `text` names: `3`, `3.`, `#3`, `option 3`; None when it is something else, or there is none
        such."""
        found = _NUMBER.match(text)
        if found is None:
            sequence = words(text)
            taken = begins(sequence, gathered("OPTION"))
            if not taken or len(sequence) != taken + 1 or not sequence[-1].isdigit():
                return None
            number = int(sequence[-1][:4])
        else:
            number = int(found["number"])
            if not found["mark"]:
                self._bare = self._bare or text
        return number if 1 <= number <= options else None

    def prefix(self, text: str) -> Prefix | None:
        """`1. push N1` in two."""
        found = _PREFIX.match(text)
        return Prefix(int(found["number"]), found["rest"]) if found else None

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
