"""How many unfinished games one player may sit in."""

from __future__ import annotations

from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common.errors import Conflict
from server.storage import sql
from server.storage.database import Store


def require_room(store: Store, player: Player, most: int | None) -> None:
    """Raise `Conflict` when the player sits in `most` unfinished games. (Some at the same time may slip through.)"""
    if most is None:
        return
    found = sql.row(
        store,
        "SELECT COUNT(*) FROM seat s JOIN game g ON g.id = s.game_id"
        " WHERE s.player_id = ? AND g.status IN ('open', 'running')",
        player.id,
    )
    if found is not None and found[0] >= most:
        raise Conflict(
            _("you sit in %(number)s unfinished games: finish or leave some before you make another", number=found[0]),
            kind="limit-reached",
        )
