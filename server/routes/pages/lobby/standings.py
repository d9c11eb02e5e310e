"""`/ratings`: who plays a kind of game best; `/statistics`: what all public games add up to, as plots."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, request
from markupsafe import Markup

from replays.stats import SOURCES, ShareForm
from server.board import charts
from server.board.charts import Bar
from server.language import gettext as _
from server.language import number
from server.routes.http.context import store
from server.routes.pages.shared import rendering
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
    return rendering.page("lobby/ratings", kind=(variant, seats), found=found)


@blp.get("/statistics")
def plots() -> Response:
    """Points, seats, openings and quarters of all public games of one kind."""
    variant, seats = _kind()
    told = statistics.totals(store(), seats=seats, tower=variant == "advanced")
    order = {_place(name): share for name, share in told["by_turn_order"].items()}
    return rendering.page(
        "lobby/statistics",
        kind=(variant, seats),
        told=told,
        order=_won(order, _("Victories by turn order")),
        openings=_won(_named(told["by_opening"]), _("Victories by the quarter of the first seal")),
        quarters=_won(_named(told["by_quarter"]), _("Victories by quarters with a seal")),
        sources=_bars([(label, told["vp_by_source"][name]) for name, label in _sources().items()], _("Points")),
    )


def _place(name: str) -> str:
    """`turn 2 of 3` in words."""
    return _("Place %(number)s", number=name.split()[1])


def _named(shares: Mapping[str, ShareForm]) -> dict[str, ShareForm]:
    quarters = words().quarters
    return {quarters[name]: share for name, share in sorted(shares.items(), key=lambda one: -one[1]["count"])}


def _won(shares: Mapping[str, ShareForm], title: str) -> Markup:
    """How often who had that has won, a mark where chance alone would be."""
    told = [
        Bar(name, 100 * one["win_rate"], _("%(percent)s %% of %(number)s", percent=round(100 * one["win_rate"]),
            number=one["count"]), 100 * one["fair"])
        for name, one in shares.items()
    ]  # fmt: skip
    return _drawn(told, title)


def _bars(rows: list[tuple[str, float]], title: str) -> Markup:
    """Bars with their numbers behind them; what is nothing is left out."""
    return _drawn([Bar(name, value, number(value)) for name, value in rows if value], title)


def _drawn(told: list[Bar], title: str) -> Markup:
    description = "; ".join(f"{one.name}: {one.told}" for one in told)
    return Markup(charts.bars(told, title, description))  # noqa: S704 - ours, and escaped there


def _sources() -> dict[str, str]:
    """What brings points, in words, in the order in which games have it."""
    said = words()
    named = {
        "start": _("At the start"), "crests": _("Family crests"), "reichenauer_hof": said.quarters["reichenauer_hof"],
        "coats": _("City coats of arms"), "card_tops": _("Cards played"), "city_guard": _("City Guard"),
        "levies": _("Levies"), "sparrows": _("Sparrows"), "barge": _("Barge"), "cathedral": _("Cards (Cathedral)"),
        "trade": _("Cards (Trade)"), "chronicle": _("Cards (Chronicle)"),
    }  # fmt: skip
    return {name: named[name] for name in SOURCES}
