"""What the page says of the turn as a whole: whose it is, which of its three steps is under way, and how it ends."""

from __future__ import annotations

from typing import Any

from server import language
from server.engine import rulesets
from server.language import gettext as _
from server.service.views.drafts import Draft
from server.service.views.turn_page import TurnPage

_BEFORE_ACTIONS = ("draw", "keep", "push")
END = "end"


def steps(shown: TurnPage, ask: str | None) -> list[dict[str, str]]:
    """The three steps of the turn under way, each with its name and its `state`: past, here or ahead; [] when nobody is
    to move. `ask` as of `own_turn.values`."""
    view = shown.view
    if view is None or shown.page["status"] != "running":
        return []
    drawn = view["phase"] not in ("draw", "keep")  # for most the server draws: there is nothing to draw then
    names = (_("Push") if drawn else _("Draw and push"), _("Act"), _("End"))
    here = 0 if view["phase"] in _BEFORE_ACTIONS else 1
    if here and shown.draft is not None and (ask == END or _is_done(shown.draft)):
        here = 2
    states = [("past", "here", "ahead")[(at >= here) + (at > here)] for at in range(len(names))]
    return [{"name": name, "state": state} for name, state in zip(names, states, strict=True)]


def _is_done(draft: Draft) -> bool:
    """Nothing is left but to end the turn."""
    return all(group.kind == END or not group.options for group in draft.groups)


def ending(shown: TurnPage, ask: str | None) -> dict[str, Any] | None:
    """The button that ends the turn, which is on a player's page in every phase, or None when the game is over.

    `possible`: it can be ended; `sends`: at once, since nothing is lost by it, else the page asks; `primary`: nothing
    else is left to do; `why`: what comes before, when it is not possible.
    """
    draft, status = shown.draft, shown.page["status"]
    if status == "finished" or shown.reader is None:
        return None
    possible = draft is not None and END in draft.options and ask != END
    why = ""
    if draft is None:
        why = _("It is not your turn.")
    elif draft.view["pending"]:
        why = _("Answer first.")
    elif draft.view["phase"] in _BEFORE_ACTIONS:
        why = _("First draw a tile and push it in.")
    return {
        "possible": possible,
        "sends": possible and draft is not None and not draft.lost,
        "primary": possible and ask is None and draft is not None and _is_done(draft),
        "why": "" if possible else why,
    }


def headline(shown: TurnPage) -> str:
    """The first thing that the page says."""
    page = shown.page
    if shown.live:
        return _("Your turn")
    if page["status"] == "finished":
        return _("The game is over")
    if page["status"] == "abandoned":
        return _("The game was given up")
    if page["status"] == "open":
        return _("Waiting for players")
    if shown.reader is None and shown.seat is not None:
        return _("This turn is over")
    if page["thinking"]:
        return _("%(name)s is thinking …", name=_to_move(shown))
    return _("It is %(name)s’s turn", name=_to_move(shown))


def is_last_round(shown: TurnPage) -> bool:
    """Whether the game runs and ends with this round."""
    view = shown.view
    if view is None or shown.page["status"] != "running":
        return False
    return bool(view["round"] == rulesets.of(view["ruleset"]).rounds)


def _to_move(shown: TurnPage) -> str:
    seat = shown.page["to_move"]
    return "" if seat is None else shown.names[seat]


def lead(shown: TurnPage) -> str:
    """What is to be done first, or what there is to know for somebody who is not to move."""
    return _waiting(shown) if shown.draft is None else lead_of_draft(shown.draft)


def _waiting(shown: TurnPage) -> str:
    """What there is to know for somebody who is not to move."""
    page = shown.page
    if page["status"] == "finished":
        winners = [shown.names[winner] for winner in (page["result"]["winners"] if page["result"] else [])]
        if len(winners) == 1:
            return _("%(name)s wins.", name=winners[0])
        return _("%(names)s share the victory.", names=language.listing(winners))
    if page["status"] == "abandoned":
        return _("Nobody was left to play it.")
    if page["status"] == "open":
        return _("The game starts when every seat is taken.")
    if shown.reader is None and shown.seat is not None:
        if page["to_move"] == shown.seat:
            return _("It is your turn again. Use the link in the newest mail, or sign in.")
        return _("It is %(name)s’s turn now.", name=_to_move(shown))
    if shown.reader is None:
        return _("You are watching.")
    if page["thinking"]:
        return _("The moves will appear here in a moment, by themselves.")
    return _("This page tells you when it is yours; a mail comes too, if you have asked for mail.")


def lead_of_draft(draft: Draft) -> str:
    """What is to be done first."""
    if draft.view["pending"]:
        return _("Make this choice first.")
    return {
        "draw": _("Draw a tile to begin."),
        "keep": _("Keep one of your two tiles."),
        "push": _("Push your tile in: choose an open gate."),
    }.get(draft.view["phase"], _("Use your tiles in any order, then end your turn."))
