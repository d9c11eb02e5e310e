"""`/confirm`, `/sign-in`, `/me`, `/sign-out`: an address that is one's own, and the session that it opens."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import gettext as _
from server.routes.http.context import now, store
from server.routes.pages.account import profile
from server.routes.pages.shared import frame
from server.service.accounts import confirming, sessions
from server.service.accounts.confirming import Claim, Holding
from server.service.common.errors import TooManyRequests, Unprocessable

blp = Blueprint("account-pages", __name__)
_NOBODY = "sign-in"  # the form's token is bound to this where nobody has shown anything yet
NEXT_MAX = 300
"""A longer path to come back to is forgotten: it stands in a mail's link."""


@blp.get("/confirm/<token>")
def confirm(token: str) -> Response:
    """Ask for the click that confirms, and say for which account: a mail scanner must not do it."""
    claim = confirming.look(store(), token, frame.visitor(), now())
    return frame.page("confirm", token=token, form=frame.form_token(token), asked=not claim.done, **_held(claim))


@blp.post("/confirm/<token>")
def confirmed(token: str) -> Response:
    """Confirm an address: for who is signed in to the account, or else for who has its mail and nobody before."""
    frame.guard(token)
    claim = confirming.confirm(store(), token, frame.visitor(), now())
    g.pop("visitor", None)  # who looks may be who has an address from now on
    return frame.page("confirm", token=token, form="", asked=False, **_held(claim))


def _held(claim: Claim) -> dict[str, Any]:
    """The values for `pages/account/held.html`: whose account an address belongs to, since when, and who may use it."""
    return {"claim": claim, **held_values(claim.holding)}


def held_values(holding: Holding) -> dict[str, Any]:
    """The same for an account that is not confirmed just now."""

    def when(stored: str | None) -> str | None:
        return None if stored is None else frame.local_time(stored)

    return {
        "held": holding,
        "made": when(holding.made_at),
        "given": when(holding.given_at),
        "held_tokens": [
            {"name": one["name"], "made": when(one["created_at"]), "used": when(one["last_used_at"])}
            for one in holding.tokens
        ],
    }


@blp.get("/sign-in")
def sign_in() -> Response:
    """Ask for the address; `?next=` is a path of this server to come to afterwards."""
    return _ask_page(_back(request.args.get("next", "")))


@blp.post("/sign-in")
def ask() -> Response:
    """Send the link. The answer is the same for every address."""
    frame.guard(_NOBODY)
    back, address = _back(frame.text_field("next")), frame.text_field("email", 400)
    try:
        sessions.ask(store(), address, request.remote_addr or "", now(), back)
    except Unprocessable:
        return _ask_page(back, 422, address=address, error=_("Give an address such as ann@example.org."))
    except TooManyRequests as refusal:
        said = frame.sentence(refusal.message)
        return frame.refused(_ask_page(back, refusal.status, address=address, error=said), refusal)
    return _ask_page(back, sent=True)


@blp.get("/sign-in/<token>")
def offer(token: str) -> Response:
    """Ask for the click that uses the link up."""
    player = sessions.look(store(), token, now())
    back = _back(request.args.get("next", ""))
    return frame.page("sign_in_here", token=token, form=frame.form_token(token), name=player.name, back=back)


@blp.post("/sign-in/<token>")
def use(token: str) -> Redirect:
    """Sign in, and go on where one came from."""
    frame.guard(token, beginning=True)
    session = sessions.sign_in(store(), token, now(), frame.device(), frame.session_secret() or None)
    answer = redirect(_back(frame.text_field("next")) or frame.home(), 303)
    return frame.set_session(answer, session)


@blp.get("/me")
def me() -> Redirect:
    """The own games are on the first page."""
    return redirect(frame.home() if frame.visitor() is not None else url_for("account-pages.sign_in"), 303)


@blp.get("/account")
def account() -> Response | Redirect:
    """The account of who is signed in."""
    return profile.show() if frame.visitor() is not None else profile.to_sign_in()


@blp.post("/sign-out")
def sign_out() -> Redirect:
    """End the session, or with `everywhere` all sessions of the player."""
    secret = frame.session_secret()
    frame.guard(secret)
    player = frame.visitor()
    if player is not None and frame.text_field("everywhere", 1):
        sessions.sign_out_everywhere(store(), player, now())
    sessions.sign_out(store(), secret, now())
    return frame.set_session(redirect(url_for("account-pages.sign_in"), 303), None)


def _ask_page(back: str, status: int = 200, **values: Any) -> Response:
    shown: dict[str, Any] = {"sent": False, "error": None, "address": "", **values}
    return frame.page("sign_in", status, form=frame.form_token(_NOBODY), back=back, **shown)


def _back(wish: str) -> str:
    """The path to come back to, "" for none."""
    path = frame.local_path(wish)
    return path if path != frame.home() and len(path) <= NEXT_MAX else ""
