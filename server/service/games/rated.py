"""Whether a game counts for ratings (docs/ratings.md): it is settled when it begins, and lost by what is noted here.

Rated are games that all people at the table wished to be, before anybody knew how they go; bots of the house are always
for it. A deal of the day does not count: one may have played it before, as a guest. A job counts games when they are
over and for all to see (`service/archive/rating.py`)."""

from __future__ import annotations

from server.engine import rulesets
from server.service.games.model import PLAYED, Game
from server.storage import sql
from server.storage.database import Store

BEGUN, COUNTED = "begun", "counted"
HANDED, HELPED, TAKEN_BACK, EARLY, GONE, ONE, OWN = (
    "handed", "helped", "taken_back", "early", "gone", "one", "own"
)  # fmt: skip
"""Why a game does not count: a seat was given to somebody else, a hint was taken, a turn was taken back, somebody
resigned at once, an account is gone, one bot had all seats, an owner played their own bot."""


_BEGIN = """
    UPDATE game SET rated = ? WHERE id = ? AND NOT EXISTS (
        SELECT 1 FROM seat s LEFT JOIN player p ON p.id = s.player_id
        WHERE s.game_id = game.id AND s.bot IS NULL AND (p.id IS NULL OR NOT p.rated))
        AND NOT EXISTS (SELECT 1 FROM deal d WHERE d.id = game.deal_id AND d.day IS NOT NULL)
    RETURNING rated"""


def begin(store: Store, game: Game) -> None:
    """Note that a game, which starts in the running transaction and whose seats are stored, counts, where it does."""
    if game.origin == PLAYED and not game.hints and game.ruleset not in rulesets.OWN:
        found = sql.row(store, _BEGIN, BEGUN, game.id)
        game.rated = None if found is None else BEGUN


def hand_over(store: Store, game: Game) -> None:
    """Note that a game does not count any more, since a seat of it is given to somebody else."""
    sql.execute(store, "UPDATE game SET rated = ? WHERE id = ? AND rated = ?", HANDED, game.id, BEGUN)
