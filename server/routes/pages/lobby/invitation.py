"""`/invitation/TOKEN`: a seat for somebody who was invited by mail."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import sentence
from server.routes.http import browser_session
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.shared import forms, newcomers, rendering
from server.service.accounts import sessions
from server.service.common.errors import Conflict, Forbidden, Unprocessable
from server.service.seating import invitations

blp = Blueprint("invitation-pages", __name__)


@blp.get("/invitation/<token>")
def invitation(token: str) -> Response:
    """What the invitation is to, and a form to accept it."""
    return _page(token)


@blp.post("/invitation/<token>")
def accept(token: str) -> Response | Redirect:
    """Take the seat; somebody new is signed in by it."""
    forms.guard(token, beginning=True)
    visitor = browser_session.visitor()
    try:
        game_id, player_id = invitations.accept(
            store(), token, forms.text_field("name"), forms.text_field("client_seed", 400), now(),
            wished=newcomers.wishes(), visitor=visitor,
        )  # fmt: skip
    except (Conflict, Forbidden, Unprocessable) as refusal:
        return _page(token, status_of(refusal), sentence(refusal.message))
    answer = redirect(url_for("game-pages.game", game_id=game_id), 303)
    if visitor is not None and visitor.id == player_id:
        return answer
    session = sessions.new_session(store(), player_id, now(), device=browser_session.device())
    return browser_session.set_session(answer, session)


def _page(token: str, status: int = 200, error: str | None = None) -> Response:
    invited = invitations.read(store(), token, now(), browser_session.visitor())
    form = forms.form_token(token)
    return rendering.page("lobby/invitation", status, token=token, game=invited, error=error, form=form)
