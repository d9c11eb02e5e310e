"""The lists of games on the first page: whose turn it is, what can be joined, what is over."""

from __future__ import annotations

from datetime import datetime

from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.errors import NotFound
from server.service.lists import game_lists
from server.service.outbox.pauses import BY_OPERATOR
from server.service.table.model import SANDBOX
from server.storage.database import Store
from server.storage.models import utc

TURNS, RUNNING, SEATED, SANDBOXES, OVER, OPEN, WATCH = (
    "turns", "running", "seated", "sandboxes", "over", "open", "watch",
)  # fmt: skip
OWN = (TURNS, RUNNING, SEATED, SANDBOXES, OVER)
"""Lists of somebody who is signed in."""
PUBLIC = (OPEN, WATCH)
"""Lists for everybody."""
LISTS = OWN + PUBLIC

_MINE = "g.id IN (SELECT m.game_id FROM seat m WHERE m.player_id = ?)"
_MY_TURN = "EXISTS (SELECT 1 FROM seat t WHERE t.game_id = g.id AND t.seat = g.to_move AND t.player_id = ?)"
_PEOPLE = "(SELECT COUNT(*) FROM seat p WHERE p.game_id = g.id AND p.player_id IS NOT NULL)"
_FREE = "EXISTS (SELECT 1 FROM seat f WHERE f.game_id = g.id AND f.name IS NULL)"
# Not asked for by these columns' own indexes: nearly every game is a played one, and few are somebody's.
_ORIGIN, _STATUS = "g.origin || ''", "g.status || ''"
# What runs out first comes first; deadlines are known to all who see the game.
_URGENT = "CASE WHEN g.deadline IS NULL THEN 1 ELSE 0 END, g.deadline, g.started_at, g.id"
_NEWEST = "g.created_at DESC, g.id"
_LAST_OVER = "g.finished_at DESC, g.id"


def games(
    store: Store, player: Player | None, which: str, now: datetime, page: int = 1, page_size: int = 20
) -> tuple[list[game_lists.ListedGame], int]:
    """One of `LISTS` for `player` (None: a stranger), and how many games there are.

    `TURNS` are running games in which the player is to move and `RUNNING` the others of theirs, `SEATED` open games
    they sit in, `OVER` finished and abandoned ones, `SANDBOXES` what they play alone. `OPEN` are public games with a
    free seat and `WATCH` public ones that several people play, both without the player's own.

    Raises `NotFound` for another list, or for one of somebody when nobody asks; `Unprocessable` for a bad page.
    """
    if which not in LISTS or (player is None and which in OWN):
        raise NotFound(_("there is no such list of games"))
    page = checks.whole("page", page, 1, 10**6)
    page_size = checks.whole("page_size", page_size, 1, game_lists.PAGE_SIZE_MAX)
    conditions, values, order = _own(player, which) if which in OWN and player is not None else _public(which, now)
    if which in PUBLIC and player is not None:
        conditions.append(f"NOT {_MINE}")
        values.append(player.id)
    return game_lists.selected(store, player, conditions, values, order, page, page_size)


def _own(player: Player, which: str) -> tuple[list[str], list[object], str]:
    conditions: list[str] = [_MINE]
    values: list[object] = [player.id]
    if which == SANDBOXES:
        return [*conditions, f"{_ORIGIN} = ?"], [*values, SANDBOX], _NEWEST
    conditions.append(f"{_ORIGIN} <> ?")
    values.append(SANDBOX)
    if which == OVER:
        return [*conditions, f"{_STATUS} IN ('finished', 'abandoned')"], values, _LAST_OVER
    if which == SEATED:
        return [*conditions, f"{_STATUS} = 'open'"], values, _NEWEST
    turn = _MY_TURN if which == TURNS else f"NOT {_MY_TURN}"
    return [*conditions, f"{_STATUS} = 'running'", turn], [*values, player.id], _URGENT


def _public(which: str, now: datetime) -> tuple[list[str], list[object], str]:
    conditions = ["g.private = ?", f"{_ORIGIN} = 'played'"]
    values: list[object] = [False]
    if which == OPEN:
        still = f"(g.start_by IS NULL OR g.start_by > ? OR EXISTS ({BY_OPERATOR}))"
        return [*conditions, "g.status = 'open'", _FREE, still], [*values, utc(now)], _NEWEST
    # Those that somebody plays against bots alone would hide the others: there is one for each newcomer.
    return [*conditions, "g.status = 'running'", f"{_PEOPLE} > 1"], values, "g.started_at DESC, g.id"
