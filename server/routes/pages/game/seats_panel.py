"""The seats beside the board: who sits there, what lies before them, and what else is to be known of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from markupsafe import Markup

from server import language
from server.engine.ulm1.shapes import View
from server.language import gettext as _
from server.routes.pages.shared.html_cache import kept, render
from server.routes.pages.shared.icons import icon, seat_mark
from server.service.lists.game_lists import SeatedPlayer
from server.service.lists.game_page import GamePage
from server.service.views.turn_page import TurnPage


def html(shown: TurnPage, view: View | None = None, past: bool = False) -> Markup:
    """What `seats` says, as items of a list."""
    # Each seat is kept by itself: a move changes what lies before one or two.
    return Markup("\n").join([_seat(repr(one), one) for one in seats(shown, view, past)])


@kept(1000)  # 0.52 ms a page
def _seat(made_of: str, one: dict[str, Any]) -> Markup:
    return render("game/parts/seats", one=one, seat_mark=seat_mark, count=_count)


def seats(shown: TurnPage, view: View | None = None, past: bool = False) -> list[dict[str, Any]]:
    """What there is to say of each seat: who sits there and, once the game has begun, what lies before them.

    `past`: `view` is an earlier position, of which only what it holds is said.
    """
    page, view = shown.page, view or shown.view
    winners = page["result"]["winners"] if page["result"] and not past else []
    reserves = [] if past else page["reserve_seconds"] or []
    found = []
    for seat, place in enumerate(page["players"]):
        one: dict[str, Any] = {
            "seat": seat,
            "name": shown.names[seat] if place is not None else None,
            "you": seat == shown.reader,
            "active": (past or page["status"] == "running") and view is not None and view["active"] == seat,
            "marks": [] if place is None else _marks(page, view, seat, place, past),
            "winner": seat in winners,
            "has": None,
            "reserve": None,
        }
        if seat < len(reserves) and (left := reserves[seat]) and page["status"] == "running":
            one["reserve"] = language.span(timedelta(seconds=left))
        if view is not None:
            player = view["players"][seat]
            one["has"] = {key: player[key] for key in ("coins", "sparrows", "seals", "crests", "hand_size", "resigned")}
            one["vp"] = view["scores"][seat]["total"] if view["scores"] else player["vp"]
        found.append(one)
    return found


def unreached(shown: TurnPage) -> str:
    """The names of those at the table, the reader left out, whom no mail reaches."""
    page = shown.page
    names = [shown.names[seat] for seat in page["mail_stopped"] if seat != shown.seat]
    return language.listing(names) if names and page["status"] in ("open", "running") else ""


def _marks(page: GamePage, view: View | None, seat: int, place: SeatedPlayer, past: bool) -> list[str]:
    """What else is to be known of who sits there, in words."""
    marks = []
    if seat == page["seat"]:
        marks.append(_("you"))
    if place["bot"] is not None:
        marks.append(_("bot"))
    if view is not None and view["players"][seat]["resigned"]:
        marks.append(_("resigned"))
    elif place["autopilot"] and not past and page["status"] == "running":
        marks.append(_("away, the server plays"))
    if seat in page["mail_stopped"] and not past:
        marks.append(_("mail does not get there"))
    if seat in page["pause_votes"] and not page["paused"] and not past:
        marks.append(_("wants a pause"))
    return marks


def _count(symbol: str, number: int, label: str) -> Markup:
    """How many there are of something, for the panel of a seat; `label` says it in words."""
    none = "" if number else Markup(' class="none"')
    text = Markup('<li%s>%s<span aria-hidden="true">%s</span><span class="sr">%s</span></li>')
    return text % (none, icon(symbol), number, label)
