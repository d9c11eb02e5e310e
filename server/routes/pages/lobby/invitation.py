"""`/invitation/TOKEN`: a seat for somebody who was invited by mail."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.routes.http.context import now, store
from server.routes.pages.account import sign_in
from server.routes.pages.shared import frame
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
    """Take the seat, and sign in: whoever has the mail has the address."""
    frame.guard(token, beginning=True)
    try:
        game_id, player_id = invitations.accept(
            store(), token, frame.text_field("name"), frame.text_field("client_seed", 400), now(),
            wished={"theme": frame.theme()}, visitor=frame.visitor(), access=frame.text_field("access", 10),
        )  # fmt: skip
    except (Conflict, Forbidden, Unprocessable) as refusal:
        return _page(token, refusal.status, frame.sentence(refusal.message))
    session = sessions.new_session(store(), player_id, now(), device=frame.device())
    return frame.set_session(redirect(url_for("game-pages.game", game_id=game_id), 303), session)


def _page(token: str, status: int = 200, error: str | None = None) -> Response:
    invited = invitations.look(store(), token, now(), frame.visitor())
    held = {} if invited.account is None else sign_in.held_values(invited.account)
    return frame.page(
        "invitation", status, token=token, game=invited, error=error, form=frame.form_token(token), **held
    )
