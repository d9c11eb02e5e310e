"""Games at a glance, for lists of many: the round, the points, the Minster square. What everybody may see, and no more.

A glance is made of what a spectator sees of the stored position, by a state without the game's seed, and kept by just
that: whatever else changes of a game, a draw that is hidden above all, makes a list neither faster nor slower.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock

import orjson
from cachetools import LRUCache

from server.engine import rulesets
from server.engine.errors import UlmError
from server.storage import sql
from server.storage.database import Store

_KEPT = 2000
_NO_SEED = bytes(32)


@dataclass(frozen=True, slots=True)
class Glance:
    """Where a game stands. `round` is the last one when the game is over."""

    round: int
    rounds: int
    points: tuple[int, ...]
    """Shown points by seat; after the final scoring those with it."""
    square: tuple[str, ...]
    """The colours of the nine tiles, row by row; the second row's middle is the tower's."""


kept: LRUCache[bytes, Glance] = LRUCache(_KEPT)
"""The glances at the positions that were looked at last, by digest of ruleset and position. Asked under `_lock`."""
_lock = Lock()


def of_games(store: Store, game_ids: Sequence[str]) -> dict[str, Glance]:
    """The glances of those of these games that have begun, by game. One without a stored position, which is a cache,
    has none. Who may see the games is for the caller to have asked."""
    if not game_ids:
        return {}
    marks = ", ".join("?" * len(game_ids))
    # Behind a hidden draw others see the position before it.
    statement = f"""
        SELECT g.id, g.ruleset, COALESCE(s."before", s.state) FROM game g
        JOIN snapshot s ON s.game_id = g.id AND s.ply = g.ply
        WHERE g.id IN ({marks}) AND g.started_at IS NOT NULL"""  # noqa: S608
    with store.read():
        rows = sql.rows(store, statement, *game_ids)
    found = {}
    for game, ruleset, text in rows:
        glance = _glance(ruleset, text)
        if glance is not None:
            found[game] = glance
    return found


def _glance(ruleset: str, text: str) -> Glance | None:
    """The glance at a position; None for one that cannot be read: a cache that cannot be read is no cache."""
    name = blake2b(f"{ruleset}\n{text}".encode(), digest_size=16).digest()
    with _lock:
        if name in kept:
            return kept[name]
    try:
        rules = rulesets.of(ruleset)
        view = rules.view(rules.state_from_dict(orjson.loads(text), _NO_SEED), None)
    except (ValueError, UlmError):
        return None
    scores = view["scores"]
    points = [player["vp"] for player in view["players"]] if scores is None else [one["total"] for one in scores]
    square = tuple(color for row in view["grid"] for color in row)
    glance = Glance(min(view["round"], rules.rounds), rules.rounds, tuple(points), square)
    with _lock:
        kept[name] = glance
    return glance
