"""`/account/tokens`, `…/export`, `…/delete`: what programs may do in one's name, and what is kept of one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server import language
from server.language import gettext as _
from server.language import sentence
from server.routes.http import browser_session
from server.routes.http.answers import answer
from server.routes.http.context import forget, now, settings, store
from server.routes.http.problem_details import status_of
from server.routes.pages.account import account_page
from server.routes.pages.shared import forms, rendering
from server.service.accounts import access, tokens
from server.service.accounts.access import SCOPES
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.errors import Unprocessable, bad_field
from server.service.common.naming import GONE, server_name, spoken
from server.service.erasure import deletion, personal_export
from server.storage.times import utc

blp = Blueprint("own-data-pages", __name__)


@blp.get("/account/tokens")
def listing() -> Response | Redirect:
    """The tokens for programs."""
    return account_page.for_owner(_show)


@blp.post("/account/tokens")
def create() -> Response | Redirect:
    """A new token, shown on this page alone."""
    name, days = forms.text_field("name", 400), forms.whole(forms.text_field("ends", 6))
    chosen = [scope for scope in SCOPES if forms.text_field(f"may_{scope}", 3)]
    ends = utc(now() + timedelta(days=days)) if days in DAYS and days is not None else None
    typed = {"name": name, "chosen": chosen, "days": "" if ends is None else str(days)}

    def make(player: Player) -> Response:
        if not chosen:
            raise bad_field("scopes", _("Choose at least one thing that it may do."))
        made = tokens.create(store(), player, name, now(), wanted=chosen, expires_at=ends)
        return _show(player, 201, made=made)

    return account_page.act(
        make, lambda page: page, account_page.again(_show, **typed), url_for("own-data-pages.listing")
    )


@blp.post("/account/tokens/<token_id>/name")
def rename(token_id: str) -> Response | Redirect:
    """Another name for a token."""
    return _change(lambda player: tokens.rename(store(), player, token_id, forms.text_field("name", 400)))


@blp.post("/account/tokens/<token_id>/revoke")
def revoke(token_id: str) -> Response | Redirect:
    """No program comes in by this token any more."""
    return _change(lambda player: tokens.revoke(store(), player, token_id, now()))


def _change(do: Callable[[Player], object]) -> Response | Redirect:
    """Let the visitor's form act on a token; back to the list, or the list with what is wrong."""
    return account_page.act(do, lambda _: redirect(url_for("own-data-pages.listing"), 303), account_page.again(_show))


@blp.get("/account/export")
def export() -> Response | Redirect:
    """All that the server keeps about the visitor, as a file."""

    def file(player: Player) -> Response:
        disposition = f'attachment; filename="ulm-account-{player.id}.json"'
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        return answer(personal_export.export(store(), player, now()), headers=headers)

    return account_page.for_owner(file)


@blp.get("/account/delete")
def farewell() -> Response | Redirect:
    """What deleting the account means, and the form that does it."""
    return account_page.for_owner(_farewell)


def _farewell(player: Player, status: int = 200, error: str = "", typed: str = "") -> Response:
    return rendering.page(
        "account/delete_account",
        status,
        form=forms.form_token(browser_session.session_secret()),
        ends=deletion.consequences(store(), player),
        sure=not account_page.must_sign_in(player),
        former=spoken(server_name(GONE)),
        error=error,
        typed=typed,
    )


@blp.post("/account/delete")
def delete() -> Response | Redirect:
    """Delete the account of somebody who typed its name."""
    typed = forms.text_field("name", 400)

    def leave(player: Player) -> None:
        if not checks.alike(typed.strip(), player.name):
            raise Unprocessable(_("This is not the name of your account."))
        forget(deletion.delete_account(store(), player, now()))

    return account_page.act(
        leave,
        lambda _: browser_session.set_session(redirect(url_for("own-data-pages.gone"), 303), None),
        lambda player, refusal: _farewell(player, status_of(refusal), sentence(refusal.message), typed),
        url_for("own-data-pages.farewell"),
    )


@blp.get("/account/gone")
def gone() -> Response:
    """Goodbye."""
    return rendering.page("account/gone")


DAYS = (7, 30, 90, 365)
"""After so many days a token may end."""


def _show(player: Player, status: int = 200, **values: Any) -> Response:
    """The page of the tokens; `values` are what was made, or what was typed and what is wrong with it."""
    found, may = tokens.listing(store(), player), access.scopes_in_words()
    values = {"made": None, "error": "", "name": "", "chosen": ("read", "play"), "days": "", **values}
    return rendering.page(
        "account/tokens",
        status,
        form=forms.form_token(browser_session.session_secret()),
        tokens=found,
        now=utc(now()),
        full=sum(one["expires_at"] is None or one["expires_at"] > utc(now()) for one in found) >= tokens.TOKENS_MAX,
        may=may,
        in_words=lambda held: language.listing([may[scope] for scope in held]),
        days_offered=DAYS,
        most=tokens.TOKENS_MAX,
        sure=not account_page.must_sign_in(player),
        public_url=settings().public_url,
        **values,
    )
