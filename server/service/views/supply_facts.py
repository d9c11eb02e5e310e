"""What the things in front of a player, and those beside the square, are good for, in whole sentences of the language
in force: for the windows that explain them."""

from __future__ import annotations

from server.engine.rulesets import Rules
from server.language import gettext as _
from server.language import in_word
from server.service.views import game_words
from server.service.views.quarter_facts import COATS


def own(rules: Rules) -> tuple[tuple[str, str], ...]:
    """What each kind is called and what it is for: tiles (A3), coins (A5), sparrows (E2, L2), seals (A5), crests (W4).

    The order is that in which they lie on the mat.
    """
    return (
        (_("Tiles"), _("Any two buy a card when you have a Card action. One pays for the top half of many cards.")),
        (
            _("Coins"),
            _("A seal costs %(number)s. Left over, they count only with some cards.", number=in_word(rules.seal_price)),
        ),
        (
            _("Sparrows"),
            _("1 VP each at the end, or give one to swap the tile that you drew for one from the docks."),
        ),
        (
            _("Seals"),
            _("You place them in quarters, and beside gates for coats of arms. Those left over count for nothing."),
        ),
        (
            _("Family crests"),
            _(
                "Each golden coat of arms takes one. It goes onto a quarter and brings VP whenever anybody "
                "places a seal there. Those left over count for nothing."
            ),
        ),
    )


def common(rules: Rules) -> tuple[tuple[str, str], ...]:
    """What lies beside the square: docks (L2, L3), bag (L1), cards (A3, L5) and coats of arms (Q1)."""
    return (
        (
            _("Docks"),
            _("Quarters and cards let you take a tile from here. It is replaced from the bag at once, by chance."),
        ),
        (_("Bag"), _("All draw from it. The numbers tell what is left in it. Tiles that you give go back into it.")),
        (_("Cards"), _("Those not yet drawn, and the discard pile: cards whose top half was played, or not chosen.")),
        (
            _("Coats of arms"),
            _(
                "A seal in %(first)s or in %(second)s brings one.",
                first=game_words.quarter(COATS[0], rules),
                second=game_words.quarter(COATS[1], rules),
            ),
        ),
    )
