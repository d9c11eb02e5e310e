"""What all finished games add up to: who wins from where, with what, by which points.

Each game is replayed once; what it counts is kept beside it (`tally`), which may be deleted at any time. Private games
and sandboxes are not counted, whoever asks, so everybody is told the same.
"""

from __future__ import annotations

from threading import Lock
from typing import Unpack

import orjson
from cachetools import LRUCache, cached

from replays.stats import Corpus, CorpusForm, rows
from server.engine import rulesets
from server.engine.errors import UlmError
from server.service.archive import replay_filters
from server.service.archive.replay_filters import Filters
from server.service.archive.replays import make_record
from server.service.common.errors import NotFound
from server.service.lists.list_pages import PUBLIC, PUBLIC_VALUES, Where
from server.service.table import loading
from server.storage import sql
from server.storage.database import Store

VERSION = 1
"""Of what a tally holds: to be raised when `replays.stats.rows` counts something else or otherwise."""

AT_ONCE = 50
"""How many games one request may replay, some 30 ms each; the next requests go on."""

READ_AT_ONCE = 500
ANSWERS_KEPT = 64

_PUBLIC = Where([PUBLIC], [*PUBLIC_VALUES]).also("g.origin <> 'sandbox' AND g.result IS NOT NULL")
_FROM = "FROM game g LEFT JOIN tally t ON t.game_id = g.id AND t.version = ?"

_counting = Lock()


class Statistics(CorpusForm):
    """What many games add up to; so many are `uncounted` as yet: each request counts some."""

    uncounted: int


def totals(store: Store, **filters: Unpack[Filters]) -> Statistics:
    """The statistics of the games that `filters` leave over, as `replays.stats.Corpus` has them.

    `uncounted` is how many of them are not counted yet: a request replays some of them, the next ones the rest. Raises
    `Unprocessable`.
    """
    chosen = replay_filters.of_all(_PUBLIC, **filters)
    where, values = " WHERE " + " AND ".join(chosen.conditions), chosen.values
    if _counting.acquire(blocking=False):
        try:
            _count_some(store, where, values)
        finally:
            _counting.release()
    with store.read():
        # Games neither change nor un-end; one that was removed changes the number.
        mark = sql.row(store, f"SELECT COUNT(*), COUNT(t.game_id), MAX(g.finished_at) {_FROM}{where}", VERSION, *values)
    return _add_up(store, where, values, mark)


@cached(LRUCache(ANSWERS_KEPT), lambda store, *counted: (store.number, repr(counted)), Lock())
def _add_up(store: Store, where: str, values: list[object], mark: object) -> Statistics:
    corpus, uncounted, last = Corpus(), 0, ""
    statement = f"SELECT g.id, t.rows {_FROM}{where} AND g.id > ? ORDER BY g.id LIMIT ?"
    while True:
        with store.read():
            page = sql.rows(store, statement, VERSION, *values, last, READ_AT_ONCE)
        for _, text in page:
            if text is None:
                uncounted += 1
            else:
                corpus.add(orjson.loads(text))
        if len(page) < READ_AT_ONCE:
            return {**corpus.to_dict(), "uncounted": uncounted}
        last = page[-1][0]


def _count_some(store: Store, where: str, values: list[object]) -> None:
    """Replay some games that have no tally of this version, and keep what they count."""
    known = ", ".join("?" * len(rulesets.ALL))
    statement = f"SELECT g.id {_FROM}{where} AND t.game_id IS NULL AND g.ruleset IN ({known}) ORDER BY g.id LIMIT ?"
    with store.read():
        missing = sql.rows(store, statement, VERSION, *values, *rulesets.ALL, AT_ONCE)
    for (game_id,) in missing:
        try:
            with store.read():
                record = make_record(store, loading.for_reader(store, game_id, None))
            counted = rows(record)
        except NotFound:
            continue  # removed meanwhile
        except UlmError:
            counted = []  # `ulm verify` names it
        with store.write():
            if sql.row(store, "SELECT 1 FROM game WHERE id = ?", game_id) is not None:
                sql.execute(
                    store,
                    "INSERT INTO tally (game_id, version, rows) VALUES (?, ?, ?)"
                    " ON CONFLICT (game_id) DO UPDATE SET version = excluded.version, rows = excluded.rows",
                    game_id,
                    VERSION,
                    orjson.dumps(counted).decode(),
                )
