"""Forms that a stranger may send, too, and gets an account with; and whom no mail reaches."""

from __future__ import annotations

from flask import Response, g, request
from werkzeug.wrappers import Response as Redirect

from server.routes.http import browser_session
from server.routes.http.context import now, settings, store
from server.routes.pages.shared import forms, visitor_preferences
from server.service.accounts import sessions
from server.service.accounts.players import Player
from server.service.common import preferences
from server.service.common.errors import Conflict, TooManyRequests, Unprocessable
from server.service.common.preferences import Wishes
from server.service.seating import guests

REFUSALS = (Conflict, TooManyRequests, Unprocessable)
"""What may be the matter with such a form, to be said on its page."""


def secret() -> str:
    """What forms are bound to here: the session, and nothing for those who have none yet."""
    return str(g.get("begun_session") or browser_session.session_secret() or forms.NOBODY)


def wishes() -> Wishes:
    """The preferences of an account that this form makes: colours, and the time zone of the device or the language."""
    told = forms.text_field("time_zone", 60)
    known = preferences.is_time_zone(told)
    return {"theme": visitor_preferences.theme(), "time_zone": told if known else visitor_preferences.time_zone()}


def new_player(name: str | None) -> Player:
    """A new account for the stranger who asks, and a session for `signed_in`. Raises as `guests.open_account`."""
    most = settings().guests_per_hour
    player = guests.open_account(store(), name, request.remote_addr or "", most, now(), wishes())
    # From here on the request is theirs: a page that says what else was wrong has forms for the new session.
    g.visitor = player
    g.begun_session = sessions.new_session(store(), player.id, now(), device=browser_session.device())
    return player


def signed_in(answer: Response | Redirect) -> Response | Redirect:
    """The answer, with the session that `new_player` began in this request, if it did."""
    session = g.get("begun_session")
    return answer if session is None else browser_session.set_session(answer, session)


def why_unmailed(player: Player | None) -> str | None:
    """Why no mail reaches somebody (None: a stranger), or None for one whom it reaches."""
    if player is None:
        return "stranger"
    if player.is_guest:
        return "guest"
    if player.mail_stopped_at is not None:
        return "stopped"
    return "unconfirmed" if player.email_confirmed_at is None else None
