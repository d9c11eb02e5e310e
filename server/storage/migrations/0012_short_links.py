"""What the links of mails lead to lies in a table: a link holds a short random token, no claims and no signature."""

from typing import Any

STATEMENTS = (
    # The game before the player: rows that refer to both lock them in this order.
    """CREATE TABLE "short_link" (
        "token" VARCHAR(26) NOT NULL PRIMARY KEY,
        "key" VARCHAR(100) NOT NULL,
        "purpose" VARCHAR(16) NOT NULL,
        "claims" TEXT NOT NULL,
        "game_id" VARCHAR(32) REFERENCES "game" ("id") ON DELETE CASCADE,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE CASCADE,
        "epoch" INTEGER NOT NULL,
        "created_at" VARCHAR(20) NOT NULL)""",
    """CREATE UNIQUE INDEX "short_link_key" ON "short_link" ("key")""",
    """CREATE INDEX "short_link_game_id" ON "short_link" ("game_id")""",
    """CREATE INDEX "short_link_player_id" ON "short_link" ("player_id")""",
    """CREATE INDEX "short_link_purpose_created_at" ON "short_link" ("purpose", "created_at")""",
)


def up(migrator: Any, db: Any) -> None:
    """Create the table."""
    for statement in STATEMENTS:
        db.execute_sql(statement)


def down(migrator: Any, db: Any) -> None:
    """Drop it: links in mails sent since are worthless."""
    db.execute_sql('DROP TABLE "short_link"')
