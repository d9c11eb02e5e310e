"""Moves that may be pieces of prose: mail programs break long lines, and `end` or `3.` comes to stand in a line alone.

    I wonder how this whole game is going to
    end.

Where only a line's place tells, it is asked back. With an empty line between, it is a move.
"""

from __future__ import annotations

from collections.abc import Sequence

from server.engine.rulesets import Rules
from server.engine.ulm1.turn import END
from server.move_language.courtesies import denies
from server.move_language.program import Command, Plan, Play, Step
from server.move_language.steps import Else
from server.move_language.writing import words

_BROKEN_AT = 50
"""Mail programs break no lines that are much shorter than that."""
_SHORT = 2
"""So few words of prose are an exclamation or a name, and no line that was broken."""
_HARMLESS = ("show", "hand", "help", "preview")


class Beside:
    """What stands right beside the line that is read, no empty one between. Each method is told of one more line, and
    answers with the line that has to be asked back, if there is one."""

    def __init__(self) -> None:
        self._prose = ""  # the line above, if it is prose
        self._weak = ""  # the line above, if it is moves that prose may hold
        self._moves = False  # the line above is moves
        self._listed = False  # so is the one above the weak one: they stand in a list

    def nothing(self) -> None:
        """An empty line, a greeting, something quoted."""
        self._prose = self._weak = ""
        self._moves = self._listed = False

    def moves(self, line: str, rules: Rules, found: Sequence[Step] | Else) -> str | None:
        """Moves, a plan or a command."""
        above, listed, weak = self._prose, self._moves, _is_weak(line, rules, found)
        self.nothing()
        if not isinstance(found, Else) and all(isinstance(one, Command) and one.name in _HARMLESS for one in found):
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
    if weak and (len(sequence) > _SHORT or denies(sequence)):
        return True
    ends = not prose[-1].isalnum()
    return not ends and (len(prose) >= _BROKEN_AT or denies(sequence))


def _is_weak(line: str, rules: Rules, found: Sequence[Step] | Else) -> bool:
    """Whether prose may hold just that: a number, a word, the end of the turn."""
    sequence = words(line)
    if len(sequence) <= 1 or all(word.isdigit() for word in sequence):
        return True
    if isinstance(found, Else) or len(found) != 1:
        return False
    match found[0]:
        case Command(name):
            return name in ("undo", "resign")
        case Play(phrase):
            return any(move == END or move[0] == "pass" for move in phrase.meanings(rules))
        case Plan():
            return False
