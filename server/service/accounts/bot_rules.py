"""What a bot's account plays, as its owner says: a challenge within these rules is taken at once, any other refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypedDict, cast

import orjson

from server.engine.canonical import canonical_json
from server.engine.ulm1.shapes import JsonSchema, Options
from server.language import gettext as _
from server.language import listing, ngettext
from server.service.common import checks
from server.service.common.errors import bad_field

WHO = ("everybody", "owner", "nobody")
VARIANTS = ("basic", "advanced")
GAMES_MAX = 50
HOURS_MAX = 720


class BotRules(TypedDict):
    """Who may seat a bot, and in which games."""

    who: Annotated[str, "Who may seat it.", JsonSchema(enum=WHO)]
    variants: Annotated[list[Annotated[str, JsonSchema(enum=VARIANTS)]], "Without and with Tower."]
    seats: Annotated[list[int], "Numbers of players."]
    private: Annotated[bool, "Private games, too."]
    without_clock: Annotated[bool, "Games without a clock, too."]
    turn_hours_min: Annotated[int, "With a clock: so long a turn at least."]
    turn_hours_max: Annotated[int, "And so long at most."]
    games: Annotated[int, "How many at once, those included that wait for players."]


USUAL: BotRules = {
    "who": "everybody",
    "variants": list(VARIANTS),
    "seats": [2, 3, 4],
    "private": True,
    "without_clock": True,
    "turn_hours_min": 1,
    "turn_hours_max": HOURS_MAX,
    "games": 4,
}


def check(given: Mapping[str, object], before: BotRules = USUAL) -> BotRules:
    """Complete rules: those given, the rest as before. Raises `Unprocessable`."""
    if any(key not in USUAL for key in given):
        raise bad_field("rules", _("the known fields are %(names)s", names=", ".join(USUAL)))
    wished: dict[str, object] = {**before, **given}
    if wished["who"] not in WHO:
        raise bad_field("rules.who", _("one of %(names)s", names=", ".join(WHO)))
    least = checks.whole("rules.turn_hours_min", wished["turn_hours_min"], 1, HOURS_MAX)
    return {
        "who": str(wished["who"]),
        "variants": cast("list[str]", _some("rules.variants", wished["variants"], VARIANTS)),
        "seats": cast("list[int]", _some("rules.seats", wished["seats"], (2, 3, 4))),
        "private": checks.flag("rules.private", wished["private"]),
        "without_clock": checks.flag("rules.without_clock", wished["without_clock"]),
        "turn_hours_min": least,
        "turn_hours_max": checks.whole("rules.turn_hours_max", wished["turn_hours_max"], least, HOURS_MAX),
        "games": checks.whole("rules.games", wished["games"], 1, GAMES_MAX),
    }


def _some(field: str, value: object, of: tuple[object, ...]) -> list[object]:
    """One or more of these, each once, in their order."""
    if not isinstance(value, list) or not value or any(one not in of or isinstance(one, bool) for one in value):
        raise bad_field(field, _("give one or more of %(names)s", names=", ".join(map(str, of))))
    return [one for one in of if one in value]


def read(who: str, stored: str) -> BotRules:
    """The rules from how they are stored; what came later is as usual, what there is no more is left out."""
    kept = {**orjson.loads(stored), "who": who}
    return cast("BotRules", {name: kept.get(name, usual) for name, usual in USUAL.items()})


def write(rules: BotRules) -> str:
    """How rules are stored, but for `who`, which has a column of its own."""
    return canonical_json({name: value for name, value in rules.items() if name != "who"})


def against(
    rules: BotRules, seats: int, options: Options, private: bool, turn_hours: int | None, own: bool
) -> str | None:
    """Why these rules refuse a game, in words for who made it; None when they take it. `own`: its owner asks."""
    if rules["who"] == "nobody":
        return _("it takes no games at present")
    if rules["who"] == "owner" and not own:
        return _("it plays only in its owner’s games")
    if seats not in rules["seats"]:
        return _("it plays games of %(numbers)s players", numbers=listing([str(one) for one in rules["seats"]]))
    if VARIANTS[options["tower"]] not in rules["variants"]:
        return _("it plays only the basic game") if options["tower"] else _("it plays only the advanced game")
    if private and not rules["private"]:
        return _("it plays no private games")
    if turn_hours is None:
        return None if rules["without_clock"] else _("it plays only games with a clock")
    least, most = rules["turn_hours_min"], rules["turn_hours_max"]
    if turn_hours < least:
        return ngettext("it needs at least %(num)s hour a turn", "it needs at least %(num)s hours a turn", least)
    if turn_hours > most:
        return ngettext("it allows at most %(num)s hour a turn", "it allows at most %(num)s hours a turn", most)
    return None
