"""`/account/tokens`, `…/export`, `…/delete`: what programs may do in one's name, and what is kept of one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server import language
from server.language import gettext as _
from server.routes.http.answers import answer
from server.routes.http.context import forget, now, settings, store
from server.routes.pages.account import fresh_sign_in
from server.routes.pages.account.profile import to_sign_in
from server.routes.pages.shared import fields, frame
from server.service.accounts import tokens
from server.service.accounts.players import Player
from server.service.accounts.scopes import SCOPES
from server.service.common import checks
from server.service.common.errors import Conflict, ServiceError, bad_field
from server.service.common.naming import GONE, server_name, spoken
from server.service.leaving import deletion, personal_export
from server.storage.models import utc

blp = Blueprint("own-data-pages", __name__)
_DAYS = (7, 30, 90, 365)


def _signed_in() -> Player | None:
    """Who sent the form, None for somebody whose session is over meanwhile."""
    frame.guard(frame.session_secret())
    return frame.visitor()


# Tokens


@blp.get("/account/tokens")
def listing() -> Response | Redirect:
    """The tokens for programs."""
    player = frame.visitor()
    return to_sign_in() if player is None else _tokens(player)


def _tokens(player: Player, status: int = 200, **values: Any) -> Response:
    found = tokens.listing(store(), player)
    shown = [
        {
            **one,
            "created": frame.local_time(one["created_at"]),
            "used": _when(one["last_used_at"]),
            "ends": _when(one["expires_at"]),
            "over": one["expires_at"] is not None and one["expires_at"] <= utc(now()),
            "may": language.listing([_may()[scope] for scope in one["scopes"]]),
        }
        for one in found
    ]
    values = {"made": None, "error": "", "name": "", "chosen": ("read", "play"), "days": "", **values}
    return frame.page(
        "tokens",
        status,
        form=frame.form_token(frame.session_secret()),
        tokens=shown,
        full=sum(not one["over"] for one in shown) >= tokens.TOKENS_MAX,
        may=_may(),
        spans=_spans(),
        most=tokens.TOKENS_MAX,
        sure=not fresh_sign_in.needed(player),
        public_url=settings().public_url,
        **values,
    )


def _may() -> dict[str, str]:
    """What each scope lets a token do."""
    return {
        "read": _("read your games and your profile"),
        "play": _("play, write and make games in your name"),
        "account": _("change your account, and delete it"),
    }


def _spans() -> list[tuple[str, str]]:
    """After how many days a token may end, "" for never, with words."""
    spans = [(str(days), language.ngettext("in %(num)s day", "in %(num)s days", days)) for days in _DAYS]
    return [("", _("never by itself")), *spans]


def _when(stored: str | None) -> str | None:
    return None if stored is None else frame.local_time(stored)


@blp.post("/account/tokens")
def create() -> Response | Redirect:
    """A new token, shown on this page alone."""
    player = _signed_in()
    if player is None:
        return to_sign_in()
    if fresh_sign_in.needed(player):
        return fresh_sign_in.asked(url_for("own-data-pages.listing"))
    name, days = frame.text_field("name", 400), fields.whole(frame.text_field("ends", 6))
    chosen = [scope for scope in SCOPES if frame.text_field(f"may_{scope}", 3)]
    ends = utc(now() + timedelta(days=days)) if days in _DAYS and days is not None else None
    try:
        if not chosen:
            raise bad_field("scopes", _("Choose at least one thing that it may do."))
        made = tokens.create(store(), player, name, now(), wanted=chosen, expires_at=ends)
    except ServiceError as refusal:
        typed = {"name": name, "chosen": chosen, "days": "" if ends is None else str(days)}
        return frame.refused(_tokens(player, refusal.status, error=fields.reason(refusal), **typed), refusal)
    return _tokens(player, 201, made=made)


@blp.post("/account/tokens/<token_id>/name")
def rename(token_id: str) -> Response | Redirect:
    """Another name for a token."""
    return _change(lambda player: tokens.rename(store(), player, token_id, frame.text_field("name", 400)))


@blp.post("/account/tokens/<token_id>/revoke")
def revoke(token_id: str) -> Response | Redirect:
    """No program comes in by this token any more."""
    return _change(lambda player: tokens.revoke(store(), player, token_id, now()))


def _change(act: Callable[[Player], Any]) -> Response | Redirect:
    """Let the visitor's form `act` on a token; back to the list, or the list with what is wrong."""
    player = _signed_in()
    if player is None:
        return to_sign_in()
    try:
        act(player)
    except ServiceError as refusal:
        return frame.refused(_tokens(player, refusal.status, error=fields.reason(refusal)), refusal)
    return redirect(url_for("own-data-pages.listing"), 303)


# What is kept


@blp.get("/account/export")
def export() -> Response | Redirect:
    """All that the server keeps about the visitor, as a file."""
    player = frame.visitor()
    if player is None:
        return to_sign_in()
    disposition = f'attachment; filename="ulm-account-{player.id}.json"'
    headers = {"Content-Disposition": disposition, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return answer(personal_export.export(store(), player, now()), headers=headers)


# Going


@blp.get("/account/delete")
def farewell() -> Response | Redirect:
    """What deleting the account means, and the form that does it."""
    player = frame.visitor()
    return to_sign_in() if player is None else _farewell(player)


def _farewell(player: Player, status: int = 200, error: str = "", typed: str = "") -> Response:
    return frame.page(
        "delete_account",
        status,
        form=frame.form_token(frame.session_secret()),
        ends=deletion.consequences(store(), player),
        sure=not fresh_sign_in.needed(player),
        former=spoken(server_name(GONE)),
        error=error,
        typed=typed,
    )


@blp.post("/account/delete")
def delete() -> Response | Redirect:
    """Delete the account of somebody who typed its name."""
    player = _signed_in()
    if player is None:
        return to_sign_in()
    if fresh_sign_in.needed(player):
        return fresh_sign_in.asked(url_for("own-data-pages.farewell"))
    typed = frame.text_field("name", 400)
    if not checks.alike(typed.strip(), player.name):
        return _farewell(player, 422, _("This is not the name of your account."), typed)
    try:
        forget(deletion.delete_account(store(), player, now()))
    except Conflict as refusal:
        return _farewell(player, refusal.status, frame.sentence(refusal.message))
    answer = redirect(url_for("own-data-pages.gone"), 303)
    return frame.set_session(answer, None)


@blp.get("/account/gone")
def gone() -> Response:
    """Goodbye."""
    return frame.page("gone")
