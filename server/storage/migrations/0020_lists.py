"""What lists of games ask for, as columns with indexes: so that a list costs the same however many games there are."""

from typing import Any

INDEXES = {
    "game_newest": '("private", "unplayed", "created_at" DESC, "id")',
    "game_newest_of_status": '("private", "unplayed", "status", "created_at" DESC, "id")',
    "game_last_over": '("private", "unplayed", "status", "finished_at" DESC, "id")',
    "game_last_started": '("private", "unplayed", "status", "started_at" DESC, "id")',
    "game_best": '("private", "unplayed", "status", "winner_total", "finished_at")',
}
FIRST_WINNER = {
    True: "json_extract(result, '$.scores[' || json_extract(result, '$.winners[0]') || '].total')",
    False: "(result::json -> 'scores' -> (result::json -> 'winners' ->> 0)::integer ->> 'total')::integer",
}
WINNERS = {
    True: "json_each(g.result, '$.winners') w WHERE w.value = seat.seat",
    False: "json_array_elements_text(g.result::json -> 'winners') w WHERE w.value::integer = seat.seat",
}


def up(migrator: Any, db: Any) -> None:
    """Create the columns, fill them from what games hold as JSON, then create the indexes."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    boolean, false, true = ("INTEGER", "0", "1") if sqlite else ("BOOLEAN", "FALSE", "TRUE")
    mark = "?" if sqlite else "%s"
    for option in ("tower", "rotate_start"):
        db.execute_sql(f'ALTER TABLE "game" ADD COLUMN "{option}" {boolean} NOT NULL DEFAULT {false}')
        chosen = f"UPDATE game SET {option} = {true} WHERE options LIKE {mark}"  # noqa: S608 - of ours
        db.execute_sql(chosen, (f'%"{option}":true%',))
    db.execute_sql('ALTER TABLE "game" ADD COLUMN "winner_total" INTEGER')
    totals = f"UPDATE game SET winner_total = {FIRST_WINNER[sqlite]} WHERE result IS NOT NULL"  # noqa: S608 - of ours
    db.execute_sql(totals)
    db.execute_sql(f'ALTER TABLE "seat" ADD COLUMN "won" {boolean} NOT NULL DEFAULT {false}')
    won = f"SELECT 1 FROM game g, {WINNERS[sqlite]} AND g.id = seat.game_id AND g.result IS NOT NULL"  # noqa: S608
    db.execute_sql(f"UPDATE seat SET won = {true} WHERE EXISTS ({won})")  # noqa: S608 - of ours
    for name, columns in INDEXES.items():
        db.execute_sql(f'CREATE INDEX "{name}" ON "game" {columns}')


def down(migrator: Any, db: Any) -> None:
    """Drop them; on SQLite an index has to go before its column."""
    for name in INDEXES:
        db.execute_sql(f'DROP INDEX "{name}"')
    for table, column in (("seat", "won"), ("game", "winner_total"), ("game", "rotate_start"), ("game", "tower")):
        db.execute_sql(f'ALTER TABLE "{table}" DROP COLUMN "{column}"')
