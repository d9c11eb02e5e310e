"""How pages are to look to a visitor: language, colours, times where they live."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache

from babel.core import get_global
from flask import request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from server import language
from server.language import LANGUAGES
from server.language import gettext as _
from server.routes.http import browser_session
from server.routes.http.answers import is_api_path
from server.routes.http.browser_session import cookie
from server.routes.http.context import now
from server.service.accounts.sessions import USE_NOTED_EVERY
from server.service.common.checks import time_zones
from server.service.common.preferences import THEMES
from server.storage.times import parse_utc

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
    """The visitor's time zone: of the account, else where their browser's languages are at home."""
    player = browser_session.visitor()
    return str(player.preferences["time_zone"]) if player is not None else likely_zone(str(request.accept_languages))


def local_time(stored: str, zone: str | None = None) -> str:
    """A stored time as its reader would say it: `Sat, 21 Nov 2026, 10:30`; `zone` is the visitor's when None. Where
    that one is guessed it is named: `10:30 UTC`."""
    guessed = zone is None and browser_session.visitor() is None
    return _said(stored, zone or time_zone(), language.current(), guessed)


@lru_cache(maxsize=4096)  # 0.12 ms each time, and a page has dozens
def _said(stored: str, zone: str, code: str, named: bool) -> str:
    # `code` is the language in force.
    moment = parse_utc(stored)
    said = language.date_and_time(moment, zone)
    return f"{said} {language.zone_name(moment, zone)}" if named else said


def time_left(deadline: str, reserve: bool = False) -> str:
    """How long there is until a stored time: `3 hours`, or that it is past. `reserve`: what is in reserve counts."""
    length = parse_utc(deadline) - now()
    if length <= timedelta():
        return _("time is up")
    time = language.span(length)
    return _("%(time)s left with the reserve", time=time) if reserve else _("%(time)s left", time=time)


def ago(stored: str) -> str:
    """How long ago a stored time was: `3 hours ago`."""
    length = now() - parse_utc(stored)
    return _("just now") if length < timedelta(minutes=1) else language.ago(length)


def last_used(stored: str) -> str:
    """When a session or a token was last used, as coarse as it is noted (`sessions.USE_NOTED_EVERY`)."""
    if now() - parse_utc(stored) < USE_NOTED_EVERY:
        return _("used within the last hour")
    return _("last used %(ago)s", ago=ago(stored))


def hints_are_off() -> bool:
    """Whether somebody at this browser wants no hints in a first game."""
    return cookie(HINTS_COOKIE) == NO_HINTS


UNKNOWN = "UTC"
_AT_HOME = {"de": "DE", "it": "IT"}
"""Where most live who read one of our languages and name no country. English tells nothing."""
_CAPITALS = {"DE": "Europe/Berlin"}
"""Countries with several zones of which all but one are a matter of history."""


def likely_zone(accepted: str) -> str:
    """The one time zone of the country of the first language of an `Accept-Language`, else `UNKNOWN`."""
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
        if zone in time_zones():
            found.setdefault(str(country), []).append(str(zone))
    return found
