"""What a bot would play: the button that asks for it, and the answer, move by move as the player drafts them."""

from __future__ import annotations

from typing import Any

from server.language import gettext as _
from server.routes.http.context import store
from server.routes.pages.game import move_pictures
from server.routes.pages.game.session_or_link import Door
from server.service.play import hints
from server.service.views import game_words
from server.service.views.move_choices import Option
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
        "label": None if option is None else _label(option, shown),
        "left": bool(plan) and option is None,
        "seen": sum(place is not None and place["bot"] is None for place in page["players"]) > 1,
    }


def _label(option: Option, shown: TurnPage) -> str:
    """What the move is called where no heading says which kind of move it is."""
    verb, *rest = option.move.split()
    if verb == "seal":
        return _("Seal in %(quarter)s", quarter=game_words.quarter(rest[0], shown.story.rules))
    if option.push:
        return _("Push in at %(slot)s", slot=option.label)
    return move_pictures.label(option, shown.story.rules)
