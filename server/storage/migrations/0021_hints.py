"""Hints while a game is played: whether it allows them among people, and who took one."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create the table. Games of before allow none among people."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    boolean, false = ("INTEGER", "0") if sqlite else ("BOOLEAN", "FALSE")
    db.execute_sql(f'ALTER TABLE "game" ADD COLUMN "hints" {boolean} NOT NULL DEFAULT {false}')
    db.execute_sql(
        """CREATE TABLE "hint" (
            "id" VARCHAR(32) NOT NULL PRIMARY KEY,
            "game_id" VARCHAR(32) NOT NULL,
            "seat" INTEGER NOT NULL,
            "about" VARCHAR(64) NOT NULL,
            "secret" VARCHAR(64) NOT NULL,
            "moves" TEXT,
            "asked_at" VARCHAR(20) NOT NULL,
            "lease_until" VARCHAR(20),
            FOREIGN KEY ("game_id") REFERENCES "game" ("id") ON DELETE CASCADE)"""
    )
    db.execute_sql('CREATE UNIQUE INDEX "hint_game_id_seat_about" ON "hint" ("game_id", "seat", "about")')
    db.execute_sql('CREATE INDEX "hint_waiting" ON "hint" ("asked_at") WHERE moves IS NULL')


def down(migrator: Any, db: Any) -> None:
    """Drop them."""
    db.execute_sql('DROP TABLE "hint"')
    db.execute_sql('ALTER TABLE "game" DROP COLUMN "hints"')
