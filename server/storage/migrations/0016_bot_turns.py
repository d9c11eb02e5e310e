"""Turns of bots that are due, for those that are not played in the transaction that comes to them."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create the table. Where a server plays for a player at this moment, no turn is under way."""
    db.execute_sql(
        """CREATE TABLE "bot_turn" (
            "game_id" VARCHAR(32) NOT NULL PRIMARY KEY,
            "seat" INTEGER NOT NULL,
            "secret" VARCHAR(64) NOT NULL,
            "alone" INTEGER NOT NULL,
            "due_at" VARCHAR(20) NOT NULL,
            "failures" INTEGER NOT NULL,
            "lease_owner" VARCHAR(64),
            "lease_until" VARCHAR(20),
            FOREIGN KEY ("game_id") REFERENCES "game" ("id") ON DELETE CASCADE)"""
    )


def down(migrator: Any, db: Any) -> None:
    """Drop it."""
    db.execute_sql('DROP TABLE "bot_turn"')
