"""What happens when a clock has run out: the rest of the turn is played or the seat resigned, as the game's clock says.

A late move and the clock race for the lock of the game's row. A move that is first counts although the deadline is
past; a second one is refused (409) and told why. What is lost by mail that does not go out is reckoned anew from what
is stored whenever it is asked for (`clock.refresh`): a process that dies in the midst has granted nothing twice.
"""

from __future__ import annotations

import itertools
import json
import logging
import random
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from server.engine.ulm1.turn import RESIGN
from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common.errors import Conflict, NotFound
from server.service.games import clock as clocks
from server.service.games import due_work, finish_move, late_mail, loading, notices, table_events
from server.service.games.finish_move import finish_turn
from server.service.games.model import Game, Seat
from server.service.games.saving import change_row, changing, save_seat, turn_columns
from server.service.lists import game_page
from server.service.lists.game_page import GamePage
from server.service.outbox import pauses
from server.service.outbox.enqueuing import tell
from server.service.play import pause, proposals
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

AUTOPILOT_AFTER = 2  # Time-outs in a row after which the server plays a seat at once, until its player comes back

_DUE = "SELECT id FROM game WHERE status = 'running' AND deadline <= ? ORDER BY deadline, id"
_LONG_PAUSED = "SELECT id FROM game WHERE status = 'running' AND paused_at <= ? AND NOT held ORDER BY paused_at, id"
_PROPOSED = "SELECT id FROM game WHERE status = 'running' AND proposal IS NOT NULL ORDER BY id"
_NEVER_STARTED = "SELECT id FROM game WHERE status = 'open' AND start_by <= ? ORDER BY start_by, id"


def run_clocks(store: Store, now: datetime, rng: random.Random | None = None) -> int:
    """Carry out every deadline that is past: turns that took too long, games that did not start by their date, pauses
    that nobody ended; none while the operator has paused all mail. Each game is a transaction of its own; one that
    fails is logged. Returns the number of games changed. May run in several processes at once."""
    if pauses.by_operator(store) is not None:
        return 0
    changed = heed_pauses(store, now) + heed_notices(store, now)
    with store.read():
        due = [game_id for (game_id,) in sql.rows(store, _DUE, utc(now))]
        paused = [game_id for (game_id,) in sql.rows(store, _LONG_PAUSED, utc(now - pause.PAUSE_MAX))]
        unstarted = [game_id for (game_id,) in sql.rows(store, _NEVER_STARTED, utc(now))]
        proposed = [game_id for (game_id,) in sql.rows(store, _PROPOSED)]
    for game_id in _until_closing(store, proposed):
        changed += guarded(proposals.look_after, store, game_id, now, rng)
    for game_id in _until_closing(store, unstarted):
        changed += guarded(give_up_start, store, game_id, now)
    for game_id in _until_closing(store, paused):
        changed += guarded(pause.end_long_pause, store, game_id, now)
    for game_id in _until_closing(store, due):
        changed += guarded(time_out, store, game_id, now, rng)
    return changed


def _until_closing(store: Store, games: Iterable[str]) -> Iterator[str]:
    """The games, until the process is to stop: what is due then is due after the next start."""
    return itertools.takewhile(lambda _: not store.closing.is_set(), games)


def time_out(store: Store, game_id: str, now: datetime, rng: random.Random | None = None) -> bool:
    """Play or resign for the seat whose deadline is past; False when there is none (any more). A stored deadline may be
    too early, so whether time was lost is looked at once more."""
    with changing(store):
        game = loading.for_change(store, game_id)
        number = game.to_move
        if game.status != "running" or game.clock is None or number is None:
            return False
        if not clocks.is_over(game, now) or pauses.by_operator(store) is not None:
            return False
        if clocks.refresh(store, game, now) and not clocks.is_over(game, now):
            change_row(store, game.id, **turn_columns(game))
            return False
        clock, at = clocks.read(game.clock), utc(now)
        seat = game.seats[number]
        seat.timeouts += 1
        seat.reserve_seconds = 0
        table_events.note(store, game, "timed_out", number, now)
        if clock.on_timeout == "resign":
            game.take(number, RESIGN, game.rules.apply(game.position, number, RESIGN).state, at, automatic=True)
        else:
            seat.autopilot = seat.timeouts >= AUTOPILOT_AFTER
            save_seat(store, seat)
            if not clocks.nobody_left(game):
                _let_stand_in(store, game, seat, now)
                return True
            finish_turn(game, at, rng)  # the game is given up with it: no time is taken for a better one
        save_seat(store, seat)
        finish_move.after_moves(store, game, number, now, rng)
    return True


