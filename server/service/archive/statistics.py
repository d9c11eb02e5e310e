"""What all finished games add up to: who wins from where, with what, by which points.

The transaction that ends a game (`service/games/saving.py`) only notes that it is to be counted, in a row of its own,
a `tally` of version 0: however many end at once, none waits for another. A job replays those games outside of
transactions, and adds some at a time to the rows of `statistic`, by kind, time and points, which are locked in their
order. What is not added up yet is told as such. Private games and sandboxes are not counted, whoever asks.
"""

from __future__ import annotations

import calendar
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import date
from threading import Lock
from typing import Annotated, NamedTuple, Unpack

import orjson

from replays import stats
from replays.stats import CorpusForm, Row, Sums, rows
from server.engine import rulesets
from server.engine.errors import UlmError
from server.service.accounts.players import Player
from server.service.archive import replay_lists
from server.service.archive.replay_lists import SCORE_MAX, Filters
from server.service.archive.replays import make_record
from server.service.common.errors import NotFound
from server.service.games import loading
from server.service.lists.list_pages import Where
from server.storage import sql
from server.storage.database import Store

VERSION = 4
"""Of what `statistic` holds: to be raised when `replays.stats.rows` counts something else or otherwise."""
AT_ONCE = 20
"""So many games are replayed, then added up in one transaction."""
PER_QUERY = 500
TOTAL, MONTH, DAY, SCORE = "", "month", "day", "score"
"""The spans: everything, what ended in a month, a day, and the games whose first winner had so many points."""


class Key(NamedTuple):
    """What a row of `statistic` is about: columns of it, in the order in which they are locked."""

    span: str
    period: str
    origin: str
    seats: int
    tower: bool
    rotate_start: bool


def score_period(score: int) -> str:
    """Points as the period of `SCORE`: in order as text."""
    return f"{score + SCORE_MAX:06d}"


_DUE = """
    SELECT t.game_id FROM tally t JOIN game g ON g.id = t.game_id WHERE t.version < ? AND g.ruleset IN {known}
    ORDER BY t.version, t.game_id LIMIT ?"""


def count(store: Store, most: int, keep: Callable[[], bool] = lambda: True) -> int:
    """Count and add up at most `most` games that wait for it; how many were added. Ends early where `keep` says so."""
    statement = _DUE.format(known=sql.marks(rulesets.ALL))
    added, left = 0, most
    while left > 0 and keep():
        due = sql.rows(store, statement, VERSION, *rulesets.ALL, min(left, AT_ONCE))
        counted = {game_id: _counted(store, game_id) for (game_id,) in due if keep()}
        if counted:
            added += _add(store, counted)
        left -= len(due)
        if len(due) < AT_ONCE:
            break
    return added


def _counted(store: Store, game_id: str) -> list[Row]:
    """What a game counts; nothing where it was removed meanwhile, or does not replay (`ulm verify` names it)."""
    try:
        with store.read():
            record = make_record(store, loading.for_reader(store, game_id, None))
        return rows(record)
    except (NotFound, UlmError):
        return []


_KIND = """g.origin, g.seats, g.tower, g.rotate_start, g.finished_at, g.winner_total
    FROM tally t JOIN game g ON g.id = t.game_id"""
_WAITING = f"SELECT {_KIND} WHERE t.game_id = ? AND t.version < ?"
_ADDED = "UPDATE tally SET version = ?, rows = ? WHERE game_id = ?"


def _add(store: Store, counted: dict[str, list[Row]]) -> int:
    """Add up games that wait still, by what they count; how many."""
    more: defaultdict[Key, Sums] = defaultdict(Sums)
    added = 0
    with store.write(power_cut_safe=False):
        for game_id in sorted(counted):
            kind = sql.row(store, sql.locking(store, _WAITING, "t"), game_id, VERSION)
            if kind is not None:
                put(more, kind, stats.sums_of(counted[game_id]))
                sql.execute(store, _ADDED, VERSION, orjson.dumps(counted[game_id]).decode(), game_id)
                added += 1
        change(store, more)
        sql.execute(store, "DELETE FROM statistic WHERE version < ?", VERSION)
    return added


