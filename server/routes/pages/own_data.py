"""`/account/tokens`, `…/export`, `…/delete`: what programs may do in one's name, and what is kept of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import gettext as _
from server.service import checks, deletion, personal, tokens
from server.service.accounts import Player
from server.service.called import GONE, server_name, spoken
from server.service.errors import Conflict, ServiceError

from ..answers import answer
from ..context import forget, now, settings, store
from . import fields, frame
from .profile import to_sign_in

blp = Blueprint("own-data-pages", __name__)


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
    shown = [{**one, "created": frame.local_time(one["created_at"]), "used": _used(one)} for one in found]
    values = {"made": None, "error": "", "name": "", **values}
    return frame.page(
        "tokens",
        status,
        form=frame.form_token(frame.session_secret()),
        tokens=shown,
        full=len(found) >= tokens.TOKENS_MAX,
        most=tokens.TOKENS_MAX,
        public_url=settings().public_url,
        **values,
    )


def _used(token: dict[str, Any]) -> str | None:
    return None if token["last_used_at"] is None else frame.local_time(token["last_used_at"])


@blp.post("/account/tokens")
def create() -> Response | Redirect:
    """A new token, shown on this page alone."""
    player = _signed_in()
    if player is None:
        return to_sign_in()
    name = frame.text_field("name", 400)
    try:
        made = tokens.create(store(), player, name, now())
    except ServiceError as refusal:
        return frame.refused(_tokens(player, refusal.status, error=fields.reason(refusal), name=name), refusal)
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
    return answer(personal.export(store(), player, now()), headers=headers)


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
