"""What keeps an open page up to date: a stream of events, and a small answer for those who ask now and then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, url_for
from markupsafe import Markup, escape

from server.language import gettext as _
from server.routes.http.answers import answer
from server.routes.http.caching import conditional
from server.routes.http.context import clock, lifetimes, now, store
from server.routes.http.streams import follow
from server.routes.pages.game.door import Door
from server.routes.pages.shared import frame
from server.service.accounts import sessions
from server.service.views import live_events, turn_links

blp = Blueprint("live-pages", __name__)
# In these a page has little to wait for, and the thread that a stream holds is worth more to others.
_OVER = ("finished", "abandoned")


def values(door: Door, page: dict[str, Any]) -> Markup:
    """The attributes of the element `#live` of a game's page (js/live.js): where to listen, what the page shows, and
    what to say. `page` is the game as the page shows it (PAGE in docs/architecture.md)."""
    found = live_events.describe(page, live_events.newest_message(store(), page))
    own = found["status"] == "running" and found["seat"] is not None and found["seat"] == found["to_move"]
    return _attributes(
        {
            "stream": "" if found["status"] in _OVER else door.to("stream"),
            "pulse": door.to("pulse"),
            "tag": found["tag"],
            "ply": found["ply"],
            "status": found["status"],
            "mine": "1" if own else "",
            "your-turn": _("Your turn"),
            "moved": _("The game has moved on since you began to put these moves together."),
            "news": _("There is something new at this table. The page will show it when your moves are sent."),
            "show": _("Show how it stands now"),
        }
    )


def own_values() -> Markup:
    """The same for a page that lists the visitor's games. It has no stream: it asks now and then."""
    found = live_events.own_games(store(), frame.visitor())
    return _attributes(
        {
            "stream": "",
            "pulse": url_for("live-pages.own_pulse"),
            "tag": found["tag"],
            "turns": found["turns"],
            "your-turn": _("Your turn"),
        }
    )


def _attributes(data: dict[str, Any]) -> Markup:
    return Markup("".join([f' data-{name}="{escape(value)}"' for name, value in data.items()]))  # noqa: S704 - escaped


@blp.get("/games/<id:game_id>/stream")
def stream(game_id: str) -> Response:
    """The changes of a game for who is signed in, or for a stranger."""
    database, player, secret, time, limits = store(), frame.visitor(), frame.session_secret(), clock(), lifetimes()
    if player is None:
        return _stream(game_id, lambda: live_events.glance(database, game_id, None), None)
    # Who signs out, here or from another device, is told no more.
    still = lambda: sessions.player_of(database, secret, time(), limits) is not None  # noqa: E731
    return _stream(game_id, lambda: live_events.glance(database, game_id, player), player.id, still)


@blp.get("/games/<id:game_id>/pulse")
@conditional
def pulse(game_id: str) -> Response:
    """The same once."""
    return _pulse(live_events.glance(store(), game_id, frame.visitor()))


@blp.get("/t/<token>/stream")
def stream_by_link(token: str) -> Response:
    """The changes of a game for the eyes that the link of a turn has."""
    database, moment = store(), now()
    game_id, player = turn_links.eyes(database, token, moment)
    return _stream(game_id, lambda: live_events.by_link(database, token, moment), player.id if player else None)


@blp.get("/t/<token>/pulse")
@conditional
def pulse_by_link(token: str) -> Response:
    """The same once."""
    return _pulse(live_events.by_link(store(), token, now()))


@blp.get("/pulse")
@conditional
def own_pulse() -> Response:
    """Whether something changed in the visitor's games, and in how many it is their turn."""
    return _pulse(live_events.own_games(store(), frame.visitor()))


def _stream(
    game_id: str, look: live_events.Look, caller: str | None, still: Callable[[], bool] = lambda: True
) -> Response:
    # Without content a browser opens no stream again: the page asks for the pulse from then on.
    answered = None if look()["status"] in _OVER else follow(game_id, look, caller, still)
    return Response(status=204) if answered is None else answered


def _pulse(glance: dict[str, Any]) -> Response:
    response = answer(glance, headers={"ETag": f'"{glance["tag"]}"'})
    response.vary.add("Cookie")
    return response
