"""The house values: what is played here where the sources of docs/rules.md say nothing (its mark [H])."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server.board.listing import card_colors
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.tables import CHRONICLE, QUARTERS, TRADE, TRADE_KINDS
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
    first_of_kind = [next(card for card in TRADE if TRADE[card][0] == kind) for kind in TRADE_KINDS]

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
                {card: words.card(card) for card in first_of_kind},
                lambda rules, card: card_facts.top(rules, card) or game_words.coins(0),
            ),
            "B6": lines({name: words.cards[name] for name in CHRONICLE if name not in _KNOWN_TOPS}, card_facts.top),
        },
    }


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
