"""Where somebody seems to live of whom nothing is known but the languages that their browser asks for."""

from __future__ import annotations

from functools import lru_cache
from zoneinfo import available_timezones

from babel.core import get_global
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

UNKNOWN = "UTC"
_AT_HOME = {"de": "DE", "it": "IT"}
"""Where most live who read one of our languages and name no country. English tells nothing."""
_CAPITALS = {"DE": "Europe/Berlin"}
"""Countries with several zones of which all but one are a matter of history."""


def of(accepted: str) -> str:
    """The time zone for an `Accept-Language`: that of the country of the first language, where it has one alone, else
    `UNKNOWN`."""
    return _of(accepted[:200])  # what is kept is no longer, whatever a header holds


@lru_cache(maxsize=1000)
def _of(accepted: str) -> str:
    first = next(iter(parse_accept_header(accepted, LanguageAccept).values()), "")
    code, _dash, country = first.replace("_", "-").partition("-")
    country = country.rpartition("-")[2].upper() or _AT_HOME.get(code.lower(), "")
    zones = _by_country().get(country, [])
    return _CAPITALS.get(country) or (zones[0] if len(zones) == 1 else UNKNOWN)


@lru_cache(maxsize=1)
def _by_country() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for zone, country in get_global("zone_territories").items():
        if zone in available_timezones():
            found.setdefault(str(country), []).append(str(zone))
    return found
