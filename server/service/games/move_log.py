"""The log of a game: read as it stands, and as one seat may read it."""

from __future__ import annotations

from dataclasses import replace

from server.engine.ulm1.tables import MAX_PLAYERS
from server.service.games import packed_log
from server.service.games.model import Entry, Game, LoggedMove
from server.storage import sql
from server.storage.database import Store

# Of what lies beyond the reader's ply only resignations are theirs to know: they stand behind a hidden draw.
TOLD = """
    SELECT id, ply, seat, move, played_at, automatic FROM move
    WHERE game_id = ? AND undone_at IS NULL AND ply >= ? AND (ply <= ? OR (ply <= ? AND move = 'resign'))
    ORDER BY ply"""
_MOVED_BY = MAX_PLAYERS - 2  # so many can resign behind a draw before the game is over


def log(store: Store, game: Game, since: int = 0, last: int | None = None) -> list[Entry]:
    """The moves that stand, from the one after ply `since` to ply `last`, in order."""
    parse_move = game.rules.parse_move
    return [
        Entry(row.ply, row.seat, parse_move(row.move), row.played_at, row.automatic)
        for row in standing(store, game.id, since + 1, last)
    ]


def told_log(store: Store, game: Game, seat: int | None, since: int = 0) -> list[Entry]:
    """The moves after ply `since` as `seat` (None: a spectator) reads them, up to the ply that it may see: in the order
    and with the plies of `told_order` while the game is not over, then those of its record."""
    seen = game.seen_ply(seat)
    if game.told_whole:
        return log(store, game, since, seen)
    first = max(0, since - _MOVED_BY)
    found = sql.rows(store, TOLD, game.id, first + 1, seen, game.ply)
    parse_move = game.rules.parse_move
    entries = [Entry(ply, mover, parse_move(move), at, bool(automatic)) for _, ply, mover, move, at, automatic in found]
    order = game.rules.told_order([(entry.seat, entry.move) for entry in entries], seat)
    entries = [replace(entries[index], ply=ply) for ply, index in enumerate(order, first + 1)]
    return [entry for entry in entries if since < entry.ply <= seen]


_COLUMNS = "id, ply, seat, move, played_at, automatic, undone_at"
_ROWS = f"SELECT {_COLUMNS} FROM move WHERE game_id = ? ORDER BY id"  # noqa: S608 - of ours
_STANDING = f"""
    SELECT {_COLUMNS} FROM move WHERE game_id = ? AND undone_at IS NULL AND ply >= ? AND ply <= ?
    ORDER BY ply"""  # noqa: S608
NO_LIMIT = 2**31 - 1


def every(store: Store, game_id: str) -> list[LoggedMove]:
    """All rows in order, also of moves taken back, inside a transaction. Raises `RecordError`."""
    return in_rows(store, game_id) or packed_log.read(store, game_id) or []


def standing(store: Store, game_id: str, first: int = 0, last: int | None = None) -> list[LoggedMove]:
    """The moves that stand, from ply `first` to ply `last`, in order. Otherwise as `every`."""
    limit = NO_LIMIT if last is None else last
    rows = [LoggedMove.of(row) for row in sql.rows(store, _STANDING, game_id, first, limit)]
    return rows or [
        row for row in packed_log.read(store, game_id) or () if row.undone_at is None and first <= row.ply <= limit
    ]


def in_rows(store: Store, game_id: str) -> list[LoggedMove]:
    """The rows that lie in `move`; none of a game that is archived."""
    return [LoggedMove.of(row) for row in sql.rows(store, _ROWS, game_id)]
