"""`/account/tokens`, `…/export`, `…/delete`: what programs may do in one's name, and what is kept of one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import gettext as _
from server.language import sentence
from server.routes.http import browser_session
from server.routes.http.answers import answer
from server.routes.http.context import forget, now, store
from server.routes.pages.account import account_page, fresh_sign_in, own_forms, token_list
from server.routes.pages.shared import forms, refusals, rendering
from server.service.accounts import tokens
from server.service.accounts.players import Player
from server.service.accounts.scopes import SCOPES
from server.service.common import checks
from server.service.common.errors import Conflict, ServiceError, bad_field
from server.service.common.naming import GONE, server_name, spoken
from server.service.erasure import deletion, personal_export
from server.storage.times import utc

blp = Blueprint("own-data-pages", __name__)


@blp.get("/account/tokens")
def listing() -> Response | Redirect:
    """The tokens for programs."""
    player = browser_session.visitor()
    return account_page.to_sign_in() if player is None else token_list.show(player)


@blp.post("/account/tokens")
def create() -> Response | Redirect:
    """A new token, shown on this page alone."""
    player = own_forms.sender()
    if player is None:
        return account_page.to_sign_in()
    if fresh_sign_in.needed(player):
        return fresh_sign_in.asked(url_for("own-data-pages.listing"))
    name, days = forms.text_field("name", 400), forms.whole(forms.text_field("ends", 6))
    chosen = [scope for scope in SCOPES if forms.text_field(f"may_{scope}", 3)]
    ends = utc(now() + timedelta(days=days)) if days in token_list.DAYS and days is not None else None
    try:
        if not chosen:
            raise bad_field("scopes", _("Choose at least one thing that it may do."))
        made = tokens.create(store(), player, name, now(), wanted=chosen, expires_at=ends)
    except ServiceError as refusal:
        typed = {"name": name, "chosen": chosen, "days": "" if ends is None else str(days)}
        return refusals.refused(
            token_list.show(player, refusal.status, error=refusals.reason(refusal), **typed), refusal
        )
    return token_list.show(player, 201, made=made)


@blp.post("/account/tokens/<token_id>/name")
def rename(token_id: str) -> Response | Redirect:
    """Another name for a token."""
    return _change(lambda player: tokens.rename(store(), player, token_id, forms.text_field("name", 400)))


@blp.post("/account/tokens/<token_id>/revoke")
def revoke(token_id: str) -> Response | Redirect:
    """No program comes in by this token any more."""
    return _change(lambda player: tokens.revoke(store(), player, token_id, now()))


def _change(act: Callable[[Player], object]) -> Response | Redirect:
    """Let the visitor's form `act` on a token; back to the list, or the list with what is wrong."""
    return own_forms.changed(
        act, lambda player, status, reason: token_list.show(player, status, error=reason), "own-data-pages.listing"
    )


@blp.get("/account/export")
def export() -> Response | Redirect:
    """All that the server keeps about the visitor, as a file."""
    player = browser_session.visitor()
    if player is None:
        return account_page.to_sign_in()
    disposition = f'attachment; filename="ulm-account-{player.id}.json"'
    headers = {"Content-Disposition": disposition, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return answer(personal_export.export(store(), player, now()), headers=headers)


@blp.get("/account/delete")
def farewell() -> Response | Redirect:
    """What deleting the account means, and the form that does it."""
    player = browser_session.visitor()
    return account_page.to_sign_in() if player is None else _farewell(player)


def _farewell(player: Player, status: int = 200, error: str = "", typed: str = "") -> Response:
    return rendering.page(
        "account/delete_account",
        status,
        form=forms.form_token(browser_session.session_secret()),
        ends=deletion.consequences(store(), player),
        sure=not fresh_sign_in.needed(player),
        former=spoken(server_name(GONE)),
        error=error,
        typed=typed,
    )


@blp.post("/account/delete")
def delete() -> Response | Redirect:
    """Delete the account of somebody who typed its name."""
    player = own_forms.sender()
    if player is None:
        return account_page.to_sign_in()
    if fresh_sign_in.needed(player):
        return fresh_sign_in.asked(url_for("own-data-pages.farewell"))
    typed = forms.text_field("name", 400)
    if not checks.alike(typed.strip(), player.name):
        return _farewell(player, 422, _("This is not the name of your account."), typed)
    try:
        forget(deletion.delete_account(store(), player, now()))
    except Conflict as refusal:
        return _farewell(player, refusal.status, sentence(refusal.message))
    answer = redirect(url_for("own-data-pages.gone"), 303)
    return browser_session.set_session(answer, None)


@blp.get("/account/gone")
def gone() -> Response:
    """Goodbye."""
    return rendering.page("account/gone")
