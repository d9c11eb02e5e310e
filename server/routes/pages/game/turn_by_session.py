"""`/games/ID`: a game and the turn in it, for who is signed in, or for a stranger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from server.language import gettext as _
from server.routes.http import browser_session
from server.routes.http.context import now, store
from server.routes.pages.game import game_forms, game_page
from server.routes.pages.game.access import session_access
from server.routes.pages.game.game_forms import form_key, form_moves, form_ply
from server.service.accounts.players import Player
from server.service.common.errors import Forbidden
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
    with store().read():  # one transaction for all that the page reads
        return game_page.page(session_access(game_id), _look(game_id))


@blp.post("/games/<id:game_id>/turn")
def play(game_id: str) -> Response | Redirect:
    """Play the drafted moves and one more."""
    return _act(game_id, lambda player: _play(game_id, player, form_moves()))


@blp.post("/games/<id:game_id>/hint")
def hint(game_id: str) -> Response | Redirect:
    """Ask what a bot would play; the page says it when it is found. What is drafted is played first: a hint is about a
    position of the game, and whoever asks in the midst of a turn means the one that they see."""

    def ask(player: Player) -> None:
        if moves := form_moves():
            _play(game_id, player, moves)
        hints.ask(store(), player, game_id, now())

    return _act(game_id, ask)


@blp.post("/games/<id:game_id>/undo")
def undo(game_id: str) -> Response | Redirect:
    """Take back moves that were sent."""
    return _act(game_id, lambda player: turns.undo(store(), game_id, player, form_ply(), now()))


@blp.post("/games/<id:game_id>/return")
def come_back(game_id: str) -> Response | Redirect:
    """End the autopilot of the own seat."""
    return _act(game_id, lambda player: timeouts.come_back(store(), player, game_id))


@blp.get("/games/<id:game_id>/resign")
def resign(game_id: str) -> Response:
    """Ask whether it is meant."""
    access, shown = session_access(game_id), _look(game_id)
    return game_page.resign_page(access, shown) if shown.may_resign else game_page.page(access, shown)


def _look(game_id: str) -> TurnPage:
    return turn_page.page_of_game(store(), game_id, browser_session.visitor(), *game_forms.asked_draft())


def _play(game_id: str, player: Player, moves: list[str]) -> None:
    turns.play(store(), game_id, player, form_ply(), moves, form_key(), now())


def _act(game_id: str, change: Callable[[Player], Any]) -> Response | Redirect:
    """Do what the visitor's form asks for; a stranger may not."""
    access = session_access(game_id)

    def do() -> None:
        if access.player is None:
            raise Forbidden(_("sign in first"))
        change(access.player)

    return game_forms.act(access, lambda: _look(game_id), do)
