"""`/ratings`: who plays a kind of game best; `/statistics`: what all public games add up to, as plots."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, request

from replays.stats import ShareForm
from server.board import charts
from server.board.charts import Bar
from server.language import gettext as _
from server.language import number
from server.routes.http.context import store
from server.routes.pages.shared import game_wording, rendering, score_parts
from server.service.accounts.bot_rules import VARIANTS
from server.service.archive import statistics
from server.service.common.naming import spoken
from server.service.explain.game_words import words
from server.service.lists import ratings

blp = Blueprint("standings-pages", __name__)


def _kind() -> tuple[str, int]:
    """Of which kind of game the page is asked for: the basic game of two where that says nothing else."""
    variant, seats = request.args.get("variant", ""), request.args.get("seats", "")
    return variant if variant in VARIANTS else "basic", int(seats) if seats in ("3", "4") else 2


@blp.get("/ratings")
def ranking() -> Response:
    """The list of one kind of game, people and bots."""
    variant, seats = _kind()
    found = [{**one, "name": spoken(one["name"])} for one in ratings.ranking(store(), variant, seats)]
    bots = [(bot, how, game_wording.strength(bot)) for bot, how in game_wording.levels()]
    return rendering.page("lobby/ratings", kind=(variant, seats), found=found, bots=bots)


@blp.get("/statistics")
def plots() -> Response:
    """Seats, points, openings and quarters of all public games of one kind."""
    variant, seats = _kind()
    told = statistics.totals(store(), seats=seats, tower=variant == "advanced")
    places = (_("First player"), _("Second player"), _("Third player"), _("Fourth player"))
    by_turn = {places[int(name.split()[1]) - 1]: share for name, share in told["by_turn_order"].items()}
    openings, quarters = (
        {words().quarters[name]: share for name, share in told[group].items()} for group in ("by_opening", "by_quarter")
    )
    sections = (
        (_("Who begins"), _won(by_turn),
         _("How often who had that place in the first round won. The broken line is a fair share.")),
        (_("How points are made"), _made(told["vp_by_source"]), _("Points of a player on average.")),
        (_("Openings"), _won(openings),
         _("Where a player’s first seal is placed, the most frequent first, and how often that player won.")),
        (_("Quarters"), _won(quarters), _("Where players have a seal in the end, and how often they won.")),
    )  # fmt: skip
    drawn = [(title, charts.bars(rows, title), note) for title, rows, note in sections if rows]
    return rendering.page("lobby/statistics", kind=(variant, seats), told=told, plots=drawn)


def _won(shares: Mapping[str, ShareForm]) -> list[Bar]:
    """How often who had that has won, the most frequent first, with a mark where chance alone would be."""
    return [
        Bar(name, 100 * one["win_rate"], _("%(percent)s %% of %(number)s", percent=round(100 * one["win_rate"]),
            number=one["count"]), 100 * one["fair"])
        for name, one in sorted(shares.items(), key=lambda share: -share[1]["count"])
    ]  # fmt: skip


def _made(points: Mapping[str, float]) -> list[Bar]:
    """What brings points, in the order in which games have it."""
    named = {
        **score_parts.labels(), "start": _("At the start"), "crests": _("Family crests"),
        "reichenauer_hof": words().quarters["reichenauer_hof"], "coats": _("City coats of arms"),
        "card_tops": _("Cards played"), "city_guard": _("City Guard"), "levies": _("Levies"),
    }  # fmt: skip
    return [Bar(named[name], value, number(value)) for name, value in points.items() if value]
