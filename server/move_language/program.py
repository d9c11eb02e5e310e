"""What a mail asks for, read: steps in their order, and the words beside them; or what could not be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from server.move_language.phrases import Phrase

CommandName = Literal["undo", "preview", "show", "help", "hand", "resign"]


@dataclass(frozen=True, slots=True)
class Play:
    """Play what the phrase means. `goes_on`: also behind a move that revealed something (`then` stood before it)."""

    phrase: Phrase
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """Something other than a move; `steps` are those of `preview`."""

    name: CommandName
    text: str
    steps: tuple[Play, ...] = ()


Step = Play | Command


@dataclass(frozen=True, slots=True)
class Program:
    """All that was read. `says` are messages to the table (`say`), a paragraph each; `other_text` is what else the
    person wrote, without greeting and signature: nothing was read out of it."""

    steps: tuple[Step, ...]
    says: tuple[str, ...] = ()
    other_text: str = ""

    @property
    def only_resigns(self) -> bool:
        """Whether it says that somebody resigns, and not a word more: `No, I do not want to`, broken there by a mail
        program, has `resign` in a line of its own too."""
        resigns = [isinstance(step, Command) and step.name == "resign" for step in self.steps]
        return bool(resigns) and all(resigns) and not self.says and not self.other_text


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
