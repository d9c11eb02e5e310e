"""The bots that fill seats, by name: those that need time are asked by a job (`play/bot_turns`)."""

from __future__ import annotations

from typing import Annotated, TypedDict

from bots import offers
from bots.offers import Offer
from bots.rules_of_thumb import Rule, play_random, play_steady
from server.language import LANGUAGES, catalogue, current
from server.service.common import naming

AT_ONCE: dict[str, Rule] = {"random": play_random, "apprentice": play_steady, "steady": play_steady}
"""The bots that answer at once."""
CHOSEN_FIRST = "apprentice"  # Who plays where nobody has chosen
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


def level(bot: str | None) -> int | None:
    """How well a bot of this name plays, as `listing` has it; None for people, bots with accounts, what is not here."""
    offer = None if bot is None else offers.find(bot)
    return None if offer is None else offer.level


def described(offer: Offer, code: str | None = None) -> str:
    """How well a bot plays, in a few words that begin with its name; of another package's bot that alone."""
    if offer.name in naming.LEVELS:
        return str(catalogue.of(code or current()).gettext(naming.LEVELS[offer.name]))
    return label(offer, code)


def label(offer: Offer, code: str | None = None) -> str:
    """What a bot is called, in the language in force (or in `code`)."""
    if offer.name in naming.BOTS:
        return naming.spoken(naming.server_name(offer.name), code)
    return offer.labels.get(code or current(), offer.labels["en"])


class ListedBot(TypedDict):
    """A bot."""

    name: Annotated[str, "By which it is seated."]
    labels: Annotated[dict[str, str], "What people call it, by language; `en` is always there."]
    descriptions: Annotated[dict[str, str], "How well it plays, by language, as the pages say it where one is chosen."]
    level: Annotated[int, "0 plays at random, 1 apprentice, 2 journeyman, 3 master; others up to 9."]
    seconds: Annotated[float, "The longest that it thinks in a turn."]
    at_once: Annotated[bool, "It answers with the move before it."]
    served_by: Annotated[str, "This server, or the package that brings it."]


def listing() -> list[ListedBot]:
    """Every bot, those of the house first, from the weakest on."""
    return [
        {
            "name": offer.name,
            "labels": {code: label(offer, code) for code in LANGUAGES},
            "descriptions": {code: described(offer, code) for code in LANGUAGES},
            "level": offer.level,
            "seconds": float(offer.seconds),
            "at_once": offer.name in AT_ONCE,
            "served_by": offer.by,
        }
        for offer in offers.known().values()
    ]
