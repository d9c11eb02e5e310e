"""What the server plays by itself within a transaction: bots that answer at once, the rest of a turn whose time is
over, and the blind `draw` at the start of a player's turn.
"""

from __future__ import annotations

import random

from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW, END
from server.service.games.bots import AT_ONCE
from server.service.games.model import Table, dump

STAND_IN = "apprentice"
"""The bot that plays where there is no time to ask a better one."""

#: More moves than bots can make in a whole game; beyond it something is wrong with a bot.
LIMIT = 5000


def go_on(table: Table, at: str, rng: random.Random | None, turn_began: bool = True) -> None:
    """Play on until a person has to decide, or a bot that needs time; notes the moves in `table` for storing.

    `turn_began` tells whether the move before this one began a turn (the start of the game counts): only then a `draw`
    is made for a player, so that one who has played a card before drawing can still take it back. `at` is the time of
    the move before, which the moves made here carry too.
    """
    rng = rng or random.SystemRandom()
    for _ in range(LIMIT):
        state, seat = table.position, table.position.active
        if seat is None or table.status != "running":
            return
        place = table.places[seat]
        if table.thinks(seat):
            return
        if place.bot is None:
            if turn_began:
                _draw_for(table, state, at, place.auto_draw)
            return
        move = choose(place.bot, state, rng)
        following = table.rules.apply(state, seat, move).state
        table.take(seat, move, following, at)
        turn_began = begins_turn(move, seat, following, seat)
    raise RuntimeError(f"game {table.id}: the bots do not come to an end")


def finish_turn(table: Table, at: str, rng: random.Random | None) -> None:
    """Play what is left of the turn under way for its player; notes the moves in `table`, as automatic where that is
    no bot."""
    rng = rng or random.SystemRandom()
    seat = table.position.active
    if seat is None:
        raise RuntimeError("nobody is to move")
    for _ in range(LIMIT):
        move = choose(STAND_IN, table.position, rng)
        following = table.rules.apply(table.position, seat, move).state
        table.take(seat, move, following, at, automatic=table.places[seat].bot is None)
        if begins_turn(move, seat, following, seat):
            return
    raise RuntimeError(f"game {table.id}: the turn does not come to an end")


def begins_turn(move: Move, seat: int, after: State, active_before: int | None) -> bool:
    """Whether `move` of `seat` began a new turn. (With rotate_start one seat can have two turns in a row.)"""
    return move == END or after.active != active_before


def choose(bot: str, state: State, rng: random.Random) -> Move:
    """What the bot plays. It is shown its own view and its legal moves, nothing else."""
    if state.active is None:
        raise RuntimeError("nobody is to move")
    rules = state.rules
    return AT_ONCE[bot](rules.view(state, state.active), rules.legal_moves(state), rng)


def _draw_for(table: Table, state: State, at: str, wanted: bool) -> None:
    """Make the blind draw when nothing else can be meant and the player wishes it.

    How long the request before takes must not tell the others which way it went, so the work is done in any case.
    """
    if state.active is None:
        return
    rules = table.rules
    allowed = rules.can_auto_draw(state)
    drawn = rules.apply(state, state.active, DRAW).state if DRAW in rules.legal_moves(state) else state.copy()
    if allowed and wanted:
        table.take(state.active, DRAW, drawn, at, automatic=True)
    else:
        dump(drawn)
