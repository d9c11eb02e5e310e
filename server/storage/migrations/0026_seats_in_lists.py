"""What lists of a player's games ask for, beside the seat; and all that replays are chosen by in one index."""

from typing import Any

COLUMNS = {"listed": "VARCHAR(24) NOT NULL DEFAULT 'open'", "created_at": "VARCHAR(20)", "finished_at": "VARCHAR(20)"}
INDEXES = {
    "seat_newest": '("player_id", "listed", "created_at" DESC, "game_id")',
    "seat_last_over": '("player_id", "listed", "finished_at" DESC, "game_id")',
    "seat_won": '("player_id", "listed", "finished_at" DESC, "game_id") WHERE won',
}
LISTED = "CASE WHEN g.origin IN ('sandbox', 'imported') THEN g.origin || ' ' || g.status ELSE g.status END"
LAST_OVER = '"private", "unplayed", "status", "finished_at" DESC, "id"'
KIND = '"winner_total", "seats", "tower", "rotate_start", "origin"'


def up(migrator: Any, db: Any) -> None:
    """Create the columns, fill them from the games, then create the indexes."""
    for name, kind in COLUMNS.items():
        db.execute_sql(f'ALTER TABLE "seat" ADD COLUMN "{name}" {kind}')
    db.execute_sql(
        f"""UPDATE seat SET listed = {LISTED}, created_at = g.created_at, finished_at = g.finished_at
            FROM game g WHERE g.id = seat.game_id"""  # noqa: S608 - of ours
    )
    db.execute_sql('DROP INDEX "seat_player_id"')  # the new ones begin with it
    for name, columns in INDEXES.items():
        db.execute_sql(f'CREATE INDEX "{name}" ON "seat" {columns}')
    db.execute_sql('DROP INDEX "game_last_over"')
    db.execute_sql(f'CREATE INDEX "game_last_over" ON "game" ({LAST_OVER}, {KIND})')


def down(migrator: Any, db: Any) -> None:
    """Drop them; on SQLite an index has to go before its column."""
    db.execute_sql('DROP INDEX "game_last_over"')
    db.execute_sql(f'CREATE INDEX "game_last_over" ON "game" ({LAST_OVER})')
    db.execute_sql('CREATE INDEX "seat_player_id" ON "seat" ("player_id")')
    for name in INDEXES:
        db.execute_sql(f'DROP INDEX "{name}"')
    for name in COLUMNS:
        db.execute_sql(f'ALTER TABLE "seat" DROP COLUMN "{name}"')
