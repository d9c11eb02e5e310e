"""`/unsubscribe/TOKEN`: fewer mails, or none. Also what mail programs call at one click (RFC 8058)."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.service import unsubscribing

from ..context import now, store
from . import frame

blp = Blueprint("mail-pages", __name__)


@blp.get("/unsubscribe/<token>")
def unsubscribe(token: str) -> Response:
    """What the player hears of, and buttons to change it."""
    return frame.page("unsubscribe", token=token, wishes=unsubscribing.look(store(), token, now()),
                      form=frame.form_token(token))


@blp.post("/unsubscribe/<token>")
def change(token: str) -> Response | Redirect:
    """Do as the player wishes."""
    if request.form.get("List-Unsubscribe") == "One-Click":
        # A mail program has no page of ours, and the link alone lets nobody do more than to end mails.
        unsubscribing.change(store(), token, "all", now())
        return frame.page("unsubscribe", token=token, wishes=unsubscribing.look(store(), token, now()),
                          form=frame.form_token(token))
    frame.guard(token)
    unsubscribing.change(store(), token, frame.text_field("wish", 20), now())
    return redirect(url_for("mail-pages.unsubscribe", token=token), 303)
