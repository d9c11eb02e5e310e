"""Sentences with names in them, in English, or as a `Speaker` says them: the engine knows no catalogue."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Form(NamedTuple):
    """A sentence in English, and where its number asks for another one, the plural."""

    one: str
    many: str | None = None


class Speaker(Protocol):
    """A language."""

    def say(self, form: Form, number: int) -> str:
        """The template of a sentence in this language, as `number` wants it; what is in braces stays."""

    def name(self, word: str) -> str:
        """A name of the notation (a colour, a card, a slot, a quarter …) as people write it."""

    def listing(self, words: Sequence[str]) -> str:
        """`a, b and c`; what stands for nothing for no words."""


def plain(text: str) -> Form:
    """A sentence that is the same for every number. Extraction of texts knows this name."""
    return Form(text)


def counted(one: str, many: str) -> Form:
    """A sentence with a plural. Extraction of texts knows this name."""
    return Form(one, many)


def pretty(name: str) -> str:
    """Return a name of the notation as people write it: `town_hall` is `town hall`."""
    return name.replace("_", " ")


class English:
    """The language of the source."""

    def say(self, form: Form, number: int) -> str:
        """The sentence itself."""
        return form.one if form.many is None or number == 1 else form.many

    def name(self, word: str) -> str:
        """See `pretty`."""
        return pretty(word)

    def listing(self, words: Sequence[str]) -> str:
        """`a, b and c`; 'nothing' for no words."""
        if len(words) < 2:
            return words[0] if words else "nothing"
        return ", ".join(words[:-1]) + " and " + words[-1]


ENGLISH: Speaker = English()
