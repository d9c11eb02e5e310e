"""The house values: what is played here where the sources of docs/rules.md say nothing (its mark [H])."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server.board.listing import card_colors
from server.board.words import Words
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.tables import CHRONICLE, COLORS, QUARTERS, TRADE
from server.language import gettext as _
from server.language import listing
from server.service.explain import card_facts, game_words

RULES = frozenset({"C1", "C2", "A7", "D5", "W2", "W4", "B1", "B4", "B5", "B6", "B7", "L4", "E6", "O3"})
"""The rules that bear the mark [H]; the table of docs/rules.md, section 8, stands under no rule, and goes by `8`."""
_DASH = "\u2060–\u2060"  # lines do not break at it
_TOPS_OF_ONE_SOURCE = ("first_chronicle", "ulm_sparrow")  # B6 [S1]
_KNOWN_TOPS = ("patrician", *_TOPS_OF_ONE_SOURCE)


def values() -> dict[str, Any]:
    """The newest ruleset and those of the operator, that of new games last, and by house value and name what each of
    them has. (In house values the older ones do not differ.)"""
    chosen = rulesets.for_new_games()
    older = [name for name in rulesets.built_in() if name != rulesets.NEWEST.name]
    shown = [rules for name, rules in rulesets.ALL.items() if rules is not chosen and name not in older] + [chosen]
    words = game_words.words(chosen)
    trade = card_facts.trade_groups(*shown)
    known = [name for name in _KNOWN_TOPS if all(rules.tops[name] == chosen.tops[name] for rules in shown)]

    def lines(named: dict[str, str], value: Callable[[Rules, str], str]) -> dict[str, list[str]]:
        return {name: [value(rules, key) for rules in shown] for key, name in named.items()}

    return {
        "rulesets": [rules.name for rules in shown],
        "chosen": chosen.name,
        "seats": listing(words.seats),
        "agreed_card": words.cards["patrician"],
        "cards_of_one_source": listing([words.cards[name] for name in _TOPS_OF_ONE_SOURCE]),
        "lines": {
            "C2": lines({"": _("Tiles of each colour")}, lambda rules, _key: str(rules.tiles_per_color)),
            "D5": lines({name: words.quarters[name] for name in QUARTERS}, _spaces),
            "8": lines({slot: slot for slot in chosen.coats}, _coat),
            "B4": lines({card: f"{words.card(card)} {card[-1]}" for card in chosen.cathedral}, _colours),
            "B5": lines(
                {card: words.card(card) if others else _single(words, card) for card, *others in trade},
                lambda rules, card: _top(rules, card, [card] not in trade),
            ),
            "B6": lines({name: words.cards[name] for name in CHRONICLE if name not in known}, _top),
        },
    }


def _single(words: Words, card: str) -> str:
    """A Trade card apart from the others of its kind: by the colour that the house gives it."""
    return f"{words.card(card)}, {words.colors[COLORS[TRADE[card][1]]]}"


def _top(rules: Rules, card: str, own_tile: bool = False) -> str:
    """What an upper effect brings, with the tile that it costs unless that goes without saying."""
    return card_facts.top(rules, card) if own_tile else card_facts.of_card(rules, card).played


def _spaces(rules: Rules, quarter: str) -> str:
    banks = (*rules.north_bank, *rules.south_bank)
    first, last = next((first, last) for first, last, index in banks if QUARTERS[index] == quarter)
    return f"{first}{_DASH}{last}"


def _coat(rules: Rules, slot: str) -> str:
    vp, quarter, later = rules.coats[slot]
    if quarter is None:
        return _("silver, %(vp)s VP", vp=vp)
    place = game_words.words(rules).quarters[QUARTERS[quarter]]
    return _("gold, %(vp)s VP, %(quarter)s, %(later)s VP for each later seal", vp=vp, quarter=place, later=later)


def _colours(rules: Rules, card: str) -> str:
    return " / ".join(game_words.words(rules).colors[color] for color in card_colors(rules, card))
