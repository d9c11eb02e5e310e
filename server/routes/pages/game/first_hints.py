"""The line "what now" in somebody's first game, until they want no more of it."""

from __future__ import annotations

from server.routes.http.context import store
from server.routes.pages.shared import visitor_preferences
from server.service.learning import first_turns
from server.service.lists import beginners
from server.service.views.turn_page import TurnPage


def of(shown: TurnPage) -> str | None:
    """What to do now, for somebody who is to move and has finished no game; None for others, and for who has sent the
    line away in this browser."""
    if shown.draft is None or visitor_preferences.hints_are_off():
        return None
    said = first_turns.hint(shown.draft)
    player = shown.page["players"][shown.draft.seat]
    if said is None or player is None or player["player"] is None:
        return None
    return said if beginners.is_beginner(store(), player["player"]) else None
