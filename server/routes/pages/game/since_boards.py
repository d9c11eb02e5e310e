"""`/games/ID/since`, `/t/TOKEN/since`: the boards of what happened since the reader's last turn, for js/since.js."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request

from server.routes.http import browser_session
from server.routes.http.context import now, store
from server.routes.pages.shared import forms
from server.service.accounts.players import Player
from server.service.views import since, turn_page
from server.service.views.turn_page import TurnPage

blp = Blueprint("since-pages", __name__)


@blp.get("/games/<id:game_id>/since")
def of_session(game_id: str) -> Response:
    """The boards for who is signed in, or for a stranger. `layout` is one of the board's; `after` leaves out what the
    page has shown already."""
    with store().read():
        player = browser_session.visitor()
        make = _prepared(turn_page.page_of_game(store(), game_id, player), player)
    return _answer(make)


@blp.get("/t/<token>/since")
def of_link(token: str) -> Response:
    """The same for the holder of a turn's link: for the seat's eyes while the link is live, else for a spectator's."""
    with store().read():
        shown = turn_page.page_of_link(store(), token, now())
        _game, eyes = turn_page.eyes(store(), token, now())
        make = _prepared(shown, eyes)
    return _answer(make)


def _prepared(shown: TurnPage, eyes: Player | None) -> Callable[[], bytes]:
    layout, after = request.args.get("layout", "desk"), forms.whole(request.args.get("after", ""))
    return since.boards(store(), shown, eyes, layout, after)


def _answer(make: Callable[[], bytes]) -> Response:
    headers = {"Content-Encoding": "gzip", "Cache-Control": "no-store"}
    return Response(make(), mimetype="application/json", headers=headers)
