"""What the things in front of a player are good for, in whole sentences of the language in force: for the window that
explains one's own supply."""

from __future__ import annotations

from server.engine.rulesets import Rules
from server.language import gettext as _
from server.language import in_word


def facts(rules: Rules) -> tuple[tuple[str, str], ...]:
    """What each kind is called and what it is for: tiles (A3), coins (A5), sparrows (E2, L2), seals (A5), crests (W4).

    The order is that in which they lie on the mat.
    """
    return (
        (_("Tiles"), _("Any two buy a card when you have a Card action. One pays for the top half of many cards.")),
        (_("Coins"), _("A seal costs %(number)s.", number=in_word(rules.seal_price))),
        (
            _("Sparrows"),
            _("1 VP each at the end, or give one to swap the tile that you drew for one from the docks."),
        ),
        (
            _("Seals"),
            _("You place them in quarters, and beside gates for coats of arms. Those left over count nothing."),
        ),
        (
            _("Family crests"),
            _(
                "Each golden coat of arms takes one. It goes onto a quarter and brings VP whenever anybody "
                "places a seal there. Those left over count nothing."
            ),
        ),
    )
