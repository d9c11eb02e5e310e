"""The bots that can be seated here."""

from __future__ import annotations

from typing import Annotated, TypedDict

from bots import offers
from server.language import LANGUAGES
from server.service.games.bots import AT_ONCE, described, label


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
