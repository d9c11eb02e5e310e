"""What a player's page draws: how a rating came, favourite quarters, what luck and what own errors did."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from server import language
from server.board import charts
from server.language import gettext as _
from server.service.archive.player_pages import Figures
from server.service.explain.game_words import words
from server.service.lists.ratings import RatingCourse
from server.storage.times import parse_utc


def rating(one: RatingCourse) -> str:
    """How a rating came, with how far it may have been off; "" of a single game."""
    course = one["course"]
    if len(course) < 2:
        return ""
    told = _("From %(first)s to %(last)s points", first=course[0]["points"], last=course[-1]["points"])
    games = [(game["at"], game["points"]) for game in course]
    return _curve(_("Rating"), told, games, band=[game["deviation"] for game in course])


def quarters(figures: Figures) -> str:
    """In which quarters somebody has seals in the end, in percent of the games; "" where there is none."""
    names, games = words().quarters, figures.games
    bars = [
        charts.Bar(names[name], count, f"{round(100 * count / games)} %") for name, count in figures.quarters.items()
    ]
    return charts.bars(bars, _("Favourite quarters")) if bars else ""


def luck(figures: Figures) -> list[tuple[str, str]]:
    """What luck and what own errors did to somebody's chance, game by game, in percent: curves with their titles. None
    of fewer than two games."""
    curves = {
        _("Luck"): [(at, 100 * luck) for at, luck, _error in figures.luck],
        _("Skill: what own errors cost"): [(at, 100 * error) for at, _luck, error in figures.luck],
    }
    return [(title, _curve(title, _average(games), games, level=0.0)) for title, games in curves.items() if games[1:]]


def _average(games: Sequence[tuple[str, float]]) -> str:
    return _("%(number)s on average", number=language.number(round(mean(value for _at, value in games))))


def _curve(
    title: str,
    told: str,
    games: Sequence[tuple[str | None, float]],
    band: Sequence[float] | None = None,
    level: float | None = None,
) -> str:
    first, last = ("" if at is None else language.day(parse_utc(at)) for at, _value in (games[0], games[-1]))
    return charts.curve([value for _at, value in games], title, told, (first, last), band, level)
