"""The logs of games that are long over, packed: which games have one, and it."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create column, index and table. What is to be packed, a job packs."""
    blob = "BLOB" if type(migrator).__name__.startswith("Sqlite") else "BYTEA"
    db.execute_sql('ALTER TABLE "game" ADD COLUMN "archived" INTEGER NOT NULL DEFAULT 0')
    db.execute_sql(
        """CREATE INDEX "game_to_archive" ON "game" ("finished_at", "id")
            WHERE status = 'finished' AND archived <> 1"""
    )
    db.execute_sql(
        f"""CREATE TABLE "archived_log" (
            "game_id" VARCHAR(32) NOT NULL PRIMARY KEY,
            "version" INTEGER NOT NULL,
            "moves" INTEGER NOT NULL,
            "log" {blob} NOT NULL,
            FOREIGN KEY ("game_id") REFERENCES "game" ("id") ON DELETE CASCADE)"""
    )


def down(migrator: Any, db: Any) -> None:
    """Drop them; refuses while a game has its log there alone."""
    if db.execute_sql('SELECT 1 FROM "archived_log" LIMIT 1').fetchone() is not None:
        raise RuntimeError("logs of games are archived: run `ulm archive --restore-all` first")
    db.execute_sql('DROP TABLE "archived_log"')
    db.execute_sql('DROP INDEX "game_to_archive"')
    db.execute_sql('ALTER TABLE "game" DROP COLUMN "archived"')
