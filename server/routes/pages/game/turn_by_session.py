"""`/games/ID`: a game and the turn in it, for who is signed in, or for a stranger."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.routes.http import browser_session
from server.routes.http.context import now, store
from server.routes.pages.game import game_page, turn_forms
from server.routes.pages.game import session_or_link as doors
from server.routes.pages.shared import forms
from server.service.play import hints, timeouts, turns
from server.service.views import turn_page
from server.service.views.turn_page import TurnPage

blp = Blueprint("game-pages", __name__)


@blp.get("/games/<id:game_id>")
def game(game_id: str) -> Response | Redirect:
    """The game for who is signed in, or for a stranger; whoever comes with an invitation is asked to join."""
    if "invitation" in request.args:
        invitation = request.args["invitation"][:100]
        return redirect(url_for("lobby-pages.join", game_id=game_id, invitation=invitation), 303)
    forms.form_token(forms.NOBODY)  # the first of all writes a key
    with store().read():  # one transaction for all that the page reads
        return game_page.page(doors.of_session(game_id), _look(game_id))


@blp.post("/games/<id:game_id>/turn")
def play(game_id: str) -> Response | Redirect:
    """Play the drafted moves and one more."""
    door = doors.of_session(game_id)
    return turn_forms.act(
        door,
        lambda: _look(game_id),
        lambda: turns.play(
            store(),
            game_id,
            turn_forms.member(door),
            turn_forms.form_ply(),
            turn_forms.form_moves(),
            turn_forms.form_key(),
            now(),
        ),
    )


@blp.post("/games/<id:game_id>/hint")
def hint(game_id: str) -> Response | Redirect:
    """Ask what a bot would play; the page says it when it is found. What is drafted is played first: a hint is about a
    position of the game, and whoever asks in the midst of a turn means the one that they see."""
    door = doors.of_session(game_id)

    def ask() -> None:
        player = turn_forms.member(door)
        if moves := turn_forms.form_moves():
            turns.play(store(), game_id, player, turn_forms.form_ply(), moves, turn_forms.form_key(), now())
        hints.ask(store(), player, game_id, now())

    return turn_forms.act(door, lambda: _look(game_id), ask)


@blp.post("/games/<id:game_id>/undo")
def undo(game_id: str) -> Response | Redirect:
    """Take back moves that were sent."""
    door = doors.of_session(game_id)
    return turn_forms.act(
        door,
        lambda: _look(game_id),
        lambda: turns.undo(store(), game_id, turn_forms.member(door), turn_forms.form_ply(), now()),
    )


@blp.post("/games/<id:game_id>/return")
def come_back(game_id: str) -> Response | Redirect:
    """End the autopilot of the own seat."""
    door = doors.of_session(game_id)
    return turn_forms.act(
        door, lambda: _look(game_id), lambda: timeouts.come_back(store(), turn_forms.member(door), game_id)
    )


@blp.get("/games/<id:game_id>/resign")
def resign(game_id: str) -> Response:
    """Ask whether it is meant."""
    door, shown = doors.of_session(game_id), _look(game_id)
    return game_page.resign_page(door, shown) if shown.may_resign else game_page.page(door, shown)


def _look(game_id: str) -> TurnPage:
    return turn_page.page_of_game(store(), game_id, browser_session.visitor(), *turn_forms.asked_draft())
