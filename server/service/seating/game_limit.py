"""How many unfinished games one player may sit in."""

from __future__ import annotations

from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common.errors import Conflict
from server.storage import sql
from server.storage.database import Store

BOT_GAMES = 2
"""Games of bots alone that one player may have under way: they use the time of this machine."""


def require_room_for_bots(store: Store, player: Player) -> None:
    """Raise `Conflict` when as many games of bots alone are under way that the player made."""
    found = sql.row(
        store,
        "SELECT COUNT(*) FROM bot_turn b JOIN game g ON g.id = b.game_id"
        " WHERE g.creator_id = ? AND g.status = 'running' AND NOT EXISTS ("
        "SELECT 1 FROM seat s WHERE s.game_id = g.id AND s.bot IS NULL)",
        player.id,
    )
    if found is not None and found[0] >= BOT_GAMES:
        raise Conflict(
            _("%(number)s games of bots alone that you made are being played: wait for them to end", number=found[0]),
            kind="limit-reached",
        )


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
