"""How pages look to a visitor: their language and their colours."""

from __future__ import annotations

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response as Redirect

from server.language import LANGUAGES
from server.routes.http.answers import is_api_path
from server.routes.http.context import now, store
from server.routes.pages.shared import frame
from server.service.accounts import profiles
from server.service.common.preferences import THEMES

blp = Blueprint("look-pages", __name__)


def wanted_language() -> str | None:
    """The language of the running request; None (English) for programs, which read the JSON API."""
    if is_api_path(request.path):
        return None
    player = frame.visitor()
    if player is not None:
        return str(player.preferences["language"])
    cookie = frame.cookie(frame.LANGUAGE_COOKIE)
    return cookie if cookie in LANGUAGES else request.accept_languages.best_match(list(LANGUAGES))


@blp.post("/look")
def look() -> Redirect:
    """Change language or colours: of the account, or of this browser for somebody who is not signed in."""
    frame.guard(frame.NOBODY)
    wishes = {
        name: value
        for name, known in (("language", tuple(LANGUAGES)), ("theme", THEMES))
        if (value := frame.text_field(name, 20)) in known
    }
    answer = redirect(frame.local_path(frame.text_field("back", 2000)), 303)
    player = frame.visitor()
    if player is not None:
        profiles.update_profile(store(), player, {"preferences": wishes}, now())
        return answer
    for name, cookie in (("language", frame.LANGUAGE_COOKIE), ("theme", frame.THEME_COOKIE)):
        if name in wishes:
            frame.keep_cookie(answer, cookie, wishes[name], frame.YEAR)
    return answer
