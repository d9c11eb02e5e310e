"""The lists of games on the first page: whose turn it is, what can be joined, what is over."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common.errors import NotFound
from server.service.games import listing_keys
from server.service.lists import game_lists, list_pages
from server.service.lists.list_pages import LAST_OVER, NEWEST, PUBLIC_VALUES, Where
from server.service.lists.list_pages import PUBLIC as SHOWN_TO_ALL
from server.service.outbox.pauses import BY_OPERATOR
from server.storage.database import Store
from server.storage.times import utc

TURNS, RUNNING, SEATED, SANDBOXES, OVER, OPEN, WATCH = (
    "turns", "running", "seated", "sandboxes", "over", "open", "watch"
)  # fmt: skip
OWN = (TURNS, RUNNING, SEATED, SANDBOXES, OVER)  # Lists of somebody who is signed in
PUBLIC = (OPEN, WATCH)  # Lists for everybody
LISTS = OWN + PUBLIC

_MY_TURN = "EXISTS (SELECT 1 FROM seat t WHERE t.game_id = g.id AND t.seat = g.to_move AND t.player_id = ?)"
_PEOPLE = "(SELECT COUNT(*) FROM seat p WHERE p.game_id = g.id AND p.player_id IS NOT NULL)"
_FREE = "EXISTS (SELECT 1 FROM seat f WHERE f.game_id = g.id AND f.name IS NULL)"
# What runs out first comes first; deadlines are known to all who see the game.
_URGENT = "CASE WHEN g.deadline IS NULL THEN 1 ELSE 0 END, g.deadline, g.started_at, g.id"


def games(
    store: Store, player: Player | None, which: str, now: datetime, page: int = 1, page_size: int = 20
) -> tuple[list[game_lists.ListedGame], list_pages.Total]:
    """One of `LISTS` for `player` (None: a stranger), and how many games there are: `TURNS` running ones in which the
    player is to move, `RUNNING` the others, `SEATED` open ones they sit in, `OVER`, `SANDBOXES`; `OPEN` public games
    with a free seat and `WATCH` those that several people play, without the player's own. Raises `NotFound` for another
    list, or somebody's when nobody asks; `Unprocessable` for a bad page."""
    if which not in LISTS or (player is None and which in OWN):
        raise NotFound(_("there is no such list of games"))
    if player is not None and which in OWN:
        where, order = _own(player, which)
    else:
        where, order = _public(which, now)
        if player is not None:
            where = where.also(f"NOT {game_lists.MEMBER}", player.id)
    return game_lists.selected(store, player, where, order, page, page_size)


def _own(player: Player, which: str) -> tuple[Where, str]:
    where = Where(member=player.id, kinds=(listing_keys.PLAYED, listing_keys.IMPORTED))
    if which == SANDBOXES:
        return replace(where, kinds=(listing_keys.SANDBOX,)), NEWEST
    if which == OVER:
        return replace(where, statuses=("finished", "abandoned")), LAST_OVER
    if which == SEATED:
        return replace(where, statuses=("open",)), NEWEST
    turn = _MY_TURN if which == TURNS else f"NOT {_MY_TURN}"
    return replace(where, statuses=("running",)).also(turn, player.id), _URGENT


def _public(which: str, now: datetime) -> tuple[Where, str]:
    where = Where([SHOWN_TO_ALL], [*PUBLIC_VALUES]).also("g.origin = 'played'")
    if which == OPEN:
        still = f"(g.start_by IS NULL OR g.start_by > ? OR EXISTS ({BY_OPERATOR}))"
        return where.also("g.status = 'open'").also(_FREE).also(still, utc(now)), NEWEST
    # Those that somebody plays against bots alone would hide the others: there is one for each newcomer.
    return where.also("g.status = 'running'").also(f"{_PEOPLE} > 1"), "g.started_at DESC, g.id"
