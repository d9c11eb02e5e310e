"""The log of a game: read as it stands, and as one seat may read it."""

from __future__ import annotations

from dataclasses import replace

from server.engine.ulm1.tables import MAX_PLAYERS
from server.service.games import stored_log
from server.service.games.model import Entry, Game
from server.storage import sql
from server.storage.database import Store

# Of what lies beyond the reader's ply only resignations are theirs to know: they stand behind a hidden draw.
_TOLD = """
    SELECT ply, seat, move, played_at, automatic FROM move
    WHERE game_id = ? AND undone_at IS NULL AND ply > ? AND (ply <= ? OR (ply <= ? AND move = 'resign'))
    ORDER BY ply"""
_MOVED_BY = MAX_PLAYERS - 2  # so many can resign behind a draw before the game is over


def log(store: Store, game: Game, since: int = 0, last: int | None = None) -> list[Entry]:
    """The moves that stand, from the one after ply `since` to ply `last`, in order."""
    parse_move = game.rules.parse_move
    return [
        Entry(row.ply, row.seat, parse_move(row.move), row.played_at, row.automatic)
        for row in stored_log.standing(store, game.id, since + 1, last)
    ]


def told_log(store: Store, game: Game, seat: int | None, since: int = 0) -> list[Entry]:
    """The moves after ply `since` as `seat` (None: a spectator) reads them, up to the ply that it may see.

    While the game is not over that is the order of `told_order`, and each entry bears the ply that it has there. The
    log of a finished game is that of its record.
    """
    seen = game.seen_ply(seat)
    if game.status == "finished":
        return log(store, game, since, seen)
    first = max(0, since - _MOVED_BY)
    found = sql.rows(store, _TOLD, game.id, first, seen, game.ply)
    parse_move = game.rules.parse_move
    entries = [Entry(ply, mover, parse_move(move), at, bool(automatic)) for ply, mover, move, at, automatic in found]
    order = game.rules.told_order([(entry.seat, entry.move) for entry in entries], seat)
    entries = [replace(entries[index], ply=ply) for ply, index in enumerate(order, first + 1)]
    return [entry for entry in entries if since < entry.ply <= seen]
