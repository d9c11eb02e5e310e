"""Games at a glance, for lists of many: the round, the points, the Minster square. What everybody may see, and no more.

A glance is made of what a spectator sees of the stored position, by a state without the game's seed: 70 microseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from server.engine import rulesets
from server.engine.errors import UlmError
from server.service.lists.list_pages import marks
from server.storage import sql
from server.storage.database import Store

_NO_SEED = bytes(32)
# Behind a hidden draw others see the position before it.
_POSITIONS = """
    SELECT g.id, g.ruleset, COALESCE(s."before", s.state) FROM game g
    JOIN snapshot s ON s.game_id = g.id AND s.ply = g.ply
    WHERE g.started_at IS NOT NULL AND g.id IN """


@dataclass(frozen=True, slots=True)
class Glance:
    """Where a game stands. `round` is the last one when the game is over."""

    round: int
    rounds: int
    points: tuple[int, ...]
    """Shown points by seat; after the final scoring those with it."""
    square: tuple[str, ...]
    """The colours of the nine tiles, row by row; the second row's middle is the tower's."""


def of_games(store: Store, game_ids: Sequence[str]) -> dict[str, Glance]:
    """The glances of those of these games that have begun, by game. One without a stored position, which is a cache,
    has none. Who may see the games is for the caller to have asked."""
    with store.read():
        rows = sql.rows(store, _POSITIONS + marks(game_ids), *game_ids)
    glances = {game: _glance(ruleset, text) for game, ruleset, text in rows}
    return {game: glance for game, glance in glances.items() if glance is not None}


def _glance(ruleset: str, text: str) -> Glance | None:
    """The glance at a position; None for one that cannot be read: a cache that cannot be read is no cache."""
    try:
        rules = rulesets.rules_for(ruleset)
        view = rules.view(rules.state_from_dict(orjson.loads(text), _NO_SEED), None)
    except (ValueError, UlmError):
        return None
    scores = view["scores"]
    points = [player["vp"] for player in view["players"]] if scores is None else [one["total"] for one in scores]
    square = tuple(color for row in view["grid"] for color in row)
    return Glance(min(view["round"], rules.rounds), rules.rounds, tuple(points), square)