def put(total: defaultdict[Key, Sums], kind: sql.Row, one: Sums) -> None:
    """Add what a game counts to all that it belongs to; `kind` are its origin, seats, options, end and points."""
    origin, seats, tower, rotate_start, ended, score = kind
    at = ended or ""
    spans = [(TOTAL, ""), (MONTH, at[:7]), (DAY, at[:10])]
    spans += [] if score is None else [(SCORE, score_period(score))]
    for span, period in spans if one else ():
        stats.add(total[Key(span, period, origin, seats, bool(tower), bool(rotate_start))], one)


_WHICH = "version = ? AND span = ? AND period = ? AND origin = ? AND seats = ? AND tower = ? AND rotate_start = ?"
_NEW = """
    INSERT INTO statistic (version, span, period, origin, seats, tower, rotate_start, sums)
    VALUES (?, ?, ?, ?, ?, ?, ?, '{}') ON CONFLICT DO NOTHING"""
_SUMS = f"SELECT sums FROM statistic WHERE {_WHICH}"  # noqa: S608 - of ours
_STORE = f"UPDATE statistic SET sums = ? WHERE {_WHICH}"  # noqa: S608
_DROP = f"DELETE FROM statistic WHERE {_WHICH}"  # noqa: S608


def change(store: Store, more: defaultdict[Key, Sums], sign: int = 1) -> None:
    """Add sums to what is stored, or take them away, in the running transaction: in one order, so that of two
    transactions neither holds what the other waits for."""
    for key in sorted(more):
        sql.execute(store, _NEW, VERSION, *key)
        found = sql.row(store, sql.locking(store, _SUMS), VERSION, *key)
        total: Sums = Sums() if found is None else Sums(orjson.loads(found[0]))
        stats.add(total, more[key], sign)
        if total:
            sql.execute(store, _STORE, orjson.dumps(total).decode(), VERSION, *key)
        else:
            sql.execute(store, _DROP, VERSION, *key)


_OF_GAME = f"SELECT t.rows, {_KIND} WHERE t.game_id = ? AND t.version = ?"


def game_gone(store: Store, game_id: str) -> None:
    """Take out of the sums what a game counted, in the running transaction, which removes it."""
    found = sql.row(store, sql.locking(store, _OF_GAME, "t"), game_id, VERSION)
    if found is not None:
        gone: defaultdict[Key, Sums] = defaultdict(Sums)
        put(gone, found[1:], stats.sums_of(orjson.loads(found[0])))
        change(store, gone, -1)


COUNTABLE = """
    g.status = 'finished' AND g.private = ? AND g.unplayed = ? AND g.origin <> 'sandbox' AND g.result IS NOT NULL"""
COUNTABLE_VALUES = (False, False)
_HERE = "origin <> 'imported'"
_MISSING = f"""
    SELECT g.id FROM game g WHERE {COUNTABLE} AND NOT EXISTS (SELECT 1 FROM tally t WHERE t.game_id = g.id)
    ORDER BY g.id"""  # noqa: S608


def recount(store: Store) -> int:
    """Forget all that was counted, so that it is counted anew; how many games wait for that now."""
    with store.write():
        sql.execute(store, "DELETE FROM statistic")
        sql.execute(store, "DELETE FROM tally")
        waiting = f"INSERT INTO tally (game_id, version, rows) SELECT g.id, 0, '[]' FROM game g WHERE {COUNTABLE}"  # noqa: S608
        return int(sql.execute(store, waiting, *COUNTABLE_VALUES).rowcount)


def counts_as_kept(store: Store, game_id: str) -> bool:
    """Whether what is kept of a game is what it counts; so it is where nothing is kept as yet."""
    kept = sql.row(store, "SELECT rows FROM tally WHERE game_id = ? AND version = ?", game_id, VERSION)
    return kept is None or kept[0] == orjson.dumps(_counted(store, game_id)).decode()


_ALL = f"SELECT t.game_id, t.rows, {_KIND} WHERE t.version = ? AND t.game_id > ? ORDER BY t.game_id LIMIT ?"


