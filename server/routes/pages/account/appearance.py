"""`/look`: another language or other colours, at the foot of every page; and a first game without hints."""

from __future__ import annotations

from flask import Blueprint, redirect
from werkzeug.wrappers import Response as Redirect

from server.language import LANGUAGES
from server.routes.http import browser_session
from server.routes.http.context import now, store
from server.routes.pages.shared import forms, page_addresses, visitor_preferences
from server.service.accounts import profiles
from server.service.common.preferences import THEMES

blp = Blueprint("look-pages", __name__)


@blp.post("/look")
def look() -> Redirect:
    """Change language or colours, of the account or this browser; hints of a first game are off in the browser."""
    forms.guard(forms.NOBODY)
    wishes = {
        name: value
        for name, known in (("language", tuple(LANGUAGES)), ("theme", THEMES))
        if (value := forms.text_field(name, 20)) in known
    }
    answer = redirect(page_addresses.local_path(forms.text_field("back", 2000)), 303)
    if forms.text_field("hints", 20) == visitor_preferences.NO_HINTS:
        browser_session.keep_cookie(
            answer, visitor_preferences.HINTS_COOKIE, visitor_preferences.NO_HINTS, browser_session.YEAR
        )
    player = browser_session.visitor()
    if player is not None and wishes:
        profiles.update_profile(store(), player, {"preferences": wishes}, now())
    if player is not None:
        return answer
    for name, cookie in (
        ("language", visitor_preferences.LANGUAGE_COOKIE),
        ("theme", visitor_preferences.THEME_COOKIE),
    ):
        if name in wishes:
            browser_session.keep_cookie(answer, cookie, wishes[name], browser_session.YEAR)
    return answer
