"""What the players of a running game propose to each other: what is asked, and what can be proposed now."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import url_for

from server import language
from server.language import gettext as _
from server.routes.http.context import now
from server.routes.pages.game.access import GameAccess
from server.routes.pages.shared import game_wording, page_addresses
from server.routes.pages.shared.visitor_preferences import local_time
from server.service.explain import proposal_words
from server.service.games.model import SANDBOX
from server.service.games.proposals import SILENT, ShownProposal
from server.service.views.turn_page import TurnPage
from server.storage.times import parse_utc

MORE_HOURS = (6, 24, 72, 168)
"""What can be given to another at once."""


def values(access: GameAccess, shown: TurnPage, zone: str) -> dict[str, Any] | None:
    """The values for `pages/game/parts/proposals.html`; None where nobody is there to agree with."""
    page, seat = shown.page, shown.seat
    if access.by_link or seat is None or shown.resigned or page["status"] != "running" or page["origin"] == SANDBOX:
        return None
    people = [other for other in _people(shown) if other != seat]
    if not people or shown.autopilot:
        return None
    found = page["proposal"]
    return {
        "found": None if found is None else _found(shown, found, seat, zone),
        "gone": [(other, shown.names[other]) for other in people if _is_gone(shown, other)],
        "levels": game_wording.levels(),
        "slow": _slow(shown, people),
        "hours": [(hours, language.span(timedelta(hours=hours))) for hours in MORE_HOURS],
        "own_end": _is_own_end(shown, seat),
    }


def _found(shown: TurnPage, found: ShownProposal, seat: int, zone: str) -> dict[str, Any]:
    """What is proposed, and what the reader has to do with it."""
    waits = [other for other in found["asked"] if other not in found["agreed"]]
    link = url_for("lobby-pages.join", game_id=shown.game_id, invitation=found["invitation"])
    return {
        **found,
        "words": proposal_words.asked(found, shown.names, shown.page["options"]["tower"], seat),
        "asks": seat in waits,
        "may_end": seat in found["asked"],
        "waits": language.listing([_("you") if other == seat else shown.names[other] for other in waits]),
        "until": local_time(found["ends_at"], zone),
        "name": shown.names[found["seat"]] if found["seat"] is not None else "",
        "link": page_addresses.public_address(link) if found["invitation"] else None,
    }


def _people(shown: TurnPage) -> list[int]:
    """The seats of people who still play."""
    places = [place for place in shown.page["players"] if place is not None and place["bot"] is None]
    return [place["seat"] for place in places if not shown.gave_up(place["seat"])]


def _is_gone(shown: TurnPage, seat: int) -> bool:
    """Whether the player of a seat does not come; the service knows of vacations, too."""
    page, place = shown.page, shown.page["players"][seat]
    if page["clock"] is not None:
        return place is not None and place["autopilot"]
    began = page["turn_began_at"]
    return seat == page["to_move"] and began is not None and now() - parse_utc(began) >= SILENT


def _slow(shown: TurnPage, people: list[int]) -> tuple[int, str] | None:
    """Who could be given more time, with their name."""
    seat = shown.page["to_move"]
    if seat not in people or shown.page["deadline"] is None or _is_gone(shown, seat):
        return None
    return seat, shown.names[seat]


def _is_own_end(shown: TurnPage, seat: int) -> bool:
    """Whether the newest that all have seen is the end of the reader's turn."""
    newest = shown.story.moves[-1:] if not shown.live else []
    return bool(newest) and newest[0].seat == seat and newest[0].move == "end"
