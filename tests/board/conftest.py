"""The positions that every test of the board draws."""

import pytest

from server.engine.ulm1.state import State
from tests.board.positions import play, some_positions


@pytest.fixture(scope="session")
def positions() -> tuple[State, ...]:
    return some_positions()


@pytest.fixture(scope="session")
def crowded() -> State:
    """A four-player position with every kind of thing on the board."""
    return next(
        state
        for seed in range(200)
        for state in play(seed, 4, tower=True)
        if state.round == 10
        and all(player.table and player.coats for player in state.players)
        and state.discard
        and any(player.hand for player in state.players)
        and state.descendants
    )
