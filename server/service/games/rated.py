"""Whether a game counts for ratings (docs/ratings.md): it is settled when it begins, and may be lost later.

Rated are games that all people at the table wished to be, before anybody knew how they go; bots of the house are always
for it. A deal of the day counts between bots alone: people may have played it before, as guests. A job counts games
when they are over and for all to see (`service/archive/rating.py`)."""

from __future__ import annotations

from server.engine import rulesets
from server.service.games.model import PLAYED, Game
from server.storage import sql
from server.storage.database import Store

BEGUN, COUNTED = "begun", "counted"
STATES = (BEGUN, COUNTED)
"""What `game.rated` says: that it counts if nothing comes between, that it was counted; NULL: it does not count."""
_BEGIN = """
    UPDATE game SET rated = ? WHERE id = ? AND NOT EXISTS (
        SELECT 1 FROM seat s LEFT JOIN player p ON p.id = s.player_id
        WHERE s.game_id = game.id AND s.bot IS NULL AND (p.id IS NULL OR NOT p.rated))
        AND NOT EXISTS (
            SELECT 1 FROM deal d JOIN seat s ON s.game_id = game.id
            WHERE d.id = game.deal_id AND d.day IS NOT NULL AND s.bot IS NULL)
    RETURNING rated"""


def _may_begin(game: Game) -> bool:
    return game.origin == PLAYED and not game.hints and game.ruleset not in rulesets.OWN


def as_it_stands(game: Game) -> str | None:
    """`BEGUN` of a game that counts if it comes to a regular end as it stands, of an open one if all who sit down wish
    it; `COUNTED`; None of one that does not count."""
    if game.status == "abandoned" or (game.private and game.deal is None):
        return None
    if game.taken_back or any(seat.hints for seat in game.seats):
        return None
    return game.rated if game.status != "open" else BEGUN if _may_begin(game) else None


def begin(store: Store, game: Game) -> None:
    """Note that a game, which starts in the running transaction and whose seats are stored, counts, where it does."""
    if _may_begin(game):
        found = sql.row(store, _BEGIN, BEGUN, game.id)
        game.rated = None if found is None else BEGUN


def hand_over(store: Store, game: Game) -> None:
    """Note that a game does not count any more, since a seat of it is given to somebody else."""
    sql.execute(store, "UPDATE game SET rated = NULL WHERE id = ?", game.id)
