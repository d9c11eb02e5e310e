"""A bot of another package: it ends its turn as soon as it may, and until then plays anything."""

from __future__ import annotations

import random

from bots.offers import Offer
from bots.sight import Sight
from server.engine.ulm1.notation import Move


class Hasty:
    """Plays for one seat."""

    def choose(self, sight: Sight, rng: random.Random) -> Move:
        """Return one of `sight.legal`."""
        return next((move for move in sight.legal if move[0] == "end"), rng.choice(sight.legal))


def make(options: dict[str, str]) -> Hasty:
    """Make the bot; this one has no options."""
    return Hasty()


OFFER = Offer("hasty", {"en": "Hasty", "de": "Eilig", "it": "Frettoloso"}, 0, make, seconds=1.0)
