"""Logs of games that are long over, packed into one piece each.

Each game is a transaction of its own: what was packed is read back and compared with the rows before they go, so that a
process that is killed leaves a game with its rows or with its archived log, and never with half of either. Nobody who
reads sees a difference (`service/games/move_log.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final, NamedTuple

from server.service.games import move_log, packed_log
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

PACKED: Final = 1
"""In `game.archived`; any other number is that of a game with rows."""


class Archived(NamedTuple):
    """How many games were archived, with how many moves, in how many bytes."""

    games: int
    moves: int
    size: int


_WAITING = """
    SELECT id FROM game WHERE status = 'finished' AND archived <> 1 AND finished_at < ?
        AND NOT EXISTS (SELECT 1 FROM deal d WHERE d.id = game.deal_id AND d.revealed_at IS NULL)
    ORDER BY finished_at, id"""


def archive(store: Store, before: datetime, most: int, keep: Callable[[], bool] = lambda: True) -> Archived:
    """Archive the logs of at most `most` games that ended before that time, the oldest first. Ends early where `keep`
    says so, which is asked before each."""
    waiting = sql.rows(store, f"{_WAITING} LIMIT ?", utc(before), most + 1)  # one of them may not be archived yet
    done: list[Archived] = []
    for (game_id,) in waiting:
        if len(done) == most or not keep():
            break
        one = archive_game(store, game_id)
        done += [] if one is None else [one]
    return Archived(len(done), sum(one.moves for one in done), sum(one.size for one in done))


_STATUS = "SELECT status, archived FROM game WHERE id = ?"
_PUT = "INSERT INTO archived_log (game_id, version, moves, log) VALUES (?, ?, ?, ?)"


def archive_game(store: Store, game_id: str) -> Archived | None:
    """Archive one game; None where that cannot be: it is not over, archived already, or has the newest move of all."""
    with store.write(power_cut_safe=False):  # either state of it is whole
        found = sql.row(store, sql.locking(store, _STATUS), game_id)
        if found is None or found[0] != "finished" or found[1] == PACKED:
            return None
        rows = move_log.in_rows(store, game_id)
        # The newest row of all stays: SQLite numbers the next one after it, and it says when somebody moved last.
        if rows and sql.row(store, "SELECT MAX(id) FROM move") == (rows[-1].id,):
            return None
        packed = packed_log.pack(rows)
        sql.execute(store, _PUT, game_id, packed_log.VERSION, len(rows), packed)
        if packed_log.read(store, game_id) != rows:
            raise RuntimeError(f"the log of game {game_id} does not come back as it was: nothing was changed")
        gone = sql.execute(store, "DELETE FROM move WHERE game_id = ?", game_id).rowcount
        if gone != len(rows):
            raise RuntimeError(f"the log of game {game_id} changed while it was packed: nothing was changed")
        sql.execute(store, "UPDATE game SET archived = ? WHERE id = ?", PACKED, game_id)
    return Archived(1, len(rows), len(packed))
