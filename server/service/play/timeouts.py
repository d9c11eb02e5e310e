"""What happens when a clock has run out: the rest of the turn is played or the seat resigned, as the game's clock says.

A late move and the clock race for the lock of the game's row: whichever has it first wins, and the other one finds the
game changed. A move that is first counts although the deadline is past; a second one is refused (409) and told why.
"""

from __future__ import annotations

import random
from datetime import datetime

from server.engine.ulm1.turn import RESIGN
from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common.errors import Conflict
from server.service.games import clock as clocks
from server.service.games import due_turns, finish_move, loading
from server.service.games.model import Game, Seat
from server.service.games.saving import change_row, changing, save_seat, turn_columns
from server.service.games.server_moves import finish_turn
from server.service.lists import game_page
from server.service.lists.game_page import GamePage
from server.service.outbox import pauses
from server.service.play import pause, waiting_clocks
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

AUTOPILOT_AFTER = 2
"""Time-outs in a row after which the server plays a seat at once, until its player comes back."""

_DUE = "SELECT id FROM game WHERE status = 'running' AND deadline <= ? ORDER BY deadline, id"
_LONG_PAUSED = "SELECT id FROM game WHERE status = 'running' AND paused_at <= ? AND NOT held ORDER BY paused_at, id"
_NEVER_STARTED = "SELECT id FROM game WHERE status = 'open' AND start_by <= ? ORDER BY start_by, id"


def run_clocks(store: Store, now: datetime, rng: random.Random | None = None) -> int:
    """Carry out every deadline that is past: turns that took too long, games that did not start by their date,
    pauses that nobody ended.

    While the operator has paused all mail nothing is: time stands still. Each game is a transaction of its own; one
    that fails is logged and does not keep the others. `rng` is the bots' chance. Returns the number of games that were
    changed. May run in several processes at once.
    """
    if pauses.by_operator(store) is not None:
        return 0
    changed = waiting_clocks.heed_pauses(store, now) + waiting_clocks.heed_notices(store, now)
    with store.read():
        due = [game_id for (game_id,) in sql.rows(store, _DUE, utc(now))]
        paused = [game_id for (game_id,) in sql.rows(store, _LONG_PAUSED, utc(now - pause.PAUSE_MAX))]
        unstarted = [game_id for (game_id,) in sql.rows(store, _NEVER_STARTED, utc(now))]
    for game_id in unstarted:
        changed += waiting_clocks.guarded(give_up_start, store, game_id, now)
    for game_id in paused:
        changed += waiting_clocks.guarded(pause.end_long_pause, store, game_id, now)
    for game_id in due:
        changed += waiting_clocks.guarded(time_out, store, game_id, now, rng)
    return changed


def time_out(store: Store, game_id: str, now: datetime, rng: random.Random | None = None) -> bool:
    """Play or resign for the seat whose deadline is past; False when there is none (any more).

    A deadline that is stored is never too late, but may be too early: whether time was lost is looked at once more.
    """
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
    """The stand-in plays what is left of the turn, asked by the job like every bot that needs time. No clock runs
    meanwhile, and the player plays on when the next turn comes."""
    seat.late_ply, game.deadline = game.position.ply, None
    change_row(store, game.id, **turn_columns(game))
    due_turns.note(store, game, now)


def give_up_start(store: Store, game_id: str, now: datetime) -> bool:
    """Abandon an open game that should have started by now; False when it is none (any more)."""
    with changing(store):
        game = loading.for_change(store, game_id)
        if not clocks.too_late_to_start(store, game, now):
            return False
        change_row(store, game_id, status="abandoned", finished_at=utc(now))
    return True


def come_back(store: Store, player: Player, game_id: str) -> GamePage:
    """The player is there again: the server plays no longer for the seat. Nothing changes when it did not.

    Returns the page of the game. Raises `NotFound`, `Forbidden` (no seat), `Conflict` (the game is not running, or the
    seat has resigned).
    """
    with changing(store):
        game = loading.for_change(store, game_id)
        seat = game.require_seated(player)
        if game.require_running().players[seat].resigned:
            raise Conflict(_("your seat has resigned: there is no way back into this game"))
        clocks.come_back(store, game, seat)
    return game_page.page(store, game_id, player)
