"""`/account/sure`: a fresh sign-in by mail, before what an account hangs on is changed: address, tokens, its end.

A session may be weeks old, and somebody else may sit at the device. Who cannot be sent a mail is not asked for one.
"""

from __future__ import annotations

from flask import Blueprint, Response, url_for
from werkzeug.wrappers import Response as Redirect

from server.routes.http.context import now, store
from server.routes.pages.shared import frame
from server.service.accounts import sessions
from server.service.accounts.players import Player
from server.service.common.errors import TooManyRequests

blp = Blueprint("fresh-pages", __name__)


def needed(player: Player) -> bool:
    """Whether the visitor has to sign in once more first."""
    session = frame.session()
    return sessions.must_be_fresh(player) and not (session is not None and session.is_fresh(now()))


def asked(back: str) -> Response:
    """The page instead of what was asked for, which leads back to the path `back` by way of a mail."""
    return _page(back, 403)


@blp.post("/account/sure")
def ask() -> Response | Redirect:
    """Send the link."""
    frame.guard(frame.session_secret())
    player = frame.visitor()
    if player is None:
        return frame.to_sign_in(url_for("account-pages.account"))
    back = frame.local_path(frame.text_field("next", 300))
    try:
        sessions.ask_once_more(store(), player, now(), back)
    except TooManyRequests as refusal:
        return frame.refused(_page(back, refusal.status, error=frame.sentence(refusal.message)), refusal)
    return _page(back, sent=True)


def _page(back: str, status: int = 200, sent: bool = False, error: str = "") -> Response:
    form = frame.form_token(frame.session_secret())
    return frame.page("sure", status, form=form, back=back, sent=sent, error=error)
