"""Bots play legal moves from what their seat sees, and the steady one plays better than chance."""

import random

import pytest

from server.engine.ulm1 import game
from server.engine.ulm1.state import State
from server.engine.ulm1.tables import COLORS
from server.engine.ulm2 import RULES
from server.service.games.finish_move import choose


def new_game(number: int, players: int) -> State:
    return RULES.new_game(bytes([number]) * 32, players, {"tower": number % 2 == 0, "rotate_start": number % 4 < 2})


def pays(state: State, move: tuple[str, ...]) -> bool:
    """Whether the move does its player good without costing a turn's better use: all actions but mere exchanges.

    In the last round a bought card has to be played in the same turn, freely or by a second card action.
    """
    if move[0] == "buy" and state.round == 10:
        brown = COLORS.index("brown")
        return state.turn.free_play or state.turn.activated[brown] + state.turn.card_credits >= 2
    return move[0] in ("money", "river", "sail", "clear", "seal", "buy", "play", "salvage", "levy")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_steady_bot_never_wastes_an_action_that_pays(players: int) -> None:
    """It plays on its own and takes over turns that another one has begun in any way; `end` comes last of all."""
    ends = 0
    for number in range(8):
        state, rng = new_game(number, players), random.Random(number)
        while state.active is not None:
            steady = (state.round + state.active + number) % 2 or rng.random() < 0.5
            move = choose("steady" if steady else "random", state, rng)
            if steady and move == ("end",):
                ends += 1
                wasted = [other for other in game.legal_moves(state) if pays(state, other)]
                assert wasted == []
            game.advance(state, move, [])
    assert ends > 80
