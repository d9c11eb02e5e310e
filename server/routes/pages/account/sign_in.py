"""`/confirm`, `/sign-up`, `/sign-in`, `/me`, `/sign-out`: an address of one's own, and the session that it opens."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import gettext as _
from server.language import sentence
from server.routes.http import browser_session
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.account import account_page
from server.routes.pages.shared import forms, newcomers, page_addresses, rendering
from server.service.accounts import confirming, profiles, sessions
from server.service.common import checks
from server.service.common.errors import TooManyRequests, Unprocessable

blp = Blueprint("account-pages", __name__)
_NOBODY = "sign-in"  # the form's token is bound to this where nobody has shown anything yet
NEXT_MAX = 300
"""A longer path to come back to is forgotten: it stands in a mail's link."""


@blp.get("/confirm/<token>")
def confirm(token: str) -> Response:
    """Ask for the click that confirms, and say for which account: a mail scanner must not do it."""
    claim = confirming.claim_of_link(store(), token, browser_session.visitor(), now())
    return rendering.page(
        "account/confirm",
        token=token,
        form=forms.form_token(token),
        asked=not claim.done,
        claim=claim,
        held=claim.holding,
    )


@blp.post("/confirm/<token>")
def confirmed(token: str) -> Response:
    """Confirm an address: for who is signed in to the account, or else for who has its mail and nobody before."""
    forms.guard(token)
    claim = confirming.confirm(store(), token, browser_session.visitor(), now())
    g.pop("visitor", None)  # who looks may be who has an address from now on
    return rendering.page("account/confirm", token=token, form="", asked=False, claim=claim, held=claim.holding)


@blp.get("/sign-up")
def sign_up() -> Response | Redirect:
    """Ask for a name and an address; who has an account is led on. `?next=` as of `sign_in`."""
    back = _back(request.args.get("next", ""))
    if browser_session.visitor() is not None:
        return redirect(back or url_for("account-pages.account"), 303)
    return _sign_up_page(back)


@blp.post("/sign-up")
def begin() -> Response | Redirect:
    """Make the account, sign in to it, and go on where one came from; a mail asks to confirm the address, if any."""
    forms.guard(newcomers.secret(), beginning=True)
    back = _back(forms.text_field("next"))
    if browser_session.visitor() is not None:
        return redirect(back or url_for("account-pages.account"), 303)
    name, address = forms.text_field("name", 400), forms.text_field("email", 400).strip()
    try:
        checked = checks.email(address or None)
        player = newcomers.new_player(name)
    except Unprocessable as refusal:
        return _sign_up_page(back, status_of(refusal), forms.reasons(refusal))
    except TooManyRequests as refusal:
        return forms.refused(_sign_up_page(back, status_of(refusal), {"": sentence(refusal.message)}), refusal)
    if checked is None:
        return newcomers.signed_in(redirect(back or page_addresses.home(), 303))
    asked = profiles.update_profile(store(), player, {"email": checked}, now()).get("confirmation")
    said = account_page.HELD_BACK if asked == confirming.HELD_BACK else "address"
    then = back or url_for("account-pages.account", saved=said, _anchor="address")
    return newcomers.signed_in(redirect(then, 303))


@blp.get("/sign-in")
def sign_in() -> Response:
    """Ask for the address; `?next=` is a path of this server to come to afterwards."""
    return _ask_page(_back(request.args.get("next", "")))


@blp.post("/sign-in")
def ask() -> Response:
    """Send the link. The answer is the same for every address."""
    forms.guard(_NOBODY)
    back, address = _back(forms.text_field("next")), forms.text_field("email", 400)
    try:
        sessions.ask(store(), address, request.remote_addr or "", now(), back)
    except Unprocessable:
        return _ask_page(back, 422, address=address, error=_("Give an address such as ann@example.org."))
    except TooManyRequests as refusal:
        said = sentence(refusal.message)
        return forms.refused(_ask_page(back, status_of(refusal), address=address, error=said), refusal)
    return _ask_page(back, sent=True)


@blp.get("/sign-in/<token>")
def offer(token: str) -> Response:
    """Ask for the click that uses the link up."""
    player = sessions.player_for(store(), token, now())
    back = _back(request.args.get("next", ""))
    return rendering.page(
        "account/sign_in_here", token=token, form=forms.form_token(token), name=player.name, back=back
    )


@blp.post("/sign-in/<token>")
def use(token: str) -> Redirect:
    """Sign in, and go on where one came from."""
    forms.guard(token, beginning=True)
    session = sessions.sign_in(
        store(), token, now(), browser_session.device(), browser_session.session_secret() or None
    )
    answer = redirect(_back(forms.text_field("next")) or page_addresses.home(), 303)
    return browser_session.set_session(answer, session)


@blp.get("/me")
def me() -> Redirect:
    """The own games are on the first page."""
    return redirect(
        page_addresses.home() if browser_session.visitor() is not None else url_for("account-pages.sign_in"), 303
    )


@blp.get("/account")
def account() -> Response | Redirect:
    """The account of who is signed in."""
    return account_page.for_owner(account_page.account)


@blp.post("/sign-out")
def sign_out() -> Redirect:
    """End the session, or with `everywhere` all sessions of the player."""
    secret = browser_session.session_secret()
    forms.guard(secret)
    player = browser_session.visitor()
    if player is not None and forms.text_field("everywhere", 1):
        sessions.sign_out_everywhere(store(), player, now())
    sessions.sign_out(store(), secret, now())
    return browser_session.set_session(redirect(url_for("account-pages.sign_in"), 303), None)


def _ask_page(back: str, status: int = 200, **values: Any) -> Response:
    shown: dict[str, Any] = {"sent": False, "error": None, "address": "", **values}
    return rendering.page("account/sign_in", status, form=forms.form_token(_NOBODY), back=back, **shown)


def _sign_up_page(back: str, status: int = 200, errors: dict[str, str] | None = None) -> Response:
    typed = {name: forms.text_field(name, 400) for name in ("name", "email")}
    form = forms.form_token(newcomers.secret())
    return rendering.page("account/sign_up", status, form=form, back=back, typed=typed, errors=errors or {})


def _back(wish: str) -> str:
    """The path to come back to, "" for none."""
    path = page_addresses.local_path(wish)
    return path if path != page_addresses.home() and len(path) <= NEXT_MAX else ""
