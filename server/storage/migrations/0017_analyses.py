"""Analyses of finished games: what was found, and which are wanted."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create the table; games that are over already are analysed when somebody wishes it."""
    db.execute_sql(
        """CREATE TABLE "analysis" (
            "game_id" VARCHAR(32) NOT NULL PRIMARY KEY,
            "wanted_at" VARCHAR(20),
            "done" INTEGER NOT NULL,
            "failures" INTEGER NOT NULL,
            "version" VARCHAR(40),
            "data" TEXT,
            "lease_owner" VARCHAR(64),
            "lease_until" VARCHAR(20),
            FOREIGN KEY ("game_id") REFERENCES "game" ("id") ON DELETE CASCADE)"""
    )
    db.execute_sql('CREATE INDEX "analysis_wanted_at" ON "analysis" ("wanted_at")')


def down(migrator: Any, db: Any) -> None:
    """Drop it."""
    db.execute_sql('DROP TABLE "analysis"')
