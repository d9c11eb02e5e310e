"""`/confirm`, `/sign-in`, `/me`: an address that is one's own, and what it lets one see."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.service import accounts, games, links, sessions, turn_page
from server.service.errors import Unprocessable

from ..context import now, store
from . import frame

blp = Blueprint("account-pages", __name__)
_NOBODY = "sign-in"  # the form's token is bound to this where nobody has shown anything yet
SHOWN = 50


@blp.get("/confirm/<token>")
def confirm(token: str) -> Response:
    """Ask for the click that confirms: a mail scanner must not do it."""
    links.read(store(), token, "confirm", now=now())
    return frame.page("confirm", token=token, form=frame.form_token(token), name=None)


@blp.post("/confirm/<token>")
def confirmed(token: str) -> Response:
    """Confirm an address."""
    frame.guard(token)
    found = accounts.confirm_email(store(), token, now())
    return frame.page("confirm", token=token, form="", name=found["name"])


@blp.get("/sign-in")
def sign_in() -> Response:
    """Ask for the address."""
    return frame.page("sign_in", form=frame.form_token(_NOBODY), sent=False, error=None)


@blp.post("/sign-in")
def ask() -> Response:
    """Send the link. The answer is the same for every address."""
    frame.guard(_NOBODY)
    try:
        sessions.ask(store(), frame.text_field("email", 400), request.remote_addr or "", now())
    except Unprocessable as refusal:
        error = frame.sentence(refusal.message)
        return frame.page("sign_in", refusal.status, form=frame.form_token(_NOBODY), sent=False, error=error)
    return frame.page("sign_in", form="", sent=True, error=None)


@blp.get("/sign-in/<token>")
def offer(token: str) -> Response:
    """Ask for the click that uses the link up."""
    player = sessions.look(store(), token, now())
    return frame.page("sign_in_here", token=token, form=frame.form_token(token), name=player.name)


@blp.post("/sign-in/<token>")
def use(token: str) -> Redirect:
    """Sign in."""
    frame.guard(token)
    session = sessions.sign_in(store(), token, now())
    answer = redirect(url_for("account-pages.me"), 303)
    return frame.set_session(answer, session)  # type: ignore[arg-type]


@blp.get("/me")
def me() -> Response | Redirect:
    """The own games."""
    player = frame.visitor()
    if player is None:
        return redirect(url_for("account-pages.sign_in"), 303)
    found, total = games.listing(store(), player, None, player.id, 1, SHOWN)
    own = [{**game, "turn": turn_page.present(store(), player, game, now())} for game in found]
    own.sort(key=lambda game: (game["turn"] is None, game["status"] != "running"))
    secret = request.cookies.get(frame.COOKIE, "")
    return frame.page("me", player=player, games=own, more=total - len(own), form=frame.form_token(secret))


@blp.get("/account")
def account() -> Redirect:
    """The account of who is signed in."""
    return redirect(url_for("account-pages.me"), 303)


@blp.post("/sign-out")
def sign_out() -> Redirect:
    """End the session."""
    secret = request.cookies.get(frame.COOKIE, "")
    frame.guard(secret)
    sessions.sign_out(store(), secret, now())
    return frame.set_session(redirect(url_for("account-pages.sign_in"), 303), None)  # type: ignore[arg-type]
