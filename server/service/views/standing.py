"""What everybody would have if the game ended now."""

from __future__ import annotations

from server.engine.ulm1.shapes import Score
from server.engine.ulm1.state import State


def standing(state: State) -> list[Score]:
    """The final scoring of a position, by seat and by its parts: points, sparrows, barge, Cathedral, Trade, Chronicle.

    It is open to everybody: cards in hand count nothing, and what counts lies on the table. So it is the same for the
    true position and for what any seat, or a spectator, may see of it. Of a game that is over it is the result.
    """
    return state.rules.standing(state, state.scores)
