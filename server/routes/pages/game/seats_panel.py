"""What lies before the players: the seats above the board, and the reader's own mat below it."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from markupsafe import Markup

from server import language
from server.engine import rulesets
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import Score, View
from server.engine.ulm1.tables import COLORS, QUARTERS
from server.language import gettext as _
from server.language import ngettext
from server.routes.pages.game import explanations
from server.routes.pages.game.access import GameAccess
from server.routes.pages.game.board_links import links_of
from server.routes.pages.game.explanations import Thing
from server.routes.pages.shared import score_parts
from server.routes.pages.shared.icons import piece
from server.routes.pages.shared.rendering import render
from server.service.explain import game_words
from server.service.games import bots
from server.service.lists.game_lists import SeatedPlayer
from server.service.lists.game_page import GamePage
from server.service.views.turn_page import TurnPage


def seats_html(shown: TurnPage, view: View | None = None, past: bool = False) -> Markup:
    """What `seats` says, as items of a list."""
    view = view or shown.view
    rules = rulesets.NEWEST if view is None else rulesets.rules_for(view["ruleset"])
    return render(
        "game/parts/seats",
        seats=seats(shown, view, past),
        words=game_words.words(rules),
        coat=partial(coat, rules),
        card_name=partial(game_words.card, rules),
    )


def seats(shown: TurnPage, view: View | None, past: bool) -> list[dict[str, Any]]:
    """What there is to say of each seat; `past`: `view` is an earlier position, of which only what it holds is said."""
    page = shown.page
    running = page["status"] == "running"
    winners = page["result"]["winners"] if page["result"] and not past else []
    standing = shown.standing if shown.draft is None else shown.draft.standing
    known = bots.names()  # whoever has no account and is not here any more has no page
    reserves = page["reserve_seconds"] if running and not past else None
    found = []
    for seat, place in enumerate(page["players"]):
        name = None if place is None else _("You") if seat == shown.reader else shown.names[seat]
        # Of two bots of one level the number tells which is which: it is never cut off.
        numbered = _NUMBERED.fullmatch(name or "")
        stem, behind = numbered.groups() if numbered else (name, "")
        player = None if view is None else view["players"][seat]
        one: dict[str, Any] = {
            "seat": seat,
            "name": name,
            "page": None if place is None else place["player"] or (place["bot"] if place["bot"] in known else None),
            "stem": stem,
            "behind": behind,
            "past": past,
            "you": seat == shown.reader,
            "active": (past or running) and view is not None and view["active"] == seat,
            "marks": [] if place is None else _marks(page, view, seat, place, past, shown.names[seat]),
            "winner": seat in winners,
            "has": player,
            "vp": player and (view["scores"][seat]["total"] if view["scores"] else player["vp"]),  # type: ignore[index]
            "now": standing[seat] if standing and view is not None and not past and not view["scores"] else None,
            "reserve": language.span(left) if reserves and (left := reserves[seat]) else None,
        }
        one["parts"] = _parts(one["now"]) if one["now"] else []
        found.append(one)
    return found


_NUMBERED = re.compile(r"(.+) (\(\d+\))", re.DOTALL)


def _parts(score: Score) -> list[tuple[str, int]]:
    """What a score consists of, by the names of the result page, and what it is in all."""
    names = {**score_parts.labels(), "vp": _("Points so far")}
    return [*((names[part], value) for part, value in score_parts.points(score).items()), (_("Total"), score["total"])]


def coat(rules: Rules, name: str) -> str:
    """Return in words what a coat of arms is worth (W5)."""
    points, quarter, later = rules.coats[name]
    if quarter is None:
        return _("%(name)s: %(vp)s VP", name=name, vp=points)
    where = game_words.words(rules).quarters[QUARTERS[quarter]]
    told = {"name": name, "vp": points, "later": later, "quarter": where}
    return _("%(name)s: %(vp)s VP, %(later)s more for each seal in %(quarter)s", **told)


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


def mat_html(access: GameAccess, shown: TurnPage, ask: str | None) -> Markup:
    """The mat; "" for who looks on. What legal moves are about is a link; `ask` are the words of the address."""
    view, seat, draft = shown.view, shown.reader, shown.draft
    if view is None or seat is None:
        return Markup("")
    rules = rulesets.rules_for(view["ruleset"])
    words = game_words.words(rules)
    return render(
        "game/parts/mat",
        seat=seat,
        player=view["players"][seat],
        drawn=view["turn"]["tiles"] if view["active"] == seat else [],
        over=view["active"] is None,
        colors=COLORS,
        words=words,
        tell=game_words,
        links={} if draft is None else links_of(access, draft, ask),
        card_name=partial(game_words.card, rules),
        picture=partial(piece, rules, "card"),
        about=lambda kind, name: explanations.button(Thing(kind, name), rules),
        quarter=lambda name: (quarter := rules.coats[name][1]) is not None and words.quarters[QUARTERS[quarter]],
        later=lambda name: rules.coats[name][2],
        coat=partial(coat, rules),
    )
