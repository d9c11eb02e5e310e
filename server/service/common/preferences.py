"""What players may wish for: the preferences of an account, and of one game of theirs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Literal, TypedDict, TypeGuard, cast, get_args

import orjson

from server import language
from server.engine.ulm1.shapes import JsonSchema
from server.language import LANGUAGES
from server.language import gettext as _
from server.service.common import checks
from server.service.common.errors import Unprocessable, bad_field

MAIL_MODES = ("at_once", "digest", "reminders", "mute")
"""When notices are sent: each at once, all in a daily digest, reminders alone, none."""
CHANNEL_MODES = ("at_once", "reminders", "mute")
"""The same of channels beside mail, which bring no digest."""
Channel = Literal["mail", "push", "webhook"]
"""The ways by which news reach a player: each is a preference, and a wish for one game."""
CHANNELS: tuple[Channel, ...] = get_args(Channel)

THEMES = ("auto", "light", "dark", "colour-blind", "colour-blind-dark", "colour-blind-auto")
"""Colours of pages and boards; `auto` is light or dark as the reader's device is. `colour-blind` alone is light."""

WallTimes = TypedDict("WallTimes", {"from": str, "to": str})
"""From when to when, such as 22:00 to 07:00, by the clock on somebody's wall."""
QuietHours = TypedDict("QuietHours", {"from": str, "to": str})
"""The same, as the API describes it where a player chooses them."""
_WALL_TIME = re.compile("([01][0-9]|2[0-3]):[0-5][0-9]")


class Preferences(TypedDict):
    """All preferences of a player."""

    auto_draw: Annotated[bool, "Let the server draw when nothing but the blind draw can be meant."]
    digest_hour: Annotated[int, "Hour of the player's day at which the digest is sent."]
    language: Annotated[str, "Language of mails."]
    mail: Annotated[
        str,
        "When notices are mailed: each at once, a daily digest of all that waits, reminders alone, or none.",
        JsonSchema(enum=MAIL_MODES),
    ]
    private: Annotated[
        bool,
        "Nobody finds the player by name, reads their page or lists their games but those who have sat with them, who "
        "see of it what they played together.",
    ]
    push: Annotated[
        str,
        "When browsers and phones that push is switched on for are told: at once, of reminders alone, never.",
        JsonSchema(enum=CHANNEL_MODES),
    ]
    quiet_hours: Annotated[
        QuietHours | None,
        "From when to when nothing is sent, by the player's own clock; what comes up then waits. null: never quiet.",
    ]
    rated: Annotated[
        bool,
        "Games that begin while this is on, and at whose table all people have it on, count for ratings. Off, nobody "
        "is shown the player's.",
    ]
    theme: Annotated[
        str,
        "The colours of pages and boards: light or dark as the device is (auto), light, dark; and such as "
        "the colour-blind can tell apart, light (colour-blind), dark (colour-blind-dark) or as the device is "
        "(colour-blind-auto).",
    ]
    time_zone: Annotated[
        str,
        "A name of the IANA data base. A game's clock stands still at night there.",
        JsonSchema(example="Europe/Berlin"),
    ]
    webhook: Annotated[str, "The same for webhooks.", JsonSchema(enum=CHANNEL_MODES)]


class Wishes(TypedDict, total=False):
    """Some of them."""

    auto_draw: bool
    digest_hour: int
    language: str
    mail: str
    private: bool
    push: str
    quiet_hours: WallTimes | None
    rated: bool
    theme: str
    time_zone: str
    webhook: str


def _one_of(*words: str) -> Callable[[str, object], str]:
    def check(field: str, value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise bad_field(field, _("give one of %(names)s", names=", ".join(words)))
        return value

    return check


def is_wall_time(value: object) -> TypeGuard[str]:
    """Whether that is a time of the day such as `22:00`."""
    return isinstance(value, str) and _WALL_TIME.fullmatch(value) is not None


def wall_times(field: str, value: object, how: str) -> WallTimes | None:
    """`{"from": "22:00", "to": "07:00"}`, two different times, or None. Raises `Unprocessable` with `how`."""
    if value is None:
        return None
    if not isinstance(value, dict) or set(value) != {"from", "to"} or value["from"] == value["to"]:
        raise bad_field(field, how)
    if not all(is_wall_time(one) for one in value.values()):
        raise bad_field(field, how)
    return {"from": value["from"], "to": value["to"]}


def _quiet_hours(field: str, value: object) -> WallTimes | None:
    how = _('give two different times such as {"from": "22:00", "to": "07:00"}, or null for none')
    return wall_times(field, value, how)


mail_mode = _one_of(*MAIL_MODES)
channel_mode = _one_of(*CHANNEL_MODES)


def is_time_zone(wish: str) -> bool:
    """Whether a text names a time zone that somebody may have."""
    try:
        checks.time_zone("time_zone", wish)
    except Unprocessable:
        return False
    return True


PREFERENCES: Preferences = {
    "auto_draw": True,  # the server makes the blind `draw` at the start of the player's turn
    "digest_hour": 8,  # of the player's day, for the digest
    "language": "en",  # of mails and pages
    "mail": "at_once",
    "private": False,  # whether the player is found by name, and others see their page
    "push": "at_once",
    "quiet_hours": None,  # when nothing is sent, by the player's own clock
    "rated": False,  # whether the player's games count for ratings
    "theme": "auto",  # the colours of pages
    "time_zone": "UTC",  # where the player's nights are, and the times in mails
    "webhook": "at_once",
}
"""Every preference with its default."""
_DEFAULTS: Mapping[str, object] = PREFERENCES

_CHECKS: dict[str, Callable[[str, object], object]] = {
    "auto_draw": checks.flag,
    "digest_hour": lambda field, wish: checks.whole(field, wish, 0, 23),
    "language": _one_of(*LANGUAGES),
    "mail": mail_mode,
    "private": checks.flag,
    "push": channel_mode,
    "quiet_hours": _quiet_hours,
    "rated": checks.flag,
    "theme": _one_of(*THEMES),
    "time_zone": checks.time_zone,
    "webhook": channel_mode,
}
"""What a preference may be: a function of the field's name and the wish that returns what is stored."""


def read(text: str | None) -> Preferences:
    """Stored preferences over the defaults."""
    stored: Wishes = orjson.loads(text) if text else {}
    return {**PREFERENCES, **stored}


def dump(preferences: Preferences) -> str:
    """What is stored of them: what differs from the defaults. Inverse of `read`."""
    differing = {key: value for key, value in preferences.items() if _DEFAULTS[key] != value}
    return json.dumps(differing, sort_keys=True)


def of_newcomer(wished: Wishes | None) -> Preferences:
    """The preferences of somebody who comes by a page: the language in force, and those of `wished` that can be."""
    found: Preferences = {**PREFERENCES}
    for key, wish in {"language": language.current(), **(wished or {})}.items():
        try:
            found.update(check({key: wish}))
        except Unprocessable:
            continue
    return found


def check(value: object) -> Wishes:
    """The wished changes. Raises `Unprocessable`."""
    if not isinstance(value, dict):
        raise bad_field("preferences", "give an object")
    if not set(value) <= set(PREFERENCES):
        raise bad_field("preferences", f"known are {', '.join(PREFERENCES)}")
    return cast("Wishes", {key: _CHECKS[key](f"preferences.{key}", wanted) for key, wanted in value.items()})
