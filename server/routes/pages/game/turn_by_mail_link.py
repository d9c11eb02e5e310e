"""`/t/TOKEN`: the turn of one seat of one game, from the link of a mail; and what an old link leads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from server.engine import rulesets
from server.engine.ulm1.tables import SLOTS
from server.language import gettext as _
from server.language import sentence
from server.routes.http.context import now, store
from server.routes.http.problem_details import status_of
from server.routes.pages.game import game_forms, game_page
from server.routes.pages.game.access import link_access
from server.routes.pages.game.game_forms import form_key, form_moves, form_ply
from server.routes.pages.shared import forms, rendering
from server.service.common.errors import NotFound, TooManyRequests
from server.service.views import turn_page
from server.service.views.turn_page import LinkOverError, TurnPage

blp = Blueprint("turn-pages", __name__)


@blp.get("/t/<token>")
def turn(token: str) -> Response:
    """The turn, or what became of it."""
    return _page(token)


@blp.get("/t/<token>/move/<path:words>")
def move(token: str, words: str) -> Redirect:
    """The turn with a move drafted: mails lead here. What a draft cannot hold, because it reveals something or ends the
    turn, the page puts to the player above all else; and of what is not possible it says so."""
    return _drafted(token, words.replace("/", " "))


@blp.get("/t/<token>/push/<slot>")
def push(token: str, slot: str) -> Redirect:
    """The same for a push: mails led here until there were links for all moves."""
    if slot not in SLOTS:
        raise NotFound(_("there is no such slot: choose a push on the page of your turn"))
    return _drafted(token, f"push {slot}")


def _drafted(token: str, text: str) -> Redirect:
    draft, access = turn_page.page_of_link(store(), token, now()).draft, link_access(token)
    if draft is None:
        return redirect(access.here, 303)
    if text not in rulesets.rules_for(draft.view["ruleset"]).notation.moves:
        raise NotFound(_("there is no such move: choose one on the page of your turn"))
    if text in draft.options and text not in draft.sending:
        return redirect(access.draft(draft.ply, [text]), 303)
    return redirect(access.draft(draft.ply, [], ask=text), 303)


@blp.post("/t/<token>/turn")
def play(token: str) -> Response | Redirect:
    """Play the drafted moves and one more."""
    return _act(token, lambda: turn_page.play(store(), token, form_ply(), form_moves(), form_key(), now()))


@blp.post("/t/<token>/undo")
def undo(token: str) -> Response | Redirect:
    """Take back moves that were sent."""
    return _act(token, lambda: turn_page.undo(store(), token, form_ply(), now()))


@blp.post("/t/<token>/return")
def come_back(token: str) -> Response | Redirect:
    """End the autopilot of the seat."""
    return _act(token, lambda: turn_page.come_back(store(), token, now()))


def _act(token: str, change: Callable[[], Any]) -> Response | Redirect:
    return game_forms.act(link_access(token), lambda: _look(token), change)


@blp.post("/t/<token>/present")
def send_present(token: str) -> Response | Redirect:
    """Send the link of the present turn to the address of the account. The answer is the same whoever is to move."""
    forms.guard(token)
    try:
        turn_page.send_present(store(), token, request.remote_addr or "", now())
    except TooManyRequests as refusal:
        return forms.refused(_page(token, sentence(refusal.message), status_of(refusal)), refusal)
    return redirect(f"{link_access(token).here}?sent=1", 303)


@blp.get("/t/<token>/resign")
def resign(token: str) -> Response:
    """Ask whether it is meant."""
    access, shown = link_access(token), _look(token)
    return game_page.resign_page(access, shown) if shown.live else game_page.page(access, shown)


def _look(token: str) -> TurnPage:
    return turn_page.page_of_link(store(), token, now(), *game_forms.asked_draft())


def _page(token: str, refusal: str | None = None, status: int = 200) -> Response:
    access = link_access(token)
    try:
        shown = _look(token)
    except LinkOverError as over:
        return rendering.page(
            "game/turn_over",
            status_of(over) if status == 200 else status,
            access=access,
            form=forms.form_token(access.secret),
            refusal=refusal,
            **game_page.behind(over.page),
        )
    return game_page.page(access, shown, refusal, status)
