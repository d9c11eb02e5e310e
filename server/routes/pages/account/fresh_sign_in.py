"""A fresh sign-in by mail, before what an account hangs on is changed: address, tokens, its end.

A session may be weeks old, and somebody else may sit at the device. Who cannot be sent a mail is not asked for one.
"""

from __future__ import annotations

from flask import Response

from server.routes.http import browser_session
from server.routes.http.context import now
from server.routes.pages.shared import forms, rendering
from server.service.accounts import sessions
from server.service.accounts.players import Player


def needed(player: Player) -> bool:
    """Whether the visitor has to sign in once more first."""
    session = browser_session.session()
    return sessions.must_be_fresh(player) and not (session is not None and session.is_fresh(now()))


def asked(back: str) -> Response:
    """The page instead of what was asked for, which leads back to the path `back` by way of a mail."""
    return page(back, 403)


def page(back: str, status: int = 200, sent: bool = False, error: str = "") -> Response:
    """The page that offers such a mail, or says that it was `sent`."""
    form = forms.form_token(browser_session.session_secret())
    return rendering.page("account/sure", status, form=form, back=back, sent=sent, error=error)
