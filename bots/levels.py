"""The bots by name, with their options: `journeyman`, `flat:seconds=0.1`, `journeyman:weights=FILE,worlds=5`."""

from __future__ import annotations

from collections.abc import Callable
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


BOTS: dict[str, Callable[[Options], Bot]] = {
    "random": lambda options: Plain(play_random), "apprentice": lambda options: Plain(play_steady),
    "journeyman": _journeyman, "master": _master, "flat": _flat,
}  # fmt: skip
"""What makes each of its options, which it takes out."""
LEVELS = ("apprentice", "journeyman", "master")
"""Those that people are offered, the weakest first."""


def bot(text: str) -> Bot:
    """Return the bot of a name with options. Raises `UnknownBotError`."""
    name, _, rest = text.partition(":")
    if name not in BOTS:
        raise UnknownBotError(f"there is no bot {name!r}: known are {', '.join(BOTS)}")
    try:
        options = dict(part.split("=", 1) for part in rest.split(",") if part)
        made = BOTS[name](options)
    except ValueError as error:
        raise UnknownBotError(f"{text!r}: write NAME:OPTION=VALUE,… ({error})") from error
    if options:
        raise UnknownBotError(f"{name} has no option {', '.join(sorted(options))}")
    return made
