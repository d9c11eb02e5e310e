"""Who has not played a game to its end."""

from __future__ import annotations

from server.storage import sql
from server.storage.database import Store


def is_beginner(store: Store, player_id: str) -> bool:
    """Whether no game is over in which the player has a seat."""
    with store.read():
        found = sql.row(
            store,
            """SELECT 1 FROM seat s JOIN game g ON g.id = s.game_id
            WHERE s.player_id = ? AND g.finished_at IS NOT NULL LIMIT 1""",
            player_id,
        )
    return found is None
