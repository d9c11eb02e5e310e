"""The bots that can be seated here."""

from __future__ import annotations

from typing import TypedDict

from bots import offers
from server.language import LANGUAGES
from server.service.games.bots import AT_ONCE, described, label


class ListedBot(TypedDict):
    """A bot. `labels` and `descriptions` are by language; `seconds` are for all decisions of a turn."""

    name: str
    labels: dict[str, str]
    descriptions: dict[str, str]
    level: int
    seconds: float
    at_once: bool
    served_by: str


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
