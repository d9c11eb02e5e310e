"""What came out of an arena: how often each won, with intervals, points, time, and a rating of all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bots.arena import Result

Z = 1.96
"""Half the width of an interval of 95 %, in standard deviations."""
ELO = 400 / math.log(10)


class Row(NamedTuple):
    """One line-up of one variant: the first bot of it against the others."""

    bots: tuple[str, ...]
    advanced: bool
    games: int
    won: float  # a shared victory counts in parts
    low: float
    high: float
    points: float
    others: float
    ms: float
    slowest: float
    ms_others: float


class Rating(NamedTuple):
    """How strong a bot is, in Elo, and half of its interval of 95 %."""

    bot: str
    elo: float
    give: float
    games: int


def wilson(won: float, games: int) -> tuple[float, float]:
    """Return the interval of 95 % for a rate (Wilson)."""
    if not games:
        return 0.0, 1.0
    rate, square = won / games, Z * Z
    middle = rate + square / (2 * games)
    width = Z * math.sqrt(rate * (1 - rate) / games + square / (4 * games * games))
    whole = 1 + square / games
    return max(0.0, (middle - width) / whole), min(1.0, (middle + width) / whole)


def rows(results: Iterable[Result]) -> list[Row]:
    """Return a row for each line-up and variant, in the order in which they came."""
    by_lineup: dict[tuple[tuple[str, ...], bool], list[Result]] = {}
    for result in results:
        by_lineup.setdefault((tuple(result["bots"]), result["advanced"]), []).append(result)
    return [_row(bots, advanced, found) for (bots, advanced), found in by_lineup.items()]


def _row(bots: tuple[str, ...], advanced: bool, found: Sequence[Result]) -> Row:
    games = len(found)
    won = sum(1 / result["ranks"].count(1) for result in found if result["ranks"][0] == 1)
    low, high = wilson(won, games)
    moves = sum(result["moves"][0] for result in found)
    others = sum(sum(result["moves"][1:]) for result in found)
    return Row(
        bots,
        advanced,
        games,
        won,
        low,
        high,
        sum(result["totals"][0] for result in found) / games,
        sum(sum(result["totals"][1:]) for result in found) / (games * (len(bots) - 1)),
        1000 * sum(result["seconds"][0] for result in found) / max(1, moves),
        1000 * max(result["slowest"][0] for result in found),
        1000 * sum(sum(result["seconds"][1:]) for result in found) / max(1, others),
    )


def table(found: Sequence[Row]) -> str:
    """Return rows as a table in Markdown."""
    lines = [
        "| bot | against | players | game | games | won | 95 % | points | theirs | ms a move | slowest | theirs, ms |",
        "|---|---|--:|---|--:|--:|---|--:|--:|--:|--:|--:|",
    ]
    for row in found:
        against = " + ".join(dict.fromkeys(row.bots[1:]))
        lines.append(
            f"| {row.bots[0]} | {against} | {len(row.bots)} | {'advanced' if row.advanced else 'basic'} | {row.games} "
            f"| {row.won / row.games:.1%} | {row.low:.1%} to {row.high:.1%} | {row.points:.1f} | {row.others:.1f} "
            f"| {row.ms:.1f} | {row.slowest:.0f} | {row.ms_others:.1f} |"
        )
    return "\n".join(lines)


def ratings(results: Iterable[Result]) -> list[Rating]:
    """Return the ratings that make what happened most likely (Bradley and Terry), the best first, their mean 1500. Each
    two different bots of a game count as having met; a tie counts half for each. So that a bot that never lost gets a
    rating, too, everybody is taken to have drawn one more game against a player of the mean."""
    met: dict[tuple[str, str], list[float]] = {}
    played: dict[str, int] = {}
    for result in results:
        for name in set(result["bots"]):
            played[name] = played.get(name, 0) + 1
        for i, one in enumerate(result["bots"]):
            for j, other in enumerate(result["bots"]):
                if one < other:
                    a, b = result["ranks"][i], result["ranks"][j]
                    against = met.setdefault((one, other), [0.0, 0.0])
                    against[0] += 0.5 if a == b else float(a < b)
                    against[1] += 1.0
    strength = dict.fromkeys(played, 0.0)
    slopes = dict.fromkeys(played, 1.0)
    for _ in range(400):
        pull = {name: 0.5 - _chance(own) for name, own in strength.items()}
        slopes = {name: _chance(own) * (1 - _chance(own)) for name, own in strength.items()}
        for (one, other), (won, games) in met.items():
            chance = _chance(strength[one] - strength[other])
            pull[one] += won - games * chance
            pull[other] -= won - games * chance
            for name in (one, other):
                slopes[name] += games * chance * (1 - chance)
        for name in strength:
            strength[name] += 0.5 * pull[name] / slopes[name]
        mean = sum(strength.values()) / max(1, len(strength))
        strength = {name: own - mean for name, own in strength.items()}
    found_ratings = [
        Rating(name, 1500 + ELO * own, Z * ELO / math.sqrt(slopes[name]), played[name])
        for name, own in strength.items()
    ]
    return sorted(found_ratings, key=lambda rating: -rating.elo)


def _chance(difference: float) -> float:
    return 1 / (1 + math.exp(-difference))
