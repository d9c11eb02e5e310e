"""What operators decide: accounts that are closed, games whose clocks they hold."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add both; nobody is banned and no game is held."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    boolean, false = ("INTEGER", "0") if sqlite else ("BOOLEAN", "FALSE")
    db.execute_sql('ALTER TABLE "player" ADD COLUMN "banned_at" VARCHAR(20)')
    db.execute_sql('CREATE INDEX "player_banned" ON "player" ("banned_at") WHERE banned_at IS NOT NULL')
    db.execute_sql(f'ALTER TABLE "game" ADD COLUMN "held" {boolean} NOT NULL DEFAULT {false}')


def down(migrator: Any, db: Any) -> None:
    """Drop them: who was banned may come back, and clocks that were held stand still like those of any pause."""
    db.execute_sql('ALTER TABLE "game" DROP COLUMN "held"')
    db.execute_sql('DROP INDEX "player_banned"')
    db.execute_sql('ALTER TABLE "player" DROP COLUMN "banned_at"')
