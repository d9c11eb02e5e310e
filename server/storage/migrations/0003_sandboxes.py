"""Sandboxes begin from a stored position; what statistics count of a finished game is kept beside it."""

from typing import Any

STATEMENTS = (
    """CREATE TABLE "sandbox" (
        "game_id" VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES "game" ("id") ON DELETE CASCADE,
        "position" TEXT NOT NULL,
        "of_game" VARCHAR(32) NOT NULL,
        "of_ply" INTEGER NOT NULL,
        "of_seat" INTEGER)""",
    """CREATE TABLE "tally" (
        "game_id" VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES "game" ("id") ON DELETE CASCADE,
        "version" INTEGER NOT NULL,
        "rows" TEXT NOT NULL)""",
)


def up(migrator: Any, db: Any) -> None:
    """Create the tables."""
    for statement in STATEMENTS:
        db.execute_sql(statement)


def down(migrator: Any, db: Any) -> None:
    """Drop them."""
    for table in ("tally", "sandbox"):
        db.execute_sql(f'DROP TABLE "{table}"')
