"""Which finished games a list or a statistic is about."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TypedDict, Unpack

from server.service.common import checks
from server.service.common.errors import bad_field
from server.service.lists.game_lists import MEMBER
from server.storage.database import Store

ORIGINS = ("played", "imported", "example", "sandbox")
SCORE_MAX = 100_000

# The one place where the database looks into a result: the total of its first winner.
_SCORE = {
    True: "json_extract(g.result, '$.scores[' || json_extract(g.result, '$.winners[0]') || '].total')",
    False: "(g.result::json -> 'scores' -> (g.result::json -> 'winners' ->> 0)::integer ->> 'total')::integer",
}
_WINNER = """EXISTS (SELECT 1 FROM seat w WHERE w.game_id = g.id AND w.player_id = ?
    AND g.result LIKE CAST(? AS TEXT) || CAST(w.seat AS TEXT) || CAST(? AS TEXT))"""


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


def where(
    store: Store, visible: str, visible_values: list[object], **filters: Unpack[Filters]
) -> tuple[str, list[object]]:
    """The WHERE of the finished games `g` that `filters` leave over and its values.

    `visible` is the condition of who may see them, with its own values. Raises `Unprocessable`.
    """
    member, winner = filters.get("member"), filters.get("winner")
    seats, origin = filters.get("seats"), filters.get("origin")
    since, until = filters.get("since"), filters.get("until")
    conditions, values = ["g.status = 'finished'", visible], list(visible_values)
    if member is not None:
        conditions.append(MEMBER)
        values.append(checks.text("player", member, 64))
    for option, wanted in (("tower", filters.get("tower")), ("rotate_start", filters.get("rotate_start"))):
        if wanted is not None:
            conditions.append("g.options LIKE ?")  # canonical JSON: one way to write it
            values.append(f'%"{option}":{"true" if checks.flag(option, wanted) else "false"}%')
    if seats is not None:
        conditions.append("g.seats = ?")
        values.append(checks.whole("seats", seats, 2, 4))
    if origin is not None:
        if origin not in ORIGINS:
            known = f"one of {', '.join(ORIGINS)}"
            raise bad_field("origin", known)
        conditions.append("g.origin = ?")
        values.append(origin)
    if winner is not None:
        conditions.append(_WINNER)  # canonical JSON again: the winners stand last, each a single digit
        values += [checks.text("winner", winner, 64), '%"winners":[%', "%]}"]
    if since is not None:
        conditions.append("g.finished_at >= ?")
        values.append(since.isoformat())
    if until is not None and until < date.max:
        conditions.append("g.finished_at < ?")
        values.append((until + timedelta(days=1)).isoformat())
    for sign, field, score in (
        (">=", "score_min", filters.get("score_min")),
        ("<=", "score_max", filters.get("score_max")),
    ):
        if score is not None:
            conditions.append(f"{_SCORE[store.is_sqlite]} {sign} ?")
            values.append(checks.whole(field, score, -SCORE_MAX, SCORE_MAX))
    return " WHERE " + " AND ".join(conditions), values
