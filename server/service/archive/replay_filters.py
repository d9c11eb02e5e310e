"""Which finished games a list or a statistic is about."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TypedDict, Unpack

from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.errors import bad_field
from server.service.lists import game_lists
from server.service.lists.game_lists import MEMBER
from server.service.lists.list_pages import Where

ORIGINS = ("played", "imported", "example", "sandbox")
SCORE_MAX = 100_000


class Filters(TypedDict, total=False):
    """Which games. `member` is the id of a player who sat in them, `winner` of one who won; `tower`, `rotate_start`,
    `seats` and `origin` choose the kind of game, `since` and `until` the days (UTC, both included) on which it ended or
    was imported, `score_min` and `score_max` what the winner had. None chooses nothing."""

    member: str | None
    tower: bool | None
    rotate_start: bool | None
    seats: int | None
    origin: str | None
    winner: str | None
    since: date | None
    until: date | None
    score_min: int | None
    score_max: int | None


def where(player: Player | None, **filters: Unpack[Filters]) -> Where:
    """The finished games that `filters` leave over, of those that the caller may see. Raises `Unprocessable`."""
    member, winner = filters.get("member"), filters.get("winner")
    member = None if member is None else checks.text("player", member, 64)
    winner = None if winner is None else checks.text("winner", winner, 64)
    found = game_lists.visible(player, winner or member, winner is not None, ("finished",))
    if winner is not None and member is not None:
        found = found.also(MEMBER, member)
    return _narrowed(found, **filters)


def of_all(found: Where, **filters: Unpack[Filters]) -> Where:
    """Of these games the finished ones that `filters` leave over, whoever asks: to be counted one by one. Raises
    `Unprocessable`."""
    member, winner = filters.get("member"), filters.get("winner")
    found = found.also("g.status = 'finished'")
    if member is not None:
        found = found.also(MEMBER, checks.text("player", member, 64))
    if winner is not None:
        found = found.also(f"{MEMBER[:-1]} AND m.won = ?)", checks.text("winner", winner, 64), True)
    return _narrowed(found, **filters)


def _narrowed(found: Where, **filters: Unpack[Filters]) -> Where:
    """What the filters leave over that name no player."""
    seats, origin = filters.get("seats"), filters.get("origin")
    since, until = filters.get("since"), filters.get("until")
    for option, wanted in (("tower", filters.get("tower")), ("rotate_start", filters.get("rotate_start"))):
        if wanted is not None:
            found = found.also(f"g.{option} = ?", checks.flag(option, wanted))
    if seats is not None:
        found = found.also("g.seats = ?", checks.whole("seats", seats, 2, 4))
    if origin is not None:
        if origin not in ORIGINS:
            known = f"one of {', '.join(ORIGINS)}"
            raise bad_field("origin", known)
        found = found.also("g.origin = ?", origin)
    if since is not None:
        found = found.also("g.finished_at >= ?", since.isoformat())
    if until is not None and until < date.max:
        found = found.also("g.finished_at < ?", (until + timedelta(days=1)).isoformat())
    for sign, name, score in (
        (">=", "score_min", filters.get("score_min")),
        ("<=", "score_max", filters.get("score_max")),
    ):
        if score is not None:
            found = found.also_scored(f"g.winner_total {sign} ?", checks.whole(name, score, -SCORE_MAX, SCORE_MAX))
    return found
