"""What the server plays by itself within a transaction: bots that answer at once, the rest of a turn whose time is
over, and the blind `draw` at the start of a player's turn.
"""

from __future__ import annotations

import random

from server.engine.ulm1.notation import Move
from server.engine.ulm1.state import State
from server.engine.ulm1.turn import DRAW, END
from server.service.games.bots import AT_ONCE, STAND_IN_AT_ONCE
from server.service.games.model import Game, dump

#: More moves than bots can make in a whole game; beyond it something is wrong with a bot.
LIMIT = 5000


def go_on(game: Game, at: str, rng: random.Random | None, turn_began: bool = True) -> None:
    """Play on until a person has to decide, or a bot that needs time; notes the moves in `game` for storing.

    `turn_began` tells whether the move before this one began a turn (the start of the game counts): only then a `draw`
    is made for a player, so that one who has played a card before drawing can still take it back. `at` is the time of
    the move before, which the moves made here carry too.
    """
    rng = rng or random.SystemRandom()
    for _ in range(LIMIT):
        state, number = game.position, game.position.active
        if number is None or game.status != "running":
            return
        seat = game.seats[number]
        if game.thinks(number):
            return
        if seat.bot is None:
            if turn_began:
                _draw_for(game, state, at, seat.auto_draw)
            return
        move = choose(seat.bot, state, rng)
        following = game.rules.apply(state, number, move).state
        game.take(number, move, following, at)
        turn_began = begins_turn(move, number, following, number)
    raise RuntimeError(f"game {game.id}: the bots do not come to an end")


def finish_turn(game: Game, at: str, rng: random.Random | None) -> None:
    """Play what is left of the turn under way for its player; notes the moves in `game`, as automatic where that is
    no bot."""
    rng = rng or random.SystemRandom()
    seat = game.position.active
    if seat is None:
        raise RuntimeError("nobody is to move")
    for _ in range(LIMIT):
        move = choose(STAND_IN_AT_ONCE, game.position, rng)
        following = game.rules.apply(game.position, seat, move).state
        game.take(seat, move, following, at, automatic=game.seats[seat].bot is None)
        if begins_turn(move, seat, following, seat):
            return
    raise RuntimeError(f"game {game.id}: the turn does not come to an end")


def begins_turn(move: Move, seat: int, after: State, active_before: int | None) -> bool:
    """Whether `move` of `seat` began a new turn. (With rotate_start one seat can have two turns in a row.)"""
    return move == END or after.active != active_before


def choose(bot: str, state: State, rng: random.Random) -> Move:
    """What the bot plays. It is shown its own view and its legal moves, nothing else."""
    if state.active is None:
        raise RuntimeError("nobody is to move")
    rules = state.rules
    return AT_ONCE[bot](rules.view(state, state.active), rules.legal_moves(state), rng)


def _draw_for(game: Game, state: State, at: str, wanted: bool) -> None:
    """Make the blind draw when nothing else can be meant and the player wishes it.

    How long the request before takes must not tell the others which way it went, so the work is done in any case.
    """
    if state.active is None:
        return
    rules = game.rules
    allowed = rules.can_auto_draw(state)
    drawn = rules.apply(state, state.active, DRAW).state if DRAW in rules.legal_moves(state) else state.copy()
    if allowed and wanted:
        game.take(state.active, DRAW, drawn, at, automatic=True)
    else:
        dump(drawn)
