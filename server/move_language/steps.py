"""What one line asks for: moves, a plan, or a command; or nothing, when it is something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.language import gettext as _
from server.move_language import plans
from server.move_language.courtesies import without_courtesy
from server.move_language.lexicon import LANGUAGES, Words
from server.move_language.numbering import Lists
from server.move_language.parts import UnreadableError, bare, beginning, is_spoiled, moves
from server.move_language.program import Command, CommandName, Plan, Play, Step
from server.move_language.writing import LONGEST, forms, words

_COMMANDS: dict[Words, CommandName] = {
    form: name
    for name in get_args(CommandName)
    for language in LANGUAGES.values()
    for text in language.COMMANDS[name]
    for form in forms(text)
}
_SAY, _PREVIEW = beginning("SAY"), beginning("PREVIEW")
_MEANT = ("undo", "resign")
"""Commands that are asked back when more stands behind them: what they do is too much to be small talk."""


@dataclass(frozen=True, slots=True)
class Else:
    """A line that begins with `else`: it belongs to the plan before it."""

    steps: tuple[Play | Plan, ...]


def said(line: str) -> str | None:
    """What a line that begins with `say` says (the rest of its paragraph follows); None for other lines."""
    found = _SAY.match(bare(line))
    return found[2].strip() if found else None


def steps_of(rules: Rules, numbered: Sequence[Move], line: str, lists: Lists) -> list[Step] | Else | None:
    """The steps of a line, an `Else`, or None when it is none of these. Raises `UnreadableError`."""
    text = bare(line)
    if len(text) > LONGEST:
        if _steps(rules, numbered, text[:LONGEST], Lists()) is not None:
            raise UnreadableError(_("This line is too long for moves. Write one move a line."))
        return None
    return _steps(rules, numbered, text, lists)


def _steps(rules: Rules, numbered: Sequence[Move], text: str, lists: Lists) -> list[Step] | Else | None:
    found = _PREVIEW.match(text)
    if found:
        return _preview(rules, numbered, text, found[2])
    command = _COMMANDS.get(without_courtesy(words(text)))
    if command is not None and command != "preview" and not is_spoiled(text):
        return [Command(command, text)]
    if plans.is_else(text):
        other = plans.alternative(rules, numbered, text)
        return None if other is None else Else(other)
    if plans.is_plan(text):
        plan = plans.plan(rules, numbered, text)
        return None if plan is None else [plan]
    for form, name in _COMMANDS.items():
        if name in _MEANT and words(text)[: len(form)] == form:
            raise UnreadableError(_("Write “%(command)s” on a line of its own if you mean that.", command=name))
    plays = moves(rules, numbered, text, lists)
    return None if plays is None else list(plays)


def _preview(rules: Rules, numbered: Sequence[Move], text: str, rest: str) -> list[Step]:
    if not rest.strip():
        raise UnreadableError(_("Write the moves to look at behind “preview”, in the same line."))
    if plans.is_plan(rest):
        plan = plans.plan(rules, numbered, rest)
        inner: Sequence[Play | Plan] | None = None if plan is None else [plan]
    else:
        inner = moves(rules, numbered, rest, Lists())
    if not inner:
        raise UnreadableError(_("This is no move: “%(text)s”.", text=rest[:LONGEST]), mixed=True)
    return [Command("preview", text, tuple(inner))]
