"""Every word on the board, by language and ruleset: one `Words` for each of the two (`words_of`).

Names of things are keyed by their name in the notation. Texts with `{}` are formatted by their one user; `$rounds` is
what the ruleset says. Where that is not enough, a ruleset brings words of its own (`Ruleset.words`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from string import Template
from types import ModuleType
from typing import Any

from server.board import words_de, words_en, words_it
from server.engine import rulesets
from server.engine.rulesets import Rules

_SOURCES: Mapping[str, ModuleType] = {"en": words_en, "de": words_de, "it": words_it}


@dataclass(frozen=True, eq=False)  # one object for each language and ruleset
class Words:
    """The words of one language for the games of one ruleset."""

    rules: Rules
    colors: Mapping[str, str]
    many_colors: Mapping[str, str]  # of several tiles, or of none
    actions: Mapping[str, str]  # what a tile of each colour lets one do, in a few words
    action_names: Mapping[str, str]  # what that action is called, in a word
    tile_kinds: Mapping[str, str]  # the same as it stands beside "tile", of which German makes one word
    seats: tuple[str, ...]
    quarters: Mapping[str, str]
    privileges: Mapping[str, str]
    privileges_short: Mapping[str, str]
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

    def tiles(self, number: int, color: str) -> str:
        """Return so many tiles by what they do: "2 × Coin"."""
        return f"{number} × {self.action_names[color]}"

    def tinged(self, number: int, color: str) -> str:
        """Return so many tiles by their colour, as the number wants it: "2 grigie"."""
        return f"{number} {(self.colors if number == 1 else self.many_colors)[color]}"

    def __getitem__(self, label: str) -> str:
        return self.labels[label]


@cache
def words_of(language: str, rules: Rules = rulesets.NEWEST) -> Words:
    """Return the words of a language code; raises `ValueError` for one that the board does not speak."""
    try:
        source = _SOURCES[language]
    except KeyError:
        raise ValueError(f"the board speaks {', '.join(_SOURCES)}, not {language!r}") from None
    own = rules.words.get(language, {})

    def told(kind: str) -> Any:
        texts = getattr(source, kind.upper())
        if not isinstance(texts, dict):
            return texts
        return {name: Template(text).substitute(vars(rules)) for name, text in {**texts, **own.get(kind, {})}.items()}

    return Words(rules, **{kind: told(kind) for kind in Words.__dataclass_fields__ if kind != "rules"})


WORDS: Mapping[str, Words] = {language: words_of(language) for language in _SOURCES}
"""The languages that there are, with their words for new games."""
