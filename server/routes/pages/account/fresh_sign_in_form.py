"""`/account/sure`: having a link for a fresh sign-in sent."""

from __future__ import annotations

from flask import Blueprint, Response, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import sentence
from server.routes.http import browser_session
from server.routes.http.context import now, store
from server.routes.pages.account import fresh_sign_in
from server.routes.pages.shared import forms, page_addresses, refusals
from server.service.accounts import sessions
from server.service.common.errors import TooManyRequests

blp = Blueprint("fresh-pages", __name__)


@blp.post("/account/sure")
def ask() -> Response | Redirect:
    """Send the link."""
    forms.guard(browser_session.session_secret())
    player = browser_session.visitor()
    if player is None:
        return page_addresses.to_sign_in(url_for("account-pages.account"))
    back = page_addresses.local_path(forms.text_field("next", 300))
    try:
        sessions.ask_once_more(store(), player, now(), back)
    except TooManyRequests as refusal:
        return refusals.refused(fresh_sign_in.page(back, refusal.status, error=sentence(refusal.message)), refusal)
    return fresh_sign_in.page(back, sent=True)
