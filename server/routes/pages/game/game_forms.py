"""The forms of a game's page, and drafts as addresses: what they hold; doing what they ask for, or saying why not."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from server.language import gettext as _
from server.routes.http.problem_details import status_of
from server.routes.pages.game import panels
from server.routes.pages.game.access import GameAccess
from server.routes.pages.game.game_page import page
from server.routes.pages.shared import forms, page_addresses
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.errors import Conflict, Forbidden, ServiceError, TooManyRequests, Unprocessable
from server.service.views import drafts


def act(access: GameAccess, change: Callable[[], Any]) -> Response | Redirect:
    """Do what a form of the turn asks for and lead back to the page; when it is refused, show the page and say so."""
    forms.guard(access.secret)
    try:
        change()
    except (Conflict, Forbidden, Unprocessable) as refusal:
        # A link or a game that is none raises here again, and becomes its own page.
        return page(access, access.look(), _why(refusal), status_of(refusal))
    return redirect(access.here, 303)


def act_beside(
    access: GameAccess, part: str, change: Callable[[Player], Any], said: str = "", to: str = "", **typed: str
) -> Response | Redirect:
    """Do what a form beside the turn asks for and lead back to `part` of the page (or `to`); refused, the page says so
    there, and keeps what was `typed`.

    The page says that it was done where `panels.DONE` has words for it, by the name `said` (`part` when empty).
    """
    forms.guard(access.secret)
    if access.player is None:
        return page_addresses.to_sign_in(access.here)
    try:
        change(access.player)
    except (Conflict, Forbidden, TooManyRequests, Unprocessable) as refusal:
        panels.refuse(part, refusal, **typed)
        return forms.refused(page(access, access.look(), status=status_of(refusal)), refusal)
    return redirect(to or panels.back(access, part, said or part), 303)


def _why(refusal: ServiceError) -> str:
    """Why something was not done, for people: the service speaks to programs."""
    if isinstance(refusal, Conflict):
        return _("The game has moved on since you opened this page, so nothing was played. Here is how it stands now.")
    if isinstance(refusal, Forbidden):
        return _("It is not your turn, so nothing was played.")
    return _("That move is not possible now, so nothing was played.")


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


def form_key(least: int = 8) -> str:
    """A name for what the form does, so that it is done once; other moves or texts have others. `least`: its length."""
    key = checks.text("key", forms.text_field("key"), 64, least)
    what = forms.text_field("text") or drafts.write(form_moves())
    return f"{key}.{sha256(what.encode('utf-8', 'replace')).hexdigest()[:16]}"
