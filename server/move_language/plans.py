"""Plans: `if N2 is open: push N2, money; else push N3, end`, in every language."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.language import gettext as _
from server.move_language.conditions import condition
from server.move_language.numbering import Lists
from server.move_language.parts import UnreadableError, beginning, moves, of_the_game, separator
from server.move_language.program import Plan, Play
from server.move_language.writing import words

IFS_MOST = 8
_IF, _ELSE = beginning("IF"), beginning("ELSE")
_BODY = re.compile(r"\s*:\s*")
_COMMA = re.compile(r"\s*[,;]\s*")


def is_plan(line: str) -> bool:
    """Whether a line begins with `if`."""
    return _IF.match(line) is not None


def is_else(line: str) -> bool:
    """Whether a line begins with `else`."""
    return _ELSE.match(line) is not None


def plan(rules: Rules, numbered: Sequence[Move], line: str) -> Plan | None:
    """The plan that a line is, with its `else` if it stands there; None for prose that begins with `if`.

    Raises `UnreadableError`.
    """
    return _Planner(rules, numbered).line(line)


def alternative(rules: Rules, numbered: Sequence[Move], line: str) -> tuple[Play | Plan, ...] | None:
    """What a line that begins with `else` says; None for prose. Raises `UnreadableError`."""
    found = _ELSE.match(line)
    if found is None or not found[2].strip():
        raise UnreadableError(_("Write what is to be done behind “else”, in the same line."))
    return _Planner(rules, numbered).alternative(found[2])


def with_alternative(before: Plan, no: tuple[Play | Plan, ...]) -> Plan | None:
    """`before` with an `else` that was still missing at its end; None when there is no place for one."""
    if any(isinstance(step, Plan) for step in before.yes):
        return None
    if not before.no:
        return Plan(before.condition, before.yes, no)
    [*_rest, last] = before.no
    if len(before.no) > 1 or not isinstance(last, Plan):
        return None
    inner = with_alternative(last, no)
    return None if inner is None else Plan(before.condition, before.yes, (inner,))


class _Planner:
    def __init__(self, rules: Rules, numbered: Sequence[Move]) -> None:
        self._rules, self._numbered = rules, numbered

    def line(self, line: str) -> Plan | None:
        chunks = separator("ELSE", r"[\s,;.]{0,9}").split(line)
        head, body = _parted(chunks[0])
        prose = ":" not in line and not of_the_game(self._rules, words(head)) and not self._means_moves(body)
        if prose and condition(self._rules, head) is None:
            return None
        if len(re.findall(rf"\b(?:{_words_of(_IF)})\b", line, re.IGNORECASE)) > IFS_MOST:
            raise UnreadableError(_("These are too many conditions for one line."))
        return self._plan(chunks, 1)

    def alternative(self, text: str) -> tuple[Play | Plan, ...] | None:
        chunks = separator("ELSE", r"[\s,;.]{0,9}").split(text)
        if not is_plan(chunks[0]) and len(chunks) == 1:
            found = moves(self._rules, self._numbered, chunks[0], Lists())
            return None if found is None else tuple(found)
        return self._branch(chunks, 1)

    def _means_moves(self, text: str) -> bool:
        try:
            return bool(text) and moves(self._rules, self._numbered, text, Lists()) is not None
        except UnreadableError:
            return True

    def _plan(self, chunks: list[str], depth: int) -> Plan:
        if depth > 2:
            raise UnreadableError(_("An “if” may stand in another one, but not deeper."))
        head, body = _parted(chunks[0])
        if not body:
            raise UnreadableError(_("Write what is to be done behind the condition and a colon, in the same line."))
        found = condition(self._rules, head)
        if found is None:
            why = _("This is no condition: “%(text)s”. Write, say, “if N2 is open: push N2”.", text=head)
            raise UnreadableError(why, mixed=True)
        if is_plan(body):
            if len(chunks) not in (1, 3):
                raise UnreadableError(
                    _("To which “if” does this “else” belong? Write two lines, or an “else” for each.")
                )
            yes: tuple[Play | Plan, ...] = (self._plan([body, *chunks[1:2]], depth + 1),)
            rest = chunks[2:]
        else:
            yes, rest = self._moves(body), chunks[1:]
        return Plan(found, yes, self._branch(rest, depth) if rest else ())

    def _branch(self, chunks: list[str], depth: int) -> tuple[Play | Plan, ...]:
        if is_plan(chunks[0]):
            return (self._plan(chunks, depth),)
        if len(chunks) > 1:
            raise UnreadableError(_("There is one “else” too many."))
        return self._moves(chunks[0])

    def _moves(self, text: str) -> tuple[Play, ...]:
        found = moves(self._rules, self._numbered, text, Lists())
        if not found:
            raise UnreadableError(_("This is no move: “%(text)s”.", text=text), mixed=True)
        return tuple(found)


def _parted(text: str) -> tuple[str, str]:
    """`if CONDITION: MOVES` in two, at the colon, else at `then`, else at the first comma."""
    found = _IF.match(text)
    said = found[2] if found else text
    for mark in (_BODY, separator("THEN"), _COMMA):
        parts = mark.split(said, maxsplit=1)
        if len(parts) == 2:
            return parts[0], parts[1]
    return said, ""


def _words_of(pattern: re.Pattern[str]) -> str:
    """The words that `beginning` matches."""
    return pattern.pattern.partition("(")[2].partition(")")[0]
