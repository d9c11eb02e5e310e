"""What the forms of one's own things (tokens, bots) have in common: who sent it, and what follows when it was done."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.routes.http import browser_session
from server.routes.pages.account import account_page
from server.routes.pages.shared import forms, refusals
from server.service.accounts.players import Player
from server.service.common.errors import ServiceError


def sender() -> Player | None:
    """Return who sent the form, None for somebody whose session is over meanwhile. Raises what `forms.guard` does."""
    forms.guard(browser_session.session_secret())
    return browser_session.visitor()


def changed(
    act: Callable[[Player], object], show: Callable[[Player, int, str], Response], listing: str
) -> Response | Redirect:
    """Let `act` do what the sender of the form wants, and return the way back to the endpoint `listing`; the page of
    `show`, given a status and a reason, when it was refused."""
    player = sender()
    if player is None:
        return account_page.to_sign_in()
    try:
        act(player)
    except ServiceError as refusal:
        return refusals.refused(show(player, refusal.status, refusals.reason(refusal)), refusal)
    return redirect(url_for(listing), 303)
