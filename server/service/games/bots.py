"""The bots that fill seats, by name. How they think is in `bots`.

Those that need no time answer at once, in the transaction of whoever moved before them. All others are asked by a job
(`play/bot_turns`), in a process of its own.
"""

from __future__ import annotations

from bots import offers
from bots.offers import Offer
from bots.rules_of_thumb import Rule, play_random, play_steady
from server.language import catalogue, current
from server.service.common import naming

AT_ONCE: dict[str, Rule] = {"random": play_random, "apprentice": play_steady, "steady": play_steady}
"""The bots that answer at once."""
CHOSEN_FIRST = "apprentice"
"""Who plays where nobody has chosen."""
STAND_IN = "journeyman"
"""Who plays the turns of players who do not come: the job asks it, as it asks the bots that need time."""
STAND_IN_AT_ONCE = "apprentice"
"""Who plays the rest of a turn within a transaction, where there is no time to ask another."""


def names() -> list[str]:
    """Every name by which a bot can be seated, old ones at the end."""
    return [*offers.known(), *offers.OLD_NAMES]


def seat_name(bot: str) -> str:
    """What a bot is called at a table: of the server's own by its kind, of others in their English words."""
    offer = offers.find(bot)
    if bot in naming.BOTS or offer is None:
        return naming.server_name(bot)
    return offer.labels["en"]


def described(offer: Offer, code: str | None = None) -> str:
    """How well a bot plays, in a few words that begin with its name; of another package's bot that alone. Whoever lets
    people choose says it so."""
    if offer.name in naming.LEVELS:
        return str(catalogue.of(code or current()).gettext(naming.LEVELS[offer.name]))
    return label(offer, code)


def label(offer: Offer, code: str | None = None) -> str:
    """What a bot is called, in the language in force (or in `code`)."""
    if offer.name in naming.BOTS:
        return naming.spoken(naming.server_name(offer.name), code)
    return offer.labels.get(code or current(), offer.labels["en"])
