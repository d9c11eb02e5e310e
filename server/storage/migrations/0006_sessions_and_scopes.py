"""Sessions that can be listed and ended one by one; what a token may do, and until when."""

from typing import Any

STATEMENTS = (
    """CREATE TABLE "session" (
        "hash" VARCHAR(64) NOT NULL PRIMARY KEY,
        "player_id" VARCHAR(32) NOT NULL REFERENCES "player" ("id") ON DELETE CASCADE,
        "device" VARCHAR(80) NOT NULL,
        "began_at" VARCHAR(20) NOT NULL,
        "seen_at" VARCHAR(20) NOT NULL,
        "fresh_at" VARCHAR(20))""",
    """CREATE INDEX "session_player_id" ON "session" ("player_id")""",
    # Whoever has a token may do with it what it was made for: all.
    """ALTER TABLE "token" ADD COLUMN "scopes" VARCHAR(60) NOT NULL DEFAULT 'read play account'""",
    """ALTER TABLE "token" ADD COLUMN "expires_at" VARCHAR(20)""",
)


def up(migrator: Any, db: Any) -> None:
    """Create the table and the columns."""
    for statement in STATEMENTS:
        db.execute_sql(statement)


def down(migrator: Any, db: Any) -> None:
    """Drop them."""
    for column in ("expires_at", "scopes"):
        db.execute_sql(f'ALTER TABLE "token" DROP COLUMN "{column}"')
    db.execute_sql('DROP TABLE "session"')
