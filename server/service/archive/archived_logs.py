"""Logs of games that are long over, packed into one piece each and taken apart again.

Each game is a transaction of its own: what was packed is read back and compared with the rows before they go, so that a
process that is killed leaves a game with its rows or with its archived log, and never with half of either. Nobody who
reads sees a difference (`service/games/stored_log.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final, NamedTuple

from server.service.common.errors import Conflict, NotFound
from server.service.games import stored_log
from server.storage import packed_log, sql
from server.storage.database import Store
from server.storage.packed_log import LoggedMove
from server.storage.times import utc

PACKED: Final = 1
PUT_BACK: Final = 2
"""In `game.archived`: the job leaves these alone; 0 is every other game."""
PER_QUERY = 200


class Archived(NamedTuple):
    """How many games were archived, with how many moves, in how many bytes."""

    games: int
    moves: int
    size: int


def archive(
    store: Store, before: datetime, most: int, put_back: bool = False, keep: Callable[[], bool] = lambda: True
) -> Archived:
    """Archive the logs of at most `most` games that ended before that time, the oldest first.

    With `put_back` also those that were put back by hand. Ends early where `keep` says so, which is asked before each.
    """
    games = moves = size = 0
    for game_id in _waiting(store, before, put_back):
        if games == most or not keep():
            break
        done = archive_game(store, game_id)
        if done is not None:
            games, moves, size = games + 1, moves + done.moves, size + done.size
    return Archived(games, moves, size)


_WAITING = """
    SELECT finished_at, id FROM game WHERE status = 'finished' AND archived <> 1 AND archived <= ? AND finished_at < ?
    AND (finished_at > ? OR (finished_at = ? AND id > ?)) ORDER BY finished_at, id LIMIT ?"""


def _waiting(store: Store, before: datetime, put_back: bool) -> Iterator[str]:
    at, last = "", ""
    while True:
        with store.read():
            found = sql.rows(store, _WAITING, PUT_BACK if put_back else 0, utc(before), at, at, last, PER_QUERY)
        for _at, game_id in found:
            yield game_id
        if len(found) < PER_QUERY:
            return
        at, last = found[-1]


_STATUS = "SELECT status, archived FROM game WHERE id = ?"
_PUT = "INSERT INTO archived_log (game_id, version, moves, log) VALUES (?, ?, ?, ?)"
_MARK = "UPDATE game SET archived = ? WHERE id = ?"


def archive_game(store: Store, game_id: str) -> Archived | None:
    """Archive one game; None where that cannot be: it is not over, archived already, or has the newest move of all."""
    with store.write(power_cut_safe=False):  # either state of it is whole
        found = sql.row(store, sql.locking(store, _STATUS), game_id)
        if found is None or found[0] != "finished" or found[1] == PACKED:
            return None
        rows = stored_log.in_rows(store, game_id)
        # The newest row of all stays: SQLite numbers the next one after it, and it says when somebody moved last.
        if rows and sql.row(store, "SELECT MAX(id) FROM move") == (rows[-1].id,):
            return None
        packed = packed_log.pack(rows)
        sql.execute(store, _PUT, game_id, packed_log.VERSION, len(rows), packed)
        if stored_log.archived(store, game_id) != rows:
            raise RuntimeError(f"the log of game {game_id} does not come back as it was: nothing was changed")
        gone = sql.execute(store, "DELETE FROM move WHERE game_id = ?", game_id).rowcount
        if gone != len(rows):
            raise RuntimeError(f"the log of game {game_id} changed while it was packed: nothing was changed")
        sql.execute(store, _MARK, PACKED, game_id)
    return Archived(1, len(rows), len(packed))


def put_back(store: Store, game_id: str) -> int:
    """Turn an archived log into rows again, as they were; how many. The job leaves the game alone from now on.

    Raises `NotFound`, `Conflict` where it is not archived, and `RecordError` where its log cannot be read.
    """
    with store.write():
        found = sql.row(store, sql.locking(store, _STATUS), game_id)
        if found is None:
            raise NotFound(f"there is no game {game_id}")
        rows = stored_log.archived(store, game_id)
        if rows is None:
            raise Conflict(f"the log of game {game_id} is not archived")
        _insert(store, game_id, rows)
        sql.execute(store, "DELETE FROM archived_log WHERE game_id = ?", game_id)
        sql.execute(store, _MARK, PUT_BACK, game_id)
    return len(rows)


def every_archived(store: Store) -> Iterator[str]:
    """The ids of all games whose logs are archived, in their order."""
    last = ""
    while True:
        with store.read():
            found = sql.rows(
                store, "SELECT game_id FROM archived_log WHERE game_id > ? ORDER BY game_id LIMIT ?", last, PER_QUERY
            )
        for (last,) in found:
            yield last
        if len(found) < PER_QUERY:
            return


_INSERT = """
    INSERT INTO move (id, game_id, ply, seat, move, played_at, automatic, undone_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
_TAKEN = "SELECT 1 FROM move WHERE id = ?"
_NEXT = "SELECT COALESCE(MAX(id), 0) FROM move"


def _insert(store: Store, game_id: str, rows: list[LoggedMove]) -> None:
    """Put rows back under their numbers. On SQLite these may have been given anew, where the newest game of all was
    deleted: then they get the next ones, in their order."""
    if any(sql.row(store, _TAKEN, row.id) is not None for row in rows):
        newest = (sql.row(store, _NEXT) or (0,))[0]
        rows = [row._replace(id=number) for number, row in enumerate(rows, newest + 1)]
    for row in rows:
        sql.execute(
            store, _INSERT, row.id, game_id, row.ply, row.seat, row.move, row.played_at, row.automatic, row.undone_at
        )
