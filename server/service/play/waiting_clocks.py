"""Clocks that stand still because mail does not go out: one by one where a notice waits, all while mail is paused.

What is lost is reckoned anew from what is stored whenever it is asked for (`table/clock.refresh`), never added up. So a
process that dies in the midst of it has granted nothing twice, and what it has not come to is found the next time.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import datetime

from server.service.common.errors import Conflict, NotFound
from server.service.games import clock as clocks
from server.service.games import loading, turn_notices
from server.service.games.saving import change_row, changing, turn_columns
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

log = logging.getLogger("ulm.clock")

GAMES_PER_QUERY = 200

_AWAITED = """
    SELECT id, turn_notice, clock, lost_since FROM game
    WHERE turn_notice IS NOT NULL AND clock IS NOT NULL AND id > ? ORDER BY id LIMIT ?"""
_FORGET = "UPDATE game SET turn_notice = NULL WHERE id = ? AND turn_notice = ? AND lost_since IS NULL"


def heed_notices(store: Store, now: datetime) -> int:
    """Stop the clocks of turns whose notices ought to have gone out and have not, and let those run again whose notices
    have; how many games were changed. May run in several processes at once."""
    changed, last = 0, ""
    while True:
        with store.read():
            games = sql.rows(store, _AWAITED, last, GAMES_PER_QUERY)
            found = turn_notices.sendings(store, [key for _, key, _, _ in games])
        if not games:
            return changed
        last = games[-1][0]
        in_time = []
        for game_id, key, clock, since in games:
            lost = turn_notices.lost(found.get(key), since, clocks.read(json.loads(clock)).turn, now)
            if lost.since is None and lost.settled:
                in_time.append((game_id, key))
            elif lost.since is not None and (since is None or lost.settled):
                changed += guarded(refresh, store, game_id, now)
        if in_time:
            # Nobody sees it, so nobody is woken. One after the other, in the order in which all lock several games.
            with store.write():
                for game_id, key in in_time:
                    sql.execute(store, _FORGET, game_id, key)


def refresh(store: Store, game_id: str, now: datetime) -> bool:
    """Reckon the clock of one game anew (`clock.refresh`) and store it; whether it is different now."""
    with changing(store):
        game = loading.for_change(store, game_id)
        if not clocks.refresh(store, game, now):
            return False
        change_row(store, game_id, **turn_columns(game))
    return True


def put_off_start(store: Store, game_id: str, now: datetime) -> bool:
    """Reckon anew by when an open game has to start and store it; whether it is different now."""
    with changing(store):
        game = loading.for_change(store, game_id)
        last = clocks.start_by(store, game, now)
        if game.status != "open" or last is None or utc(last) == game.start_by:
            return False
        change_row(store, game_id, start_by=utc(last))
    return True


_UNHEEDED = """
    SELECT id FROM mail_pause WHERE cause = 'operator' AND ended_at IS NOT NULL AND heeded_at IS NULL ORDER BY id"""
# All at once: by pages SQLite would look at every running game, and sort them, for each page.
_CLOCKS = "SELECT id FROM game WHERE status = 'running' AND deadline IS NOT NULL ORDER BY id"
_OPEN = "SELECT id FROM game WHERE status = 'open' AND start_by IS NOT NULL ORDER BY id"
_HEEDED = "UPDATE mail_pause SET heeded_at = ? WHERE id = ? AND heeded_at IS NULL"


def heed_pauses(store: Store, now: datetime) -> int:
    """After a pause of all mail let every clock go on from where it stood, and games that have not begun start as much
    later; how many games were changed.

    Until then deadlines are earlier than they ought to be, but none of them is carried out: whoever is about to looks
    at the pauses first (`timeouts.time_out`). Whatever ends this in the midst, the next one goes through all again.
    """
    with store.read():
        pauses = [number for (number,) in sql.rows(store, _UNHEEDED)]
        games = [game_id for (game_id,) in sql.rows(store, _CLOCKS)] if pauses else []
        unstarted = [game_id for (game_id,) in sql.rows(store, _OPEN)] if pauses else []
    if not pauses:
        return 0
    changed = sum(guarded(refresh, store, game_id, now) for game_id in games)
    changed += sum(guarded(put_off_start, store, game_id, now) for game_id in unstarted)
    with store.write():
        for number in pauses:
            sql.execute(store, _HEEDED, utc(now), number)
    log.info("clocks go on after a pause of all mail", extra={"fields": {"games": changed}})
    return changed


def guarded(job: Callable[..., object], store: Store, game_id: str, *arguments: object) -> bool:
    """Do something to one game; what goes wrong is logged and keeps no other one. Whether the game was changed."""
    try:
        return bool(job(store, game_id, *arguments))
    except (Conflict, NotFound):
        return False  # a player was faster
    except Exception:
        log.exception("game %s: its clock could not be carried out", game_id)
        return False
