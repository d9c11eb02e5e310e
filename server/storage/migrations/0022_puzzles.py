"""Puzzles out of finished games, and which is that of a day."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create the tables. Games that are analysed already have no puzzles; those that come are looked through."""
    db.execute_sql(
        """CREATE TABLE "puzzle" (
            "id" VARCHAR(32) NOT NULL PRIMARY KEY,
            "game_id" VARCHAR(32) NOT NULL,
            "ply" INTEGER NOT NULL,
            "data" TEXT NOT NULL,
            "found_at" VARCHAR(20) NOT NULL,
            FOREIGN KEY ("game_id") REFERENCES "game" ("id") ON DELETE CASCADE)"""
    )
    db.execute_sql('CREATE UNIQUE INDEX "puzzle_game_id_ply" ON "puzzle" ("game_id", "ply")')
    db.execute_sql(
        """CREATE TABLE "puzzle_day" (
            "day" VARCHAR(10) NOT NULL PRIMARY KEY,
            "puzzle_id" VARCHAR(32) NOT NULL,
            FOREIGN KEY ("puzzle_id") REFERENCES "puzzle" ("id") ON DELETE CASCADE)"""
    )
    db.execute_sql('CREATE INDEX "puzzle_day_puzzle_id" ON "puzzle_day" ("puzzle_id")')


def down(migrator: Any, db: Any) -> None:
    """Drop them."""
    db.execute_sql('DROP TABLE "puzzle_day"')
    db.execute_sql('DROP TABLE "puzzle"')
