"""The turns that a player has to play, for a calendar and a feed: since when, until when, under what name."""

from __future__ import annotations

from typing import NamedTuple

from server.service.accounts.players import Player
from server.service.common.naming import TITLE, spoken, title_of
from server.service.games.clock import DEADLINE
from server.service.games.model import SANDBOX
from server.storage import sql
from server.storage.database import Store

MOST = 100


class OwnTurn(NamedTuple):
    """A turn under way. Times are text in UTC; no `deadline` while none runs."""

    game: str
    name: str
    began: str
    deadline: str | None


_TURNS = f"""
    SELECT g.id, {DEADLINE}, COALESCE((
        SELECT MAX(m.played_at) FROM move m WHERE m.game_id = g.id AND m.move = 'end' AND m.undone_at IS NULL
    ), g.started_at) AS began, {TITLE}
    FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.player_id = ? AND g.to_move = s.seat AND g.status = 'running' AND g.origin <> ?
    ORDER BY began DESC, g.id LIMIT ?"""  # noqa: S608


def own_turns(store: Store, player: Player) -> list[OwnTurn]:
    """The turns of the player, the newest first."""
    with store.read():
        found = sql.rows(store, _TURNS, player.id, SANDBOX, MOST)
    return [
        OwnTurn(game, spoken(title_of(*title)[1]), began, deadline) for game, deadline, began, *title in found if began
    ]
