"""What a bot would play: the button that asks for it, and the answer, move by move as the player drafts them."""

from __future__ import annotations

from typing import Any

from server.routes.http.context import store
from server.routes.pages.game import move_pictures
from server.routes.pages.game.session_or_link import Door
from server.service.play import hints
from server.service.views.turn_page import TurnPage


def values(door: Door, shown: TurnPage) -> dict[str, Any] | None:
    """The values for `pages/game/parts/advice.html`; None where no hint can be asked for, as by the link of a mail.

    `option` is the next move of the hint, where what is drafted so far are its first ones.
    """
    draft, page = shown.draft, shown.page
    if draft is None or door.by_link or not page["hints"] or page["thinking"] or page["seat"] is None:
        return None
    plan = hints.plan(store(), page["id"], page["seat"], page["view"])
    drafted = draft.moves
    option = None
    if plan and len(plan) > len(drafted) and plan[: len(drafted)] == drafted:
        option = draft.options.get(plan[len(drafted)])
    return {
        "asked": plan is not None,
        "thinking": plan == [],
        "option": option,
        "label": None if option is None else move_pictures.full_label(option, shown.story.rules),
        "left": bool(plan) and option is None,
        "seen": sum(place is not None and place["bot"] is None for place in page["players"]) > 1,
    }