def differences(store: Store) -> Iterator[tuple[str, str]]:
    """What of the sums is not as the tallies add up, and which games nobody would ever count: each as the game ("" for
    all) and what is wrong. In one read transaction: it may be long."""
    total: defaultdict[Key, Sums] = defaultdict(Sums)
    last = ""
    with store.read():
        missing = sql.rows(store, _MISSING, *COUNTABLE_VALUES)
        while True:
            page = sql.rows(store, _ALL, VERSION, last, PER_QUERY)
            for row in page:
                put(total, row[2:], stats.sums_of(orjson.loads(row[1])))
            if len(page) < PER_QUERY:
                break
            last = page[-1][0]
        names = "span, period, origin, seats, tower, rotate_start, sums"
        kept = sql.rows(store, f"SELECT {names} FROM statistic WHERE version = ?", VERSION)  # noqa: S608 - of ours
    for (game_id,) in missing:
        yield game_id, "statistics never count this game: run `ulm verify --recount`"
    stored = {Key(*key[:4], *map(bool, key[4:])): Sums(orjson.loads(text)) for *key, text in kept}
    wrong = sorted(key for key in {*total, *stored} if total.get(key) != stored.get(key))
    if wrong:
        named = " ".join(part for part in (wrong[0].span, wrong[0].period, wrong[0].origin) if part)
        yield "", f"{len(wrong)} of the sums of statistics differ, first {named}: run `ulm verify --recount`"


A_REQUEST = 50
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


def totals(store: Store, reader: Player | None = None, **filters: Unpack[Filters]) -> Statistics:
    """The statistics of the games that `filters` leave over, as `replays.stats` tells them to `reader` (None: a
    stranger), who matters only where the filters name somebody who wishes not to be found. Raises `Unprocessable`."""
    chosen = replay_lists.of_all(Where([COUNTABLE], [*COUNTABLE_VALUES]), reader, **filters)
    if _counting.acquire(blocking=False):
        try:
            count(store, A_REQUEST)
        finally:
            _counting.release()
    if filters.get("origin") is None:  # anybody can bring games from elsewhere, as many as they like
        chosen = chosen.also(f"g.{_HERE}")
    whose = filters.get("winner") or filters.get("member")
    scored = filters.get("score_min") is not None or filters.get("score_max") is not None
    dated = filters.get("since") is not None or filters.get("until") is not None
    older = False
    with store.read():
        if whose is not None or (scored and dated):
            total, older = _one_by_one(store, chosen, whose)
        else:
            total = _kept(store, _spans(scored, dated, **filters), **filters)
        waiting = sql.value(
            store,
            # SQLite joins in this order: it would begin with all games of those days or points.
            "SELECT COUNT(*) FROM tally t CROSS JOIN game g WHERE g.id = t.game_id AND t.version < ? AND "  # noqa: S608
            + " AND ".join([*chosen.conditions, *chosen.scored]),
            VERSION,
            *chosen.values,
            *chosen.scores,
        )
    return {**stats.corpus(total), "uncounted": waiting or 0, "older_left_out": older}


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
    found = sql.rows(store, statement, *values, *chosen.values, *chosen.scores, VERSION, ONE_BY_ONE + 1)
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
        first = score_period(-SCORE_MAX if low is None else low)
        return [(SCORE, first, score_period(SCORE_MAX if high is None else high))]
    if dated:
        return periods(filters.get("since") or date.min, filters.get("until") or date.max)
    return [(TOTAL, "", "")]


def periods(first: date, last: date) -> list[Span]:
    """The days from `first` to `last`: those before the first whole month, whole months, and those behind them."""
    begin, end = first.isoformat(), last.isoformat()
    _weekday, length = calendar.monthrange(last.year, last.month)
    low = 12 * first.year + first.month - (first.day == 1)
    high = 12 * last.year + last.month - 1 - (last.day < length)
    if low > high:
        return [(DAY, begin, end)]
    one, other = (f"{month // 12:04d}-{month % 12 + 1:02d}" for month in (low, high))
    return [(DAY, begin, f"{one}-00"), (MONTH, one, other), (DAY, f"{other}-32", end)]


def _kept(store: Store, spans: list[Span], **filters: Unpack[Filters]) -> Sums:
    """The kept sums of those periods, of the kinds that the filters choose."""
    kind = [(name, filters.get(name)) for name in ("origin", "seats", "tower", "rotate_start")]
    wanted = [(name, value) for name, value in kind if value is not None]
    conditions = "".join(f" AND {name} = ?" for name, _value in wanted)
    if filters.get("origin") is None:
        conditions += f" AND {_HERE}"
    statement = f"SELECT sums FROM statistic WHERE version = ? AND span = ? AND period BETWEEN ? AND ?{conditions}"  # noqa: S608
    total = Sums()
    for span in spans:
        for (text,) in sql.rows(store, statement, VERSION, *span, *(value for _name, value in wanted)):
            stats.add(total, orjson.loads(text))
    return total
