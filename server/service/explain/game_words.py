"""The game’s own words and sentences in the language in force, and the rule behind each word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

import server.language as language
from server.board.listing import card_colors
from server.board.words import Words, words_of
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.sentences import Form, Speaker, pretty
from server.engine.ulm1.tables import (
    CARDS,
    CATHEDRAL_KINDS,
    CHRONICLE,
    COATS,
    COLORS,
    DESCENDANTS,
    QUARTER_INDEX,
    TOWER,
    TRADE_KINDS,
)
from server.language import N_, catalogue, in_word, listing
from server.language import gettext as _


def words(rules: Rules = rulesets.NEWEST) -> Words:
    """The board's words in the language in force: names, and what things do under `rules`."""
    return words_of(language.current(), rules)


TEXTS: dict[str, dict[str, Any]] = orjson.loads((Path(__file__).parent / "texts.json").read_bytes())
"""Texts about pieces and moves, by kind and name (pairs: heading and text); `%(name)s` is the ruleset's, or given."""


def text(kind: str, name: str, rules: Rules | None = None, **values: object) -> str:
    """One of `TEXTS` in the language in force, filled in. Raises `KeyError`."""
    return language.gettext(TEXTS[kind][name]) % {**({} if rules is None else vars(rules)), **values}


def number_of(kind: str, name: str, number: int, **values: object) -> str:
    """The same of so many; `%(num)s` is the number."""
    one, many = TEXTS[kind][name].values()
    return language.ngettext(one, many, number, **values)


def card(rules: Rules, name: str) -> str:
    """A card with the tiles that tell it from others of its name: `Nave (Coin/Clear)`, `City Wall`."""
    return _card(words(rules), name)


_WITHOUT_ARTICLE = "tillage"  # What is the name of a work, and of no place


def quarter(name: str, rules: Rules = rulesets.NEWEST) -> str:
    """A quarter within a sentence in the language in force: `a seal in the Garden`. Raises `KeyError`."""
    return _in_sentence(language.current(), name, words(rules).quarters[name])


def _in_sentence(code: str, name: str, said: str) -> str:
    """A quarter as running text has it: in English with an article; other languages say "in the quarter …"."""
    return said if code != language.DEFAULT or name == _WITHOUT_ARTICLE else f"the {said}"


def action_tiles(color: str, number: int) -> str:
    """So many tiles by what they do, as the legend of the board says: `2 Sail tiles`."""
    name = words().tile_kinds[color]
    return language.ngettext("%(num)s %(action)s tile", "%(num)s %(action)s tiles", number, action=name)


def given(color: str) -> str:
    """What a button says by which one gives a tile of that colour."""
    return language.gettext("Give a %(action)s tile", action=words().tile_kinds[color])


def coins(number: int) -> str:
    """So many coins."""
    return number_of("counted", "coins", number)


def sparrows(number: int) -> str:
    """So many sparrows, what they are worth in the end (E2), and what one is given for (L2)."""
    return language.ngettext(
        "%(num)s sparrow: 1 VP at the end, or give it to swap the tile that you drew for one from the docks",
        "%(num)s sparrows: 1 VP each at the end, or give one to swap the tile that you drew for one from the docks",
        number,
    )


def speaker(rules: Rules, *, cards_in_short: bool = False) -> Speaker:
    """Who says the engine's sentences in the language in force; `cards_in_short`: cards without their tiles."""
    return speaker_of(language.current(), rules, cards_in_short)


class _Tile(str):
    """A tile in a sentence, `a Coin tile`, which also knows its `action` alone, as it stands beside "tile"."""

    action: str

    @classmethod
    def of(cls, phrase: str, action: str) -> _Tile:
        tile = cls(phrase % {"action": action})
        tile.action = action
        return tile


_SAYS_TILE = re.compile(r"\{(\d)\} tiles?\b|^Your tile is \{(\d)\}")
"""A sentence that says itself that what it names is a tile wants its action alone."""
_PLAINLY: dict[str, str] = orjson.loads((Path(__file__).parent / "plain_english.json").read_bytes())
"""Sentences of the engine in the page's own words. Catalogues have these by themselves; English has none."""


class _Speaker:
    """Says the engine's sentences by a catalogue, with the board's words for names, and tiles by what they do."""

    def __init__(self, code: str, rules: Rules, cards_in_short: bool) -> None:
        self._texts = catalogue.of(code)
        words = words_of(code, rules)
        phrase = str(self._texts.gettext(N_("a %(action)s tile")))
        tiles = {color: _Tile.of(phrase, words.tile_kinds[color]) for color in COLORS}
        sides = {side: str(self._texts.gettext(name)) for side, name in TEXTS["side"].items()}
        quarters = {name: _in_sentence(code, name, said) for name, said in words.quarters.items()}
        cards = {name: words.card(name) for name in CARDS} if cards_in_short else {}
        self._names: Mapping[str, str] = {**_names(words), **quarters, **sides, **tiles, **cards}

    def say(self, form: Form, number: int) -> str:
        if form.many is None:
            text = str(self._texts.gettext(form.one))
        else:
            text = str(self._texts.ngettext(form.one, form.many, number))
        text = _PLAINLY.get(text, text)
        for found in _SAYS_TILE.finditer(form.one):
            place = found[1] or found[2]
            text = text.replace(f"{{{place}}}", f"{{{place}.action}}")
        return text

    def name(self, word: str) -> str:
        return self._names.get(word) or pretty(word)

    def listing(self, words: Sequence[str]) -> str:
        said = []
        for word, number in Counter(words).items():
            if number > 1 and isinstance(word, _Tile):
                many = self._texts.ngettext("%(num)s %(action)s tile", "%(num)s %(action)s tiles", number)
                said.append(str(many) % {"num": number, "action": word.action})
            else:
                said += [word] * number
        return language.listing(said, self._texts)


