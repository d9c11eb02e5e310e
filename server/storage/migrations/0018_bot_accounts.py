"""Accounts of programs, each with an owner who says what it plays."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create the table."""
    db.execute_sql(
        """CREATE TABLE "bot_account" (
            "player_id" VARCHAR(32) NOT NULL PRIMARY KEY,
            "owner_id" VARCHAR(32) NOT NULL,
            "handle" VARCHAR(24) NOT NULL,
            "who" VARCHAR(10) NOT NULL,
            "rules" TEXT NOT NULL,
            "created_at" VARCHAR(20) NOT NULL,
            FOREIGN KEY ("player_id") REFERENCES "player" ("id") ON DELETE CASCADE,
            FOREIGN KEY ("owner_id") REFERENCES "player" ("id") ON DELETE CASCADE)"""
    )
    db.execute_sql('CREATE INDEX "bot_account_owner_id" ON "bot_account" ("owner_id")')
    db.execute_sql('CREATE UNIQUE INDEX "bot_account_handle" ON "bot_account" ("handle")')


def down(migrator: Any, db: Any) -> None:
    """Drop it."""
    db.execute_sql('DROP TABLE "bot_account"')
