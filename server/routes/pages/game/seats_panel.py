"""The seats above the board: who sits there, what lies before them, and what else is to be known of them."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from markupsafe import Markup

from server import language
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import Score, View
from server.engine.ulm1.tables import QUARTERS
from server.language import gettext as _
from server.language import ngettext
from server.routes.pages.game import move_pictures
from server.routes.pages.shared import score_parts
from server.routes.pages.shared.html_cache import kept, render
from server.routes.pages.shared.icons import icon, seat_mark
from server.service.explain import game_words
from server.service.lists.game_lists import SeatedPlayer
from server.service.lists.game_page import GamePage
from server.service.views.turn_page import TurnPage


def html(shown: TurnPage, view: View | None = None, past: bool = False) -> Markup:
    """What `seats` says, as items of a list."""
    # Each seat is kept by itself: a move changes what lies before one or two.
    return Markup("\n").join([_seat(repr(one), one) for one in seats(shown, view, past)])


@kept(1000)  # 0.52 ms a page
def _seat(made_of: str, one: dict[str, Any]) -> Markup:
    return render("game/parts/seats", one=one, seat_mark=seat_mark, icon=icon, count=_count, tile=move_pictures.tile)


def seats(shown: TurnPage, view: View | None = None, past: bool = False) -> list[dict[str, Any]]:
    """What there is to say of each seat: who sits there and, once the game has begun, what lies before them.

    `past`: `view` is an earlier position, of which only what it holds is said.
    """
    page, view = shown.page, view or shown.view
    winners = page["result"]["winners"] if page["result"] and not past else []
    standing = _standing(shown)
    reserves = [] if past else page["reserve_seconds"] or []
    found = []
    for seat, place in enumerate(page["players"]):
        one: dict[str, Any] = {
            "seat": seat,
            "name": None if place is None else _("You") if seat == shown.reader else shown.names[seat],
            "past": past,
            "you": seat == shown.reader,
            "active": (past or page["status"] == "running") and view is not None and view["active"] == seat,
            "marks": [] if place is None else _marks(page, view, seat, place, past, shown.names[seat]),
            "winner": seat in winners,
            "has": None,
            "lies": None,
            "now": None,
            "parts": [],
            "reserve": None,
        }
        if seat < len(reserves) and (left := reserves[seat]) and page["status"] == "running":
            one["reserve"] = language.span(timedelta(seconds=left))
        if view is not None:
            player = view["players"][seat]
            one["has"] = {key: player[key] for key in ("coins", "sparrows", "seals", "crests", "hand_size", "resigned")}
            one["vp"] = view["scores"][seat]["total"] if view["scores"] else player["vp"]
            one["lies"] = _lies(view, seat)
            if standing and not past and not view["scores"]:
                one["now"] = standing[seat]
                one["parts"] = _parts(standing[seat])
        # Of two bots of one level the number tells which is which: it is never cut off.
        numbered = _NUMBERED.fullmatch(one["name"] or "")
        one["stem"], one["behind"] = numbered.groups() if numbered else (one["name"], "")
        found.append(one)
    return found


_NUMBERED = re.compile(r"(.+) (\(\d+\))", re.DOTALL)


def _parts(score: Score) -> list[tuple[str, int]]:
    """What a score consists of, by the names of the result page, and what it is in all."""
    names = {**score_parts.labels(), "vp": _("Points so far")}
    return [*((names[part], value) for part, value in score_parts.points(score).items()), (_("Total"), score["total"])]


def _standing(shown: TurnPage) -> list[Score] | None:
    """What each seat would have if the game ended now, as the page shows it; None where there is nothing to show."""
    return (shown.standing if shown.draft is None else shown.draft.standing) or None


def _lies(view: View, seat: int) -> dict[str, Any]:
    """What else lies before a seat, in words: tiles, coats, Descendants, cards on the table."""
    rules = rulesets.of(view["ruleset"])
    words, player = game_words.words(rules), view["players"][seat]
    return {
        "tiles": [(color, words.action_names[color], number) for color, number in player["tiles"].items() if number],
        "coats": [coat(rules, name) for name in player["coats"]],
        "people": [(words.descendants[name], words.descendant_effects[name]) for name in player["descendants"]],
        "table": [game_words.card(rules, name) for name in player["table"]],
        "played": player["played"],
    }


def coat(rules: Rules, name: str) -> str:
    """Return in words what a coat of arms is worth (W5)."""
    points, quarter, later = rules.coats[name]
    if quarter is None:
        return _("%(name)s: %(vp)s VP", name=name, vp=points)
    where = game_words.words(rules).quarters[QUARTERS[quarter]]
    return _(
        "%(name)s: %(vp)s VP, %(later)s more for each seal in %(quarter)s",
        name=name,
        vp=points,
        later=later,
        quarter=where,
    )


def unreached(shown: TurnPage) -> str:
    """The names of those at the table, the reader left out, whom no mail reaches."""
    page = shown.page
    names = [shown.names[seat] for seat in page["mail_stopped"] if seat != shown.seat]
    return language.listing(names) if names and page["status"] in ("open", "running") else ""


def _marks(page: GamePage, view: View | None, seat: int, place: SeatedPlayer, past: bool, name: str) -> list[str]:
    """What else is to be known of who sits there, in words; `name` is what they are called."""
    marks = []
    bot = _("bot")
    if place["bot_of"] is not None:
        marks.append(_("bot of %(owner)s", owner=place["bot_of"]))
    elif place["bot"] is not None and bot.casefold() not in name.casefold():  # "random bot" says it itself
        marks.append(bot)
    if view is not None and view["players"][seat]["resigned"]:
        marks.append(_("resigned"))
    elif place["autopilot"] and not past and page["status"] == "running":
        marks.append(_("away, the server plays"))
    if page["hints_taken"][seat] and not past:
        marks.append(ngettext("%(num)s hint used", "%(num)s hints used", page["hints_taken"][seat]))
    if seat in page["mail_stopped"] and not past:
        marks.append(_("mail does not arrive"))
    if seat in page["pause_votes"] and not page["paused"] and not past:
        marks.append(_("wants a pause"))
    return marks


def _count(symbol: str, number: int, label: str) -> Markup:
    """How many there are of something, for the panel of a seat; `label` says it in words."""
    none = "" if number else Markup(' class="none"')
    text = Markup('<li%s>%s<span aria-hidden="true">%s</span><span class="sr">%s</span></li>')
    return text % (none, icon(symbol), number, label)
