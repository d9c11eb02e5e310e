"""How pages are to look to a visitor: language, colours, time zone; of the account, else of the browser."""

from __future__ import annotations

from flask import request

from server.language import LANGUAGES
from server.routes.http import browser_session
from server.routes.http.answers import is_api_path
from server.routes.http.cookies import cookie
from server.routes.pages.shared import likely_zones
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
    return (
        str(player.preferences["time_zone"]) if player is not None else likely_zones.of(str(request.accept_languages))
    )


def hints_are_off() -> bool:
    """Whether somebody at this browser wants no hints in a first game."""
    return cookie(HINTS_COOKIE) == NO_HINTS
