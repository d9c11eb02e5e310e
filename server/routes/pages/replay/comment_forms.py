"""`/replays/ID/comments`: what is written about the moves of a finished game, below its board."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as Redirect

from server.routes.http import browser_session
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.replay.viewer import ANALYSIS, viewer_page
from server.routes.pages.shared import forms, page_addresses
from server.routes.pages.shared.newcomers import REFUSALS, secret
from server.service.accounts.players import Player
from server.service.archive import comments
from server.service.common.errors import Forbidden, NotFound, TooLarge

blp = Blueprint("comment-pages", __name__)


@blp.post("/replays/<id:game_id>/comments")
def write(game_id: str) -> Response | Redirect:
    """Write about the move on the board."""
    text, key = forms.text_field("text"), forms.text_field("key", 32) or None
    return _done(game_id, text, lambda player, ply: comments.post(store(), game_id, player, ply, text, now(), key))


@blp.post("/replays/<id:game_id>/comments/remove")
def remove(game_id: str) -> Response | Redirect:
    """Take one away."""
    number = forms.text_field("comment", 20)
    return _done(game_id, "", lambda player, _ply: comments.remove(store(), game_id, player, number))


@blp.post("/replays/<id:game_id>/comments/allow")
def allow(game_id: str) -> Response | Redirect:
    """Let others write, or not any more."""
    others = bool(forms.text_field("others", 5))
    return _done(game_id, "", lambda player, _ply: comments.allow(store(), game_id, player, others))


def _done(game_id: str, written: str, act: Callable[[Player, int], object]) -> Response | Redirect:
    """Do it, and lead back to the same move; or say there why not."""
    forms.guard(secret())
    player = browser_session.visitor()
    ply, seat = forms.whole(forms.text_field("ply", 8)) or 0, forms.whole(forms.text_field("seat", 2))
    tab = ANALYSIS if forms.text_field("tab", 10) == ANALYSIS else None
    if player is None:
        return page_addresses.to_sign_in()
    try:
        act(player, ply)
    except (*REFUSALS, Forbidden, NotFound, TooLarge) as refusal:
        again = viewer_page(game_id, player, ply, seat, status_of(refusal), refusal=refusal, tab=tab, written=written)
        return forms.refused(again, refusal)
    there = url_for("replay-pages.watch", game_id=game_id, ply=ply, seat=seat, tab=tab, _anchor="comments")
    return redirect(there, 303)
