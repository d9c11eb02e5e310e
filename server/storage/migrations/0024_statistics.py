"""What statistics add up to, kept up game by game instead of added up by each request."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create the table of sums, and note every game that is to be counted; a job counts those and adds them up.

    What `tally` holds already is not counted anew, only added up.
    """
    sqlite = type(migrator).__name__.startswith("Sqlite")
    boolean, false = ("INTEGER", "0") if sqlite else ("BOOLEAN", "FALSE")
    db.execute_sql(
        f"""CREATE TABLE "statistic" (
            "version" INTEGER NOT NULL,
            "span" VARCHAR(5) NOT NULL,
            "period" VARCHAR(10) NOT NULL,
            "origin" VARCHAR(16) NOT NULL,
            "seats" INTEGER NOT NULL,
            "tower" {boolean} NOT NULL,
            "rotate_start" {boolean} NOT NULL,
            "sums" TEXT NOT NULL,
            PRIMARY KEY ("version", "span", "period", "origin", "seats", "tower", "rotate_start"))"""
    )
    db.execute_sql('CREATE INDEX "tally_version" ON "tally" ("version")')
    db.execute_sql(
        f"""INSERT INTO tally (game_id, version, rows) SELECT g.id, 0, '[]' FROM game g
            WHERE g.status = 'finished' AND g.private = {false} AND g.unplayed = {false} AND g.origin <> 'sandbox'
            AND g.result IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tally t WHERE t.game_id = g.id)"""  # noqa: S608
    )


def down(migrator: Any, db: Any) -> None:
    """Drop them; what was counted game by game is read by versions of before as it was."""
    db.execute_sql('DROP TABLE "statistic"')
    db.execute_sql('DROP INDEX "tally_version"')
    db.execute_sql('DELETE FROM "tally" WHERE version = 0')
    db.execute_sql('UPDATE "tally" SET version = 1')
