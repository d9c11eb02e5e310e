"""The forms of a turn, and drafts as addresses: what they hold, and doing what they ask for or saying why not."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from server.language import gettext as _
from server.routes.pages.game.game_page import page
from server.routes.pages.game.session_or_link import Door
from server.routes.pages.shared import forms
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.errors import Conflict, Forbidden, ServiceError, Unprocessable
from server.service.views import drafts
from server.service.views.turn_page import TurnPage

REFUSALS = (Conflict, Forbidden, Unprocessable)


def act(door: Door, look: Callable[[], TurnPage], change: Callable[[], Any]) -> Response | Redirect:
    """Do what a form of the page asks for and lead back to it; when it is refused, show the page and say so."""
    forms.guard(door.secret)
    try:
        change()
    except REFUSALS as refusal:
        # A link or a game that is none raises here again, and becomes its own page.
        return page(door, look(), said(refusal), refusal.status)
    return redirect(door.here, 303)


def said(refusal: ServiceError) -> str:
    """Why something was not done, for people: the service speaks to programs."""
    if isinstance(refusal, Conflict):
        return _("The game has moved on since you opened this page, so nothing was played. Here is how it stands now.")
    if isinstance(refusal, Forbidden):
        return _("It is not your turn, so nothing was played.")
    return _("That move is not possible now, so nothing was played.")


def member(door: Door) -> Player:
    """Who acts. Raises `Forbidden` for a stranger."""
    if door.player is None:
        raise Forbidden(_("sign in first"))
    return door.player


def asked_draft() -> tuple[int | None, list[str]]:
    """The draft of the address: `ply`, `draft` and the one move more that a button adds."""
    if request.method != "GET":
        return None, []
    ply = forms.whole(request.args.get("ply", ""))
    moves = drafts.read(request.args.get("draft", "")[:4000])
    more = request.args.get("move", "")[:80]
    # The end of a turn is in no draft: the page asks about it (`game_page.asked`).
    return ply, [*moves, more] if more and more != "end" else moves


def form_ply() -> int:
    """The ply of a form. Raises `Unprocessable`."""
    ply = forms.whole(forms.text_field("ply", 20))
    if ply is None:
        raise Unprocessable(_("this form is incomplete; open the page again"))
    return ply


def form_moves() -> list[str]:
    """The drafted moves of a form and the one of its button."""
    moves = drafts.read(forms.text_field("draft"))
    more = forms.text_field("move", 80)
    return [*moves, more] if more else moves


def form_key() -> str:
    """A name for what the form does: sent twice, it is done once. Each button of a page is another."""
    key = checks.text("key", forms.text_field("key"), 64, 8)
    return f"{key}.{sha256(drafts.write(form_moves()).encode('utf-8', 'replace')).hexdigest()[:16]}"
