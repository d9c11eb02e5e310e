"""What an open page has to know to keep itself up to date: the attributes of its element `#live` (js/live.js)."""

from __future__ import annotations

from collections.abc import Mapping

from flask import url_for
from markupsafe import Markup, escape

from server.language import gettext as _
from server.routes.http import browser_session
from server.routes.http.context import store
from server.service.lists.game_page import GamePage
from server.service.views import live_events

OVER = ("finished", "abandoned")
"""In these a page has little to wait for, and the thread that a stream holds is worth more to others."""


def of_game(page: GamePage, here: str) -> Markup:
    """The attributes of the element `#live` of a game's page (js/live.js): where to listen, what the page shows, and
    what to say. `page` is the game as the page at `here` shows it."""
    found = live_events.describe(page, live_events.newest_message(store(), page))
    own = found["status"] == "running" and found["seat"] is not None and found["seat"] == found["to_move"]
    return _attributes(
        {
            "stream": "" if found["status"] in OVER else f"{here}/stream",
            "pulse": f"{here}/pulse",
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


def of_own_games() -> Markup:
    """The same for a page that lists the visitor's games. It has no stream: it asks now and then."""
    found = live_events.own_games(store(), browser_session.visitor())
    return _attributes(
        {
            "stream": "",
            "pulse": url_for("live-pages.own_pulse"),
            "tag": found["tag"],
            "turns": found["turns"],
            "your-turn": _("Your turn"),
        }
    )


def _attributes(data: Mapping[str, object]) -> Markup:
    return Markup("".join([f' data-{name}="{escape(value)}"' for name, value in data.items()]))  # noqa: S704 - escaped
