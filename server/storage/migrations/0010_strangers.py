"""What strangers use up: who wants no mail, which games ended as they began, and how much each player has stored."""

from typing import Any

# What is counted for a player is close enough: texts by their characters, and some 100 bytes for each row of a log.
FILL = """
    UPDATE player SET stored_bytes =
        COALESCE((SELECT SUM(200 + LENGTH(w.text)) FROM message w WHERE w.player_id = player.id), 0)
        + COALESCE((SELECT SUM(LENGTH(s.note)) FROM seat s WHERE s.player_id = player.id), 0)
        + COALESCE((SELECT SUM(5000 + LENGTH(r.text) + 100 * g.ply) FROM imported_record r
            JOIN game g ON g.id = r.game_id WHERE r.player_id = player.id), 0)
        + COALESCE((SELECT SUM(20000 + 2 * LENGTH(x.position)) FROM sandbox x
            JOIN game g ON g.id = x.game_id WHERE g.creator_id = player.id), 0)"""
MARK = """
    UPDATE game SET unplayed = {true} WHERE status = 'finished' AND origin IN ('played', 'imported') AND seats > (
        SELECT COUNT(*) FROM move m WHERE m.game_id = game.id AND m.undone_at IS NULL AND m.move = 'end')"""


def up(migrator: Any, db: Any) -> None:
    """Create the table and the columns, and fill these."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    boolean, false, true = ("INTEGER", "0", "1") if sqlite else ("BOOLEAN", "FALSE", "TRUE")
    db.execute_sql("""CREATE TABLE "blocked_mailbox" (
        "hash" VARCHAR(32) NOT NULL PRIMARY KEY,
        "created_at" VARCHAR(20) NOT NULL)""")
    db.execute_sql('ALTER TABLE "player" ADD COLUMN "stored_bytes" BIGINT NOT NULL DEFAULT 0')
    db.execute_sql(f'ALTER TABLE "game" ADD COLUMN "unplayed" {boolean} NOT NULL DEFAULT {false}')
    db.execute_sql(f'CREATE INDEX "game_unplayed" ON "game" ("finished_at") WHERE unplayed = {true}')
    db.execute_sql(FILL)
    db.execute_sql(MARK.format(true=true))


def down(migrator: Any, db: Any) -> None:
    """Drop them; on SQLite an index has to go before its column."""
    db.execute_sql('DROP INDEX "game_unplayed"')
    db.execute_sql('ALTER TABLE "game" DROP COLUMN "unplayed"')
    db.execute_sql('ALTER TABLE "player" DROP COLUMN "stored_bytes"')
    db.execute_sql('DROP TABLE "blocked_mailbox"')
