"""Who can be invited to a table: the levels that come with the program, and bots of other packages (`ulm.bots`).

An offer says what a bot is called, how well it plays and how long its turn may take; the bot itself is made where it is
asked, never in the process of a web server.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from bots.flat import Flat
from bots.journeyman import Effort, Journeyman
from bots.master import USUAL, WIDE, Foresight, Master
from bots.rules_of_thumb import Plain, play_random, play_steady
from bots.sight import Bot
from bots.value import Value, from_json, shipped

Options = dict[str, str]


class UnknownBotError(ValueError):
    """There is no such bot, or it has no such option. The message says which there are."""


def _journeyman(options: Options) -> Bot:
    usual = Effort()
    effort = Effort(*(int(options.pop(name, number)) for name, number in zip(Effort._fields, usual, strict=True)))
    return Journeyman(effort, _learned(options))


def _master(options: Options) -> Bot:
    whole = {name: type(number)(options.pop(name, number)) for name, number in USUAL._asdict().items()}
    names = {"worlds": "worlds", "limit": "look", "first": "first", "keep": "keep"}
    effort = WIDE._replace(**{name: int(options.pop(to, getattr(WIDE, name))) for name, to in names.items()})
    return Master(Foresight(**whole), effort, _learned(options))


def _flat(options: Options) -> Bot:
    if "playouts" in options:
        return Flat(playouts=int(options.pop("playouts")))
    return Flat(seconds=float(options.pop("seconds", "0.1")))


def _learned(options: Options) -> Callable[[int], Value]:
    if "weights" not in options:
        return shipped
    value = from_json(Path(options.pop("weights")).read_text("utf-8"))
    return lambda players: value


def bot(text: str) -> Bot:
    """Return the bot of a name with options. Raises `UnknownBotError`."""
    name, _, rest = text.partition(":")
    if name not in ARENA and name not in _plugins:
        load()  # in a process that was begun for this, nobody has yet
    offer = ARENA.get(name) or _plugins.get(name)
    if offer is None:
        raise UnknownBotError(f"there is no bot {name!r}: known are {', '.join([*ARENA, *_plugins])}")
    try:
        options = dict(part.split("=", 1) for part in rest.split(",") if part)
        made = offer.make(options if name in ARENA else {**offer.options, **options})
    except ValueError as error:
        raise UnknownBotError(f"{text!r}: write NAME:OPTION=VALUE,… ({error})") from error
    if options and name in ARENA:  # a package's takes what it likes
        raise UnknownBotError(f"{name} has no option {', '.join(sorted(options))}")
    return made


log = logging.getLogger("ulm.bots")

GROUP = "ulm.bots"
"""The entry points by which a package offers bots."""
OURS = "Ulm by mail"
"""Who serves the bots that come with the program."""
SECONDS_MAX = 60.0
LABEL_MAX = 40
_NAME = re.compile(r"[a-z][a-z0-9-]{1,31}")


class BadOfferError(ValueError):
    """A package offers something that is no bot. The message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A bot that can be seated by its name. `labels` is what it is called, by language (`en` at least), `level` where
    it stands among the others (0 plays at random, 1 is the apprentice, 2 the journeyman, 3 the master), `make` makes it
    of `options`; `seconds` is how long all its decisions of a turn may take together."""

    name: str
    labels: Mapping[str, str]
    level: int
    make: Callable[[dict[str, str]], Bot]
    options: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 5.0
    by: str = OURS

    def bot(self) -> Bot:
        """Return the bot, ready to be asked."""
        return self.make(dict(self.options))


HOUSE = {
    offer.name: offer
    for offer in (
        Offer("random", {"en": "random bot"}, 0, lambda options: Plain(play_random), seconds=1.0),
        Offer("apprentice", {"en": "Apprentice"}, 1, lambda options: Plain(play_steady), seconds=1.0),
        Offer("journeyman", {"en": "Journeyman"}, 2, _journeyman, seconds=4.0),
        Offer("master", {"en": "Master builder"}, 3, _master, seconds=1.5),
    )
}
"""The bots that come with the program, from the weakest on; each takes its options out. English names: in other
languages the catalogues have them."""
ARENA = {**HOUSE, "flat": Offer("flat", {"en": "Monte Carlo"}, 0, _flat)}
"""These and the reference, which nobody is seated beside."""
OLD_NAMES = {"steady": "apprentice"}
"""What a bot was called before, as games have it stored."""
_plugins: dict[str, Offer] = {}


def known() -> dict[str, Offer]:
    """Return every bot that can be seated, by name: those of the house, then the others by level and name."""
    return {**HOUSE, **dict(sorted(_plugins.items(), key=lambda item: (item[1].level, item[0])))}


def find(name: str) -> Offer | None:
    """Return the offer of a bot by a name that may be an old one; None for a bot that is not here (any more)."""
    return known().get(OLD_NAMES.get(name, name))


def load(points: Iterable[metadata.EntryPoint] | None = None) -> list[str]:
    """Find the bots of other packages, and return their names. One that is broken is logged and left out. `points` are
    the entry points to look at, None for those that are installed. Done twice it changes nothing more."""
    found: dict[str, Offer] = {}
    for point in sorted(metadata.entry_points(group=GROUP) if points is None else points, key=lambda one: one.name):
        try:
            offer = check(point.load(), point.dist.name if point.dist is not None else point.value)
            if offer.name in found:
                raise BadOfferError(f"{found[offer.name].by} offers a bot of the name {offer.name!r}, too")
        except Exception as error:
            fields = {"entry": f"{point.name} = {point.value}", "why": f"{type(error).__name__}: {error}"[:300]}
            log.warning("a bot cannot be offered", extra={"fields": fields})
            continue
        found[offer.name] = offer
    _plugins.clear()
    _plugins.update(found)
    return list(found)


def check(given: object, by: str) -> Offer:
    """Return the offer of a package: an `Offer`, or a function that returns one. Raises `BadOfferError`."""
    offer = given() if callable(given) and not isinstance(given, Offer) else given
    if not isinstance(offer, Offer):
        raise BadOfferError("the entry point has to lead to a bots.offers.Offer, or to a function that returns one")
    if not _NAME.fullmatch(offer.name) or offer.name in ARENA or offer.name in OLD_NAMES:
        raise BadOfferError(f"{offer.name!r} cannot be the name of a bot: use 2 to 32 of a-z, 0-9 and -, and a new one")
    if "en" not in offer.labels or not all(map(_is_label, offer.labels.values())):
        raise BadOfferError(f"`labels` need English (en), and each 1 to {LABEL_MAX} characters in one line")
    if not isinstance(offer.level, int) or not 0 <= offer.level <= 9:
        raise BadOfferError("`level` is a whole number from 0 to 9")
    if not 0 < offer.seconds <= SECONDS_MAX:
        raise BadOfferError(f"`seconds` are more than 0 and at most {SECONDS_MAX:.0f}")
    if not callable(offer.make):
        raise BadOfferError("`make` has to be a function of the options")
    return Offer(offer.name, dict(offer.labels), offer.level, offer.make, dict(offer.options), offer.seconds, by)


def _is_label(text: object) -> bool:
    return isinstance(text, str) and text == text.strip() and 0 < len(text) <= LABEL_MAX and text.isprintable()
