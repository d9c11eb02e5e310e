"""How pages are to look to a visitor: language, colours, time zone; of the account, else of the browser."""

from __future__ import annotations

from functools import lru_cache
from zoneinfo import available_timezones

from babel.core import get_global
from flask import request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from server.language import LANGUAGES
from server.routes.http import browser_session
from server.routes.http.answers import is_api_path
from server.routes.http.browser_session import cookie
from server.service.common.preferences import THEMES

LANGUAGE_COOKIE, THEME_COOKIE = "ulm_language", "ulm_theme"
HINTS_COOKIE, NO_HINTS = "ulm_hints", "off"


def wanted_language() -> str | None:
    """The language of the running request; None (English) for programs, which read the JSON API."""
    if is_api_path(request.path):
        return None
    player = browser_session.visitor()
    if player is not None:
        return str(player.preferences["language"])
    wish = cookie(LANGUAGE_COOKIE)
    return wish if wish in LANGUAGES else request.accept_languages.best_match(list(LANGUAGES))


def theme() -> str:
    """How the visitor likes pages and boards: one of `THEMES`."""
    player = browser_session.visitor()
    wish = player.preferences["theme"] if player is not None else cookie(THEME_COOKIE)
    return str(wish) if wish in THEMES else THEMES[0]


def time_zone() -> str:
    """The name of the time zone in which the visitor reads times: of the account, else where their browser's languages
    are at home."""
    player = browser_session.visitor()
    return str(player.preferences["time_zone"]) if player is not None else likely_zone(str(request.accept_languages))


def hints_are_off() -> bool:
    """Whether somebody at this browser wants no hints in a first game."""
    return cookie(HINTS_COOKIE) == NO_HINTS


UNKNOWN = "UTC"
_AT_HOME = {"de": "DE", "it": "IT"}
"""Where most live who read one of our languages and name no country. English tells nothing."""
_CAPITALS = {"DE": "Europe/Berlin"}
"""Countries with several zones of which all but one are a matter of history."""


def likely_zone(accepted: str) -> str:
    """The time zone for an `Accept-Language`: that of the country of the first language, where it has one alone, else
    `UNKNOWN`."""
    return _likely_zone(accepted[:200])  # what is kept is no longer, whatever a header holds


@lru_cache(maxsize=1000)
def _likely_zone(accepted: str) -> str:
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
