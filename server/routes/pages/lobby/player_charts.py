"""What a player's page draws: how a rating came, favourite quarters, what luck and what own errors did."""

from __future__ import annotations

from statistics import mean

from markupsafe import Markup

from server import language
from server.board import charts
from server.language import gettext as _
from server.service.archive.player_pages import Figures
from server.service.explain.game_words import words
from server.service.lists.ratings import RatingCourse
from server.storage.times import parse_utc


def rating(one: RatingCourse) -> Markup:
    """How a rating came, with how far it may have been off; "" of a single game."""
    course = one["course"]
    if len(course) < 2:
        return Markup("")
    values = [float(game["points"]) for game in course]
    told = _("From %(first)s to %(last)s points", first=course[0]["points"], last=course[-1]["points"])
    ends = (course[0]["at"], course[-1]["at"])
    return _curve(values, _("Rating"), told, ends, [float(game["deviation"]) for game in course])


def quarters(figures: Figures) -> Markup:
    """In which quarters somebody has seals in the end, in percent of the games."""
    names, games = words().quarters, figures.games
    bars = [
        charts.Bar(names[name], count, f"{round(100 * count / games)} %") for name, count in figures.quarters.items()
    ]
    told = "; ".join(f"{one.name}: {one.told}" for one in bars)
    return Markup(charts.bars(bars, _("Favourite quarters"), told)) if bars else Markup("")  # noqa: S704 - escaped there


def luck(figures: Figures) -> list[tuple[str, Markup]]:
    """What luck and what own errors did to somebody's chance, game by game, in percent: two curves with their titles.
    None of fewer than two games."""
    games = figures.luck
    if len(games) < 2:
        return []
    ends = (games[0][0], games[-1][0])
    drawn = []
    for title, values in (
        (_("Luck"), [100 * one[1] for one in games]),
        (_("Skill: what own errors cost"), [100 * one[2] for one in games]),
    ):
        told = _("%(number)s on average", number=language.number(round(mean(values))))
        drawn.append((title, _curve(values, title, told, ends, level=0.0)))
    return drawn


def _curve(
    values: list[float],
    title: str,
    told: str,
    ends: tuple[str | None, str | None],
    band: list[float] | None = None,
    level: float | None = None,
) -> Markup:
    first, last = ("" if moment is None else language.day(parse_utc(moment)) for moment in ends)
    points = [(float(place), value) for place, value in enumerate(values)]
    return Markup(charts.curve(points, title, told, (first, last), band, level))  # noqa: S704 - escaped there
