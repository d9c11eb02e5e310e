"""A player's own note on a game, beside their seat."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add the column."""
    db.execute_sql('ALTER TABLE "seat" ADD COLUMN "note" TEXT')


def down(migrator: Any, db: Any) -> None:
    """Drop it."""
    db.execute_sql('ALTER TABLE "seat" DROP COLUMN "note"')
