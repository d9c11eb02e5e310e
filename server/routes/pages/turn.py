"""`/t/TOKEN`: the turn of one seat of one game, from the link of a mail."""

from __future__ import annotations

from flask import Blueprint, Response, redirect
from werkzeug.wrappers import Response as Redirect

from server.engine.tables import SLOTS
from server.language import gettext as _
from server.service import turn_page
from server.service.errors import NotFound
from server.service.turn_page import TurnPage

from ..context import now, store
from . import door as doors
from . import game

blp = Blueprint("turn-pages", __name__)


@blp.get("/t/<token>")
def turn(token: str) -> Response:
    """The turn, or what became of it."""
    return game.page(doors.of_link(token), _look(token))


@blp.get("/t/<token>/push/<slot>")
def push(token: str, slot: str) -> Redirect:
    """The turn with a push drafted: mails lead here. Where it is not possible, the page of the turn says so."""
    if slot not in SLOTS:
        raise NotFound(_("there is no such slot: choose a push on the page of your turn"))
    shown = turn_page.look(store(), token, now())
    move, door = f"push {slot}", doors.of_link(token)
    if shown.draft is None:
        return redirect(door.here, 303)
    if move in shown.draft.options:
        return redirect(door.draft(shown.draft.ply, [move]), 303)
    return redirect(door.draft(shown.draft.ply, [], ask=move), 303)


@blp.post("/t/<token>/turn")
def play(token: str) -> Response | Redirect:
    """Play the drafted moves and one more."""
    return game.act(doors.of_link(token), lambda: _look(token), lambda: turn_page.play(
        store(), token, game.form_ply(), game.form_moves(), game.form_key(), now()
    ))


@blp.post("/t/<token>/undo")
def undo(token: str) -> Response | Redirect:
    """Take back moves that were sent."""
    return game.act(doors.of_link(token), lambda: _look(token), lambda: turn_page.undo(
        store(), token, game.form_ply(), now()
    ))


@blp.post("/t/<token>/return")
def come_back(token: str) -> Response | Redirect:
    """End the autopilot of the seat."""
    return game.act(doors.of_link(token), lambda: _look(token), lambda: turn_page.come_back(store(), token, now()))


@blp.get("/t/<token>/resign")
def resign(token: str) -> Response:
    """Ask whether it is meant."""
    door, shown = doors.of_link(token), _look(token)
    return game.resign_page(door, shown) if shown.live else game.page(door, shown)


def _look(token: str) -> TurnPage:
    return turn_page.look(store(), token, now(), *game.asked_draft())
