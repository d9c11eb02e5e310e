"""`/unsubscribe/TOKEN`: fewer mails, or none. Also what mail programs call at one click (RFC 8058)."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.routes.http.context import now, store
from server.routes.pages.shared import forms, rendering
from server.service.chat import unsubscribing

blp = Blueprint("mail-pages", __name__)


@blp.get("/unsubscribe/<token>")
def unsubscribe(token: str) -> Response:
    """What the reader hears of, and buttons to change it."""
    return _page(token)


@blp.post("/unsubscribe/<token>")
def change(token: str) -> Response | Redirect:
    """Do as the player wishes."""
    if request.form.get("List-Unsubscribe") == "One-Click":
        # A mail program has no page of ours, and the link alone lets nobody do more than to end mails.
        unsubscribing.one_click(store(), token, now())
        return _page(token)
    forms.guard(token)
    unsubscribing.change(store(), token, forms.text_field("wish", 20), now())
    return redirect(url_for("mail-pages.unsubscribe", token=token), 303)


def _page(token: str) -> Response:
    wishes = unsubscribing.wishes_of_link(store(), token, now())
    page = "account/no_mail" if isinstance(wishes, unsubscribing.Stranger) else "account/unsubscribe"
    return rendering.page(page, token=token, wishes=wishes, form=forms.form_token(token))
