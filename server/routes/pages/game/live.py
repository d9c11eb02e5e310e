"""What keeps an open page up to date: a stream of events, and a small answer for those who ask now and then."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response

from server.routes.http import browser_session
from server.routes.http.answers import answer
from server.routes.http.caching import conditional
from server.routes.http.context import clock, now, session_idle, store
from server.routes.http.streams import follow
from server.service.accounts import sessions
from server.service.views import live_events, turn_page
from server.service.views.live_events import GameSubscription, LinkSubscription

blp = Blueprint("live-pages", __name__)
_OVER = ("finished", "abandoned")
"""In these a page has little to wait for, but for who sat there: a rematch may be offered, or something written."""


@blp.get("/games/<id:game_id>/stream")
def stream(game_id: str) -> Response:
    """The changes of a game for who is signed in, or for a stranger."""
    database, player, secret = store(), browser_session.visitor(), browser_session.session_secret()
    time, idle = clock(), session_idle()
    sight = GameSubscription(database, game_id, player)
    if player is None:
        return _stream(sight, None)
    # Who signs out, here or from another device, is told no more.
    return _stream(sight, player.id, lambda: sessions.player_of(database, secret, time(), idle) is not None)


@blp.get("/games/<id:game_id>/pulse")
@blp.get("/t/<token>/pulse")
@conditional
def pulse(game_id: str = "", token: str = "") -> Response:
    """The same once."""
    if token:
        return _pulse(live_events.by_link(store(), token, now()))
    return _pulse(live_events.glance(store(), game_id, browser_session.visitor()))


@blp.get("/t/<token>/stream")
def stream_by_link(token: str) -> Response:
    """The changes of a game for the eyes that the link of a turn has."""
    database, moment = store(), now()
    game_id, player = turn_page.eyes(database, token, moment)
    sight = LinkSubscription(database, game_id, lambda: live_events.by_link(database, token, moment))
    return _stream(sight, player.id if player else None)


@blp.get("/pulse")
@conditional
def own_pulse() -> Response:
    """Whether something changed in the visitor's games, and in how many it is their turn."""
    return _pulse(live_events.own_games(store(), browser_session.visitor()))


def _stream(sight: GameSubscription, caller: str | None, still: Callable[[], bool] = lambda: True) -> Response:
    # Without content a browser opens no stream again: the page asks for the pulse from then on.
    answered = follow(sight, caller, still, lambda: sight.status in _OVER and not sight.seated)
    return Response(status=204) if answered is None else answered


def _pulse(glance: live_events.GameGlance | live_events.GamesGlance) -> Response:
    response = answer(glance, headers={"ETag": f'"{glance["tag"]}"'})
    response.vary.add("Cookie")
    return response