def _let_stand_in(store: Store, game: Game, seat: Seat, now: datetime) -> None:
    """The job asks the stand-in to play the rest of the turn, without a clock; the next is the player's."""
    seat.late_ply, game.deadline = game.position.ply, None
    change_row(store, game.id, **turn_columns(game))
    due_work.note(store, game, now)


def give_up_start(store: Store, game_id: str, now: datetime) -> bool:
    """Abandon an open game that should have started by now, and tell who sits there; False when it is none (any
    more)."""
    with changing(store):
        game = loading.for_change(store, game_id)
        if not clocks.too_late_to_start(store, game, now):
            return False
        change_row(store, game_id, status="abandoned", finished_at=utc(now))
        tell(store, notices.of_no_start(game), now)
    return True


def come_back(store: Store, player: Player, game_id: str) -> GamePage:
    """The player is there again: the server plays no longer for the seat. Returns the page of the game. Raises
    `NotFound`, `Forbidden` (no seat), `Conflict` (the game is not running, or the seat has resigned)."""
    with changing(store):
        game = loading.for_change(store, game_id)
        seat = game.require_seated(player)
        if game.require_running().players[seat].resigned:
            raise Conflict(_("your seat has resigned: there is no way back into this game"))
        clocks.come_back(store, game, seat)
    return game_page.page(store, game_id, player)


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
            found = late_mail.sendings(store, [key for _, key, _, _ in games])
        if not games:
            return changed
        last = games[-1][0]
        in_time = []
        for game_id, key, clock, since in games:
            lost = late_mail.lost(found.get(key), since, clocks.read(json.loads(clock)).turn, now)
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
        if game.status != "open" or utc(last) == game.start_by:
            return False
        change_row(store, game_id, start_by=utc(last))
    return True


_UNHEEDED = """
    SELECT id FROM mail_pause WHERE cause <> 'fault' AND ended_at IS NOT NULL AND heeded_at IS NULL ORDER BY id"""
# All at once: by pages SQLite would look at every running game, and sort them, for each page.
_CLOCKS = "SELECT id FROM game WHERE status = 'running' AND deadline IS NOT NULL ORDER BY id"
_OPEN = "SELECT id FROM game WHERE status = 'open' AND start_by IS NOT NULL ORDER BY id"
_HEEDED = "UPDATE mail_pause SET heeded_at = ? WHERE id = ? AND heeded_at IS NULL"


def heed_pauses(store: Store, now: datetime) -> int:
    """After a pause of all mail, or time in which no server was there, let every clock go on from where it stood, and
    games that have not begun start as much later; how many were changed. Until then deadlines are too early, but
    `time_out` looks at what stopped them first. Whatever ends this in the midst, the next one goes through all
    again."""
    with store.read():
        pauses = [number for (number,) in sql.rows(store, _UNHEEDED)]
        games = [game_id for (game_id,) in sql.rows(store, _CLOCKS)] if pauses else []
        unstarted = [game_id for (game_id,) in sql.rows(store, _OPEN)] if pauses else []
    if not pauses:
        return 0
    changed = sum(guarded(refresh, store, game_id, now) for game_id in _until_closing(store, games))
    changed += sum(guarded(put_off_start, store, game_id, now) for game_id in _until_closing(store, unstarted))
    if store.closing.is_set():
        return changed  # not all of them
    with store.write():
        for number in pauses:
            sql.execute(store, _HEEDED, utc(now), number)
    log.info("clocks go on after all stood still", extra={"fields": {"games": changed}})
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
