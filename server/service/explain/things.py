"""What quarters, the river, supplies and stocks are good for, in whole sentences; and the rule behind each word."""

from __future__ import annotations

from collections.abc import Mapping

from server.engine.rulesets import Rules
from server.engine.ulm1.notation import Move
from server.engine.ulm1.tables import (
    CATHEDRAL_KINDS,
    CHRONICLE,
    COATS,
    COLORS,
    DESCENDANTS,
    QUARTER_INDEX,
    TOWER,
    TRADE_KINDS,
)
from server.language import gettext as _
from server.language import in_word, listing
from server.service.explain import game_words

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


def rule_of(word: str) -> str | None:
    """The rule of a piece by its name in the notation (`gray`, `tillage`, `abbot`, a coat such as `N1`); None for
    none."""
    return _NAMES.get(word.partition("-")[0])


def rule_of_move(played: Move) -> str | None:
    """The rule that tells most about a move: of a seal the privilege, of a card played the card; None for what is
    none."""
    verb, *rest = played or ("",)
    if verb == "levy":
        return "V8" if rest else "V9"
    if verb in ("seal", "play", "descendant") and rest and (named := rule_of(rest[0])):
        return named
    return _VERBS.get(verb)


COAT_QUARTERS = ("leaning_house", "garden")  # Quarters that bring coats of arms (Q1)


def _in_words(rules: Rules) -> dict[str, str]:
    return {name: in_word(value) for name, value in vars(rules).items() if isinstance(value, int)}


def privilege(rules: Rules, quarter: str) -> str:
    """What a seal in a quarter brings at once (§7). Raises `KeyError` for another name."""
    return game_words.text("privilege", quarter, None, **_in_words(rules))


def coat_of_arms() -> str:
    """What a coat of arms brings and costs (W1–W4)."""
    return game_words.text("thing", "coat_of_arms")


def shield(rules: Rules, quarter: str) -> str:
    """What the shield of a quarter is for (W5). Raises `KeyError` for another name."""
    return game_words.text("thing", "shield", num=rules.crest_vp[QUARTER_INDEX[quarter]])


def danube() -> str:
    """What the spaces of the river are worth (D1)."""
    return game_words.text("thing", "danube")


def arrivals(rules: Rules) -> str:
    """What whoever arrives on one of the last spaces gets (D4, D3)."""
    words = game_words.words(rules)
    bonus = sorted(rules.space_bonus.items())
    gifts = listing([_("%(space)s: %(what)s", space=space, what=words[f"bonus_{gift}"]) for space, gift in bonus])
    return f"{gifts}. {game_words.text('thing', 'arrivals')}"


def supply(rules: Rules) -> tuple[tuple[str, str], ...]:
    """What each kind in a supply is called and what it is for, as they lie on the mat (A3, A5, E2, L2, W4)."""
    return _pairs("supply", _in_words(rules))


def stock(rules: Rules) -> tuple[tuple[str, str], ...]:
    """What lies beside the square: docks (L2, L3), bag (L1), cards (A3, L5) and coats of arms (Q1)."""
    first, second = (game_words.quarter(name, rules) for name in COAT_QUARTERS)
    return _pairs("stock", {"first": first, "second": second})


def _pairs(kind: str, values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((_(name), _(text) % values) for name, text in game_words.TEXTS[kind].values())
