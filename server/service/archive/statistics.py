"""What all finished games add up to: who wins from where, with what, by which points.

It is read from the sums that are kept (`tallies.py`), however many games there are. Private games and sandboxes are not
counted, whoever asks, so everybody is told the same.
"""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from threading import Lock
from typing import Annotated, Unpack

import orjson

from replays import stats
from replays.stats import CorpusForm, Sums
from server.service.archive import replay_filters, tallies
from server.service.archive.replay_filters import SCORE_MAX, Filters
from server.service.lists.list_pages import Where
from server.storage import sql
from server.storage.database import Store

AT_ONCE = 50
"""How many games one request may count that no job has counted yet; the next requests go on."""

ONE_BY_ONE = 5000
"""Of a player's games, and of those of some days with some points, so many are added up one by one: the newest."""

_counting = Lock()


class Statistics(CorpusForm):
    """What many games add up to."""

    uncounted: Annotated[int, "Games that are not counted yet: ask again, each request counts some."]
    older_left_out: Annotated[
        bool, "There are more than 5000 games of this player, or of these days with these points: the newest are in it."
    ]


def totals(store: Store, **filters: Unpack[Filters]) -> Statistics:
    """The statistics of the games that `filters` leave over, as `replays.stats` tells them. Raises `Unprocessable`."""
    chosen = replay_filters.of_all(Where([tallies.COUNTABLE], [*tallies.COUNTABLE_VALUES]), **filters)
    if _counting.acquire(blocking=False):
        try:
            tallies.count(store, AT_ONCE)
        finally:
            _counting.release()
    whose = filters.get("winner") or filters.get("member")
    scored = filters.get("score_min") is not None or filters.get("score_max") is not None
    dated = filters.get("since") is not None or filters.get("until") is not None
    older = False
    with store.read():
        if whose is not None or (scored and dated):
            total, older = _one_by_one(store, chosen, whose)
        else:
            total = _kept(store, _spans(scored, dated, **filters), **filters)
        waiting = sql.row(
            store,
            # SQLite joins in this order: it would begin with all games of those days or points.
            "SELECT COUNT(*) FROM tally t CROSS JOIN game g WHERE g.id = t.game_id AND t.version < ? AND "  # noqa: S608
            + " AND ".join([*chosen.conditions, *chosen.scored]),
            tallies.VERSION,
            *chosen.values,
            *chosen.scores,
        )
    return {**stats.corpus(total), "uncounted": (waiting or (0,))[0], "older_left_out": older}


def _one_by_one(store: Store, chosen: Where, whose: str | None) -> tuple[Sums, bool]:
    """The sums of the newest of the chosen games, and whether there are more."""
    # SQLite joins in this order: with the player's own seats first.
    source, values = "game g", list[object]()
    if whose is not None:
        source, values = "seat w CROSS JOIN game g", [whose]
    its = "w.player_id = ? AND g.id = w.game_id AND " if whose is not None else ""
    statement = f"""
        SELECT t.rows FROM {source} JOIN tally t ON t.game_id = g.id
        WHERE {its}{" AND ".join([*chosen.conditions, *chosen.scored])} AND t.version = ?
        ORDER BY g.finished_at DESC, g.id LIMIT ?"""  # noqa: S608 - of ours
    found = sql.rows(store, statement, *values, *chosen.values, *chosen.scores, tallies.VERSION, ONE_BY_ONE + 1)
    total = Sums()
    for (text,) in found[:ONE_BY_ONE]:
        stats.add(total, stats.sums_of(orjson.loads(text)))
    return total, len(found) > ONE_BY_ONE


Span = tuple[str, str, str]
"""What it is called, the first and the last period."""


def _spans(scored: bool, dated: bool, **filters: Unpack[Filters]) -> list[Span]:
    """Which periods make up what the filters choose."""
    if scored:
        low, high = filters.get("score_min"), filters.get("score_max")
        first = tallies.score_period(-SCORE_MAX if low is None else low)
        return [(tallies.SCORE, first, tallies.score_period(SCORE_MAX if high is None else high))]
    if dated:
        return periods(filters.get("since") or date.min, filters.get("until") or date.max)
    return [(tallies.TOTAL, "", "")]


def periods(first: date, last: date) -> list[Span]:
    """The days from `first` to `last` as whole years, whole months and days."""
    found = []
    while first <= last:
        if first == first.replace(month=1, day=1) and last >= _end(first, 12):
            end = last if last == _end(last, 12) else date(last.year - 1, 12, 31)
            found.append((tallies.YEAR, f"{first.year:04d}", f"{end.year:04d}"))
        elif first.day == 1 and last >= _end(first, first.month):
            end = min(last, _end(first, 12))
            if end != _end(end, end.month):
                end = end.replace(day=1) - timedelta(days=1)
            found.append((tallies.MONTH, first.isoformat()[:7], end.isoformat()[:7]))
        else:
            end = min(last, _end(first, first.month))
            found.append((tallies.DAY, first.isoformat(), end.isoformat()))
        if end == date.max:
            break
        first = end + timedelta(days=1)
    return found


def _end(day: date, month: int) -> date:
    """The last day of a month of that year."""
    return date(day.year, month, calendar.monthrange(day.year, month)[1])


def _kept(store: Store, spans: list[Span], **filters: Unpack[Filters]) -> Sums:
    """The kept sums of those periods, of the kinds that the filters choose."""
    kind = [(name, filters.get(name)) for name in ("origin", "seats", "tower", "rotate_start")]
    wanted = [(name, value) for name, value in kind if value is not None]
    conditions = "".join(f" AND {name} = ?" for name, _value in wanted)
    statement = f"SELECT sums FROM statistic WHERE version = ? AND span = ? AND period BETWEEN ? AND ?{conditions}"  # noqa: S608
    total = Sums()
    for span in spans:
        for (text,) in sql.rows(store, statement, tallies.VERSION, *span, *(value for _name, value in wanted)):
            stats.add(total, orjson.loads(text))
    return total
