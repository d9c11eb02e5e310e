"""What a mail asks for, read: steps in their order, and the words beside them; or what could not be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from server.move_language.conditions import Condition
from server.move_language.phrases import Phrase

CommandName = Literal["undo", "preview", "show", "help", "hand", "resign"]


@dataclass(frozen=True, slots=True)
class Play:
    """Play what the phrase means. `goes_on`: also behind a move that revealed something (`then` stood before it)."""

    phrase: Phrase
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """Do `yes` if the condition holds when it comes to this, else `no`. It looks at what was revealed, so it always
    goes on behind it; what stands in it does as each says."""

    condition: Condition
    yes: tuple[Play | Plan, ...]
    no: tuple[Play | Plan, ...] = ()
    goes_on: bool = True


@dataclass(frozen=True, slots=True)
class Command:
    """Something other than a move; `steps` are those of `preview`."""

    name: CommandName
    text: str
    steps: tuple[Play | Plan, ...] = ()


Step = Play | Plan | Command


@dataclass(frozen=True, slots=True)
class Program:
    """All that was read. `says` are messages to the table (`say`), a paragraph each; `other_text` is what else the
    person wrote, without greeting and signature: nothing was read out of it."""

    steps: tuple[Step, ...]
    says: tuple[str, ...] = ()
    other_text: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that begins like a move and cannot be read: the line as it was written, why in the language in force, and
    moves near to it in the notation, to be copied."""

    line: str
    why: str
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problems:
    """Nothing of the mail is to be done: some of it could not be read."""

    problems: tuple[Problem, ...]
    other_text: str = ""
