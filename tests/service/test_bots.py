"""Bots play legal moves from what their seat sees, and the steady one plays better than chance."""

from __future__ import annotations

import random

import pytest

from server.engine import game, setup
from server.engine.state import State
from server.engine.view import view
from server.service.automatic import choose
from server.service.bots import BOTS


def new_game(number: int, players: int) -> State:
    return setup.new_game(bytes([number]) * 32, players, {"tower": number % 2 == 0, "rotate_start": number % 4 < 2})


def play(state: State, bots: list[str], rng: random.Random) -> int:
    """Play to the end; the number of moves."""
    moves = 0
    while state.active is not None:
        move = choose(bots[state.active], state, rng)
        assert move in game.legal_moves(state)
        game.advance(state, move, [])
        moves += 1
    return moves


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bot", sorted(BOTS))
def test_bot_plays_whole_games_of_legal_moves(bot: str, players: int) -> None:
    for number in range(5):
        state = new_game(number, players)
        assert play(state, [bot] * players, random.Random(number)) > 50
        assert state.scores is not None


def test_steady_bot_beats_the_random_one() -> None:
    won = 0
    for number in range(20):
        state = new_game(number, 2)
        steady = number % 2
        play(state, ["steady" if seat == steady else "random" for seat in (0, 1)], random.Random(number))
        won += state.scores is not None and state.scores[steady]["rank"] == 1
    assert won >= 18


@pytest.mark.parametrize("bot", sorted(BOTS))
def test_bot_decides_by_its_view_and_its_own_chance(bot: str) -> None:
    """Two states that look alike to the seat (other piles, other seed) lead to the same move."""
    state = new_game(3, 3)
    for _ in range(60):
        if state.active is None:
            return
        other = state.copy()
        other.seed = b"\1" * 32
        other.chance += 17
        other.pile = tuple(reversed(other.pile))
        other.coats = tuple(reversed(other.coats))
        assert view(other, state.active) == view(state, state.active)
        move = choose(bot, state, random.Random(8))
        assert choose(bot, other, random.Random(8)) == move
        game.advance(state, move, [])