@lru_cache  # 0.25 ms a page of a game
def speaker_of(code: str, rules: Rules, cards_in_short: bool = False) -> Speaker:
    """Who says the engine's sentences in a language; see `speaker`."""
    return _Speaker(code, rules, cards_in_short)


def _names(words: Words) -> Mapping[str, str]:
    """Every name of the notation; slots, and coats, which are named after slots, go by the same name everywhere."""
    return {**words.quarters, **words.descendants, **words.tower, **{name: _card(words, name) for name in CARDS}}


def _card(words: Words, name: str) -> str:
    colors = "/".join(words.action_names[color] for color in card_colors(words.rules, name))
    return f"{words.card(name)} ({colors})" if colors else words.card(name)


ACTIONS: dict[str, str] = {color: f"A{number}" for number, color in enumerate(COLORS, 1)}  # By the colour of the tile

QUARTERS: dict[str, str] = {
    "leaning_house": "Q1", "garden": "Q1", "oath_house": "Q2", "town_hall": "Q3", "reichenauer_hof": "Q4",
    "goose_tower": "Q5", "tillage": "Q6", "shipyard": "Q7",
}  # fmt: skip

_NAMES: dict[str, str] = {
    **ACTIONS,
    **QUARTERS,
    **{rule_of: f"N{number}" for number, rule_of in enumerate(DESCENDANTS, 1)},
    **{rule_of: f"V{number}" for number, rule_of in enumerate(TOWER, 1)},
    **dict.fromkeys(CATHEDRAL_KINDS, "B4"),
    **dict.fromkeys(TRADE_KINDS, "B5"),
    **dict.fromkeys(CHRONICLE, "B6"),
    **dict.fromkeys(COATS, "W1"),
}

_VERBS: dict[str, str] = {
    "draw": "T3", "pick": "V11", "keep": "N5", "swap": "L2", "push": "K2", "money": "A1", "clear": "A2", "buy": "A3",
    "play": "B2", "river": "A4", "sail": "A7", "seal": "A5", "exchange": "N6", "salvage": "V10", "end": "T3",
    "resign": "O3", "coat": "Q1", "descendant": "Q2", "coin": "Q3", "dock": "L3", "pass": "Q9", "choose": "A3",
    "search": "Q5", "take": "Q5", "barge": "D3",
}  # fmt: skip


def rule_of(word: str) -> str:
    """The rule of a piece by its name in the notation (`gray`, `tillage`, `abbot`, `N1`). Raises `KeyError`."""
    return _NAMES[word.partition("-")[0]]


def rule_of_move(played: Move) -> str | None:
    """The rule that tells most about a move: of a seal the privilege, of a card that card; None for none."""
    verb, *rest = played or ("",)
    if verb == "levy":
        return "V8" if rest else "V9"
    if verb in ("seal", "play", "descendant"):
        return rule_of(rest[0])
    return _VERBS.get(verb)


COAT_QUARTERS = ("leaning_house", "garden")  # Quarters that bring coats of arms (Q1)


def _in_words(rules: Rules) -> dict[str, str]:
    return {name: in_word(value) for name, value in vars(rules).items() if isinstance(value, int)}


def privilege(rules: Rules, quarter: str) -> str:
    """What a seal in a quarter brings at once (§7). Raises `KeyError` for another name."""
    return text("privilege", quarter, None, **_in_words(rules))


def shield(rules: Rules, quarter: str) -> str:
    """What the shield of a quarter is for (W5). Raises `KeyError` for another name."""
    return text("thing", "shield", num=rules.crest_vp[QUARTER_INDEX[quarter]])


def arrivals(rules: Rules) -> str:
    """What whoever arrives on one of the last spaces gets (D4, D3)."""
    named = words(rules)
    bonus = sorted(rules.space_bonus.items())
    gifts = listing([_("%(space)s: %(what)s", space=space, what=named[f"bonus_{gift}"]) for space, gift in bonus])
    return f"{gifts}. {text('thing', 'arrivals')}"


def supply(rules: Rules) -> tuple[tuple[str, str], ...]:
    """What each kind in a supply is called and what it is for, as they lie on the mat (A3, A5, E2, L2, W4)."""
    return _pairs("supply", _in_words(rules))


def stock(rules: Rules) -> tuple[tuple[str, str], ...]:
    """What lies beside the square: docks (L2, L3), bag (L1), cards (A3, L5) and coats of arms (Q1)."""
    first, second = (quarter(name, rules) for name in COAT_QUARTERS)
    return _pairs("stock", {"first": first, "second": second})


def _pairs(kind: str, values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((_(name), _(text) % values) for name, text in TEXTS[kind].values())
