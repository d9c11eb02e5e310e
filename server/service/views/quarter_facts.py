"""What a quarter does for whoever places a seal there, and what the spaces of the Danube bring, in whole sentences of
the language in force: for the rules, and for the windows that explain the board."""

from __future__ import annotations

from server.engine.rulesets import Rules
from server.engine.ulm1.tables import QUARTER_INDEX
from server.language import gettext as _
from server.language import in_word, listing
from server.service.views import game_words

COATS = ("leaning_house", "garden")
"""Quarters that bring coats of arms (Q1)."""


def privilege(rules: Rules, quarter: str) -> str:
    """What a seal in a quarter brings at once (§7). Raises `KeyError` for another name."""
    coats = _("Draw two coats of arms, keep one; the other goes under the stack.")
    told = {
        "leaning_house": coats,
        "oath_house": _(
            "Choose one of the Descendants: helpers who wait there. Your seal takes their place, and they help "
            "you for the rest of the game."
        ),
        "town_hall": _("Draw a card. Then take a coin, or a tile from the docks."),
        "reichenauer_hof": _("You get 1 VP for each quarter in which you have a seal, this one included."),
        "goose_tower": _(
            "Take any card from the discard pile. Or look at the top %(number)s cards of the draw pile and "
            "keep one; the others are discarded.",
            number=in_word(rules.goose_look),
        ),
        "tillage": _(
            "Take a tile from the docks and a coin. Then sail up to %(number)s steps.",
            number=in_word(rules.tillage_steps),
        ),
        "garden": coats,
        "shipyard": _("Take a tile from the docks. You have one more card action this turn."),
    }
    return told[quarter]


def coat_of_arms() -> str:
    """What a coat of arms brings and costs (W1–W4)."""
    return _(
        "VP at once. A seal of yours goes beside its gate: each tile falling out there brings you a sparrow. "
        "Gold also costs a family crest."
    )


def shield(rules: Rules, quarter: str) -> str:
    """What the shield of a quarter is for (W5). Raises `KeyError` for another name."""
    return _(
        "Whoever has a family crest there gets %(num)s VP whenever anybody places a seal here.",
        num=rules.crest_vp[QUARTER_INDEX[quarter]],
    )


def danube() -> str:
    """What the spaces of the river are worth (D1)."""
    return _("The framed number beside your barge counts at the end.")


def arrivals(rules: Rules) -> str:
    """What whoever arrives on one of the last spaces gets (D4)."""
    words = game_words.words(rules)
    bonus = sorted(rules.space_bonus.items())
    gifts = listing([_("%(space)s: %(what)s", space=space, what=words[f"bonus_{gift}"]) for space, gift in bonus])
    return f"{gifts}. " + _("Of several steps at once only the last space counts.")  # D3
