"""Every word on the board, by language and ruleset: one `Words` for each of the two (`words_of`).

English stands in `words.json`, by kinds; other languages in the catalogues, where the context of a text is its kind
(`board colors`). Names of things are keyed by their name in the notation. Texts with `{}` are formatted by their one
user; `$rounds` is what the ruleset says. Where that is not enough, a ruleset brings words of its own (`Ruleset.words`).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

from server.engine import rulesets
from server.engine.rulesets import Rules
from server.language import LANGUAGES, catalogue


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
    privileges_short: Mapping[str, str]  # what fits into a quarter on the page of a game; its title says the whole
    descendants: Mapping[str, str]
    descendant_effects: Mapping[str, str]
    tower: Mapping[str, str]
    tower_effects: Mapping[str, str]
    cards: Mapping[str, str]
    phases: Mapping[str, str]
    pending: Mapping[str, str]
    labels: Mapping[str, str]
    short_labels: Mapping[str, str]  # heads of narrow columns

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
        return self.labels.get(label) or self.short_labels[label]


@cache
def _english() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((files("server.board") / "words.json").read_text("utf-8"))
    return found


@cache
def words_of(language: str, rules: Rules = rulesets.NEWEST) -> Words:
    """Return the words of a language code; raises `ValueError` for one that the board does not speak."""
    if language not in LANGUAGES:
        raise ValueError(f"the board speaks {', '.join(LANGUAGES)}, not {language!r}")
    texts, own = catalogue.of(language), rules.words.get(language, {})

    def told(kind: str, english: dict[str, str]) -> dict[str, str]:
        spoken = {name: str(texts.pgettext(f"board {kind}", text)) for name, text in english.items()}
        return {name: Template(text).substitute(vars(rules)) for name, text in {**spoken, **own.get(kind, {})}.items()}

    kinds = {kind: told(kind, english) for kind, english in _english().items()}
    if rules.chronicle_seal_price != 1:
        kinds["labels"]["credit_seal_at_1"] = kinds["labels"]["credit_seal_priced"]
    seats = tuple(kinds.pop("seats").values())
    return Words(rules, seats=seats, **kinds)
