"""The game's own words and sentences in the language in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import server.language as language
from server.board.listing import card_colors
from server.board.words import WORDS, Words, words_of
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.sentences import Form, Speaker, pretty
from server.engine.ulm1.tables import CARDS
from server.language import catalogue


def words(rules: Rules = rulesets.NEWEST) -> Words:
    """The board's words in the language in force, in English where the board does not speak it: names, which are the
    same whatever the rules, and what things do under `rules`."""
    return _words(language.current(), rules)


def board_language() -> str:
    """The language in force, for drawing the board; English where the board does not speak it."""
    code = language.current()
    return code if code in WORDS else language.DEFAULT


def card(rules: Rules, name: str) -> str:
    """A card with the colours that tell it from others of its name: `Nave (gray/white)`, `City Wall`."""
    return _card(words(rules), name)


def action_tiles(color: str, number: int) -> str:
    """So many tiles by what they do, as the legend of the board says ("2 Sail tiles"): who is new does not know the
    actions by their colours."""
    name = words().action_names[color]
    return language.ngettext("%(num)s %(action)s tile", "%(num)s %(action)s tiles", number, action=name)


def speaker(rules: Rules) -> Speaker:
    """Who says the engine's sentences in the language in force; it keeps that language."""
    return speaker_of(language.current(), rules)


class _Speaker:
    """Says the engine's sentences by a catalogue (in English there is none), with the board's words for names."""

    def __init__(self, code: str, rules: Rules) -> None:
        self._texts = catalogue.of(code)
        self._names = _names(_words(code, rules))

    def say(self, form: Form, number: int) -> str:
        if form.many is None:
            return str(self._texts.gettext(form.one))
        return str(self._texts.ngettext(form.one, form.many, number))

    def name(self, word: str) -> str:
        return self._names.get(word) or pretty(word)

    def listing(self, words: Sequence[str]) -> str:
        return language.listing(words, self._texts)


@lru_cache  # 0.25 ms a page of a game
def speaker_of(code: str, rules: Rules) -> Speaker:
    """Who says the engine's sentences in a language."""
    return _Speaker(code, rules)


def _words(code: str, rules: Rules) -> Words:
    return words_of(code if code in WORDS else language.DEFAULT, rules)


def _names(words: Words) -> Mapping[str, str]:
    """Every name of the notation; slots, and coats, which are named after slots, go by the same name everywhere."""
    return {
        **words.colors,
        **words.quarters,
        **words.descendants,
        **words.tower,
        **{name: _card(words, name) for name in CARDS},
    }


def _card(words: Words, name: str) -> str:
    colors = "/".join(words.colors[color] for color in card_colors(words.rules, name))
    return f"{words.card(name)} ({colors})" if colors else words.card(name)
