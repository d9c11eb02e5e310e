"""Every word on the board, by language. A language is one `Words`; `WORDS` lists those that there are.

Names of things are keyed by their name in the notation. Texts with `{}` are formatted by their one user.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from server.board import words_de, words_en, words_it


@dataclass(frozen=True, eq=False)  # one object for each language
class Words:
    """The words of one language."""

    colors: Mapping[str, str]
    actions: Mapping[str, str]  # what a tile of each colour lets one do, in a few words
    seats: tuple[str, ...]
    quarters: Mapping[str, str]
    privileges: Mapping[str, str]
    descendants: Mapping[str, str]
    descendant_effects: Mapping[str, str]
    tower: Mapping[str, str]
    tower_effects: Mapping[str, str]
    cards: Mapping[str, str]
    phases: Mapping[str, str]
    pending: Mapping[str, str]
    labels: Mapping[str, str]

    def card(self, name: str) -> str:
        """Return the name of a card without its colours: `nave-1` is "Nave", `fustian-gray` is "Fustian"."""
        return self.cards[name.partition("-")[0]]

    def __getitem__(self, label: str) -> str:
        return self.labels[label]


def _words(source: object) -> Words:
    return Words(**{name: getattr(source, name.upper()) for name in Words.__dataclass_fields__})


WORDS: Mapping[str, Words] = {"en": _words(words_en), "de": _words(words_de), "it": _words(words_it)}


def words_of(language: str) -> Words:
    """Return the words of a language code; raises `ValueError` for one that the board does not speak."""
    try:
        return WORDS[language]
    except KeyError:
        raise ValueError(f"the board speaks {', '.join(WORDS)}, not {language!r}") from None
