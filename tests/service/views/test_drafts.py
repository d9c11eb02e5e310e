"""Drafts: what a player may see is all that they are made of, and they say of each move whether it reveals."""

import random
from collections.abc import Iterator

import pytest

from server.engine.ulm1 import game
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.state import State
from server.engine.ulm1.view import view
from server.engine.ulm2 import RULES
from server.service.views import drafts
from tests.engine.battery import scrambled

NAMES = ["Ann", "Ben", "Cem", "Dea"]


def positions(number: int, seats: int, tower: bool) -> Iterator[State]:
    """Every position of a random game."""
    chance = random.Random(number)
    options = {"tower": tower, "rotate_start": bool(number % 2)}
    state = RULES.new_game(chance.randbytes(32), seats, options)
    while state.active is not None:
        yield state
        legal = game.legal_moves(state)
        # Ends are rare among the legal moves: a random player would hold on for ever, a hasty one sees little.
        move = chance.choice(legal)
        state = game.apply(state, state.active, move).state


GAMES = [(number, 2 + number % 3, bool(number % 2)) for number in range(8)]


@pytest.mark.parametrize(("number", "seats", "tower"), GAMES)
def test_a_mask_shows_the_same_and_reveals_at_the_same_moves(number: int, seats: int, tower: bool) -> None:
    revealing = 0
    for state in positions(number, seats, tower):
        seat = state.active
        assert seat is not None
        masked = state.rules.masked(state, seat)
        assert view(masked, seat) == view(state, seat)
        legal = game.legal_moves(state)
        assert game.legal_moves(masked) == legal
        options = drafts.make(state, seat, NAMES[:seats]).options
        for move in legal:
            expected = game.apply(state, seat, move).reveals
            assert options[format_move(move)].reveals == expected, move
            revealing += expected
    assert revealing > 30


@pytest.mark.parametrize(("number", "seats", "tower"), GAMES[:3])
def test_a_draft_is_the_same_whatever_is_hidden(number: int, seats: int, tower: bool) -> None:
    """Other hands, the order of the piles, the coats, the Tower and the seed are exchanged: no byte of it differs."""
    chance = random.Random(-number - 1)
    for index, state in enumerate(positions(number, seats, tower)):
        if index % 9:
            continue
        seat = state.active
        assert seat is not None
        other = scrambled(state, seat, chance)
        moves = _chain(state, seat, chance)
        one, two = (drafts.make(each, seat, NAMES[:seats], state.ply, moves) for each in (state, other))
        assert one.problem is None
        assert one.moves == moves
        assert (one.view, one.groups, one.lost) == (two.view, two.groups, two.lost)
        assert (one.sending, one.revealing) == (two.sending, two.revealing)
        assert [t.sentences for t in one.told] == [t.sentences for t in two.told]


@pytest.mark.parametrize(("number", "seats", "tower"), GAMES[:4])
def test_a_mask_holds_nothing_that_is_hidden(number: int, seats: int, tower: bool) -> None:
    """It is made of the view alone: whatever is hidden may be anything else, for each seat, also one that waits."""
    rng = random.Random(number)
    for index, state in enumerate(positions(number, seats, tower)):
        if index % 5 and not state.pending:
            continue
        for seat in range(seats):
            masked = state.rules.masked(state, seat)
            assert view(masked, seat) == view(state, seat)
            assert state.rules.masked(scrambled(state, seat, rng), seat).to_dict() == masked.to_dict()
            known = state.round + 1 if tower else 0
            assert len(set(masked.tower)) == len(masked.tower) == 10
            assert masked.tower[:known] == state.tower[:known]


def _chain(state: State, seat: int, chance: random.Random) -> list[str]:
    """Some moves that reveal nothing, as far as there are any."""
    moves: list[str] = []
    while len(moves) < 6:
        found = [move for move in game.legal_moves(state, seat) if move != ("end",)]
        found = [move for move in found if not game.apply(state, seat, move).reveals]
        if not found:
            break
        move = chance.choice(found)
        moves.append(format_move(move))
        state = game.apply(state, seat, move).state
    return moves


def test_a_draft_is_played_as_it_was_shown() -> None:
    """The position after a draft is that after its moves."""
    chance = random.Random(5)
    for index, state in enumerate(positions(3, 3, True)):
        seat = state.active
        assert seat is not None
        if index % 7:
            continue
        moves = _chain(state, seat, chance)
        shown = drafts.make(state, seat, NAMES[:3], state.ply, moves)
        for text in moves:
            state = game.apply(state, seat, tuple(text.split())).state
        assert shown.view == view(state, seat)
        assert set(shown.options) == {format_move(move) for move in game.legal_moves(state, seat)}


def test_reading_what_was_written() -> None:
    moves = ["push N2", "money", "play nave-1 top gray"]
    assert drafts.read(drafts.write(moves)) == moves
    assert drafts.read(" push   N2 ,, money,") == ["push N2", "money"]
    assert drafts.read("") == []
    assert len(drafts.read(",".join(["money"] * 500))) <= 65
