"""Deals that many play, each at a table of its own."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add them, and of which deal a game is."""
    db.execute_sql("""
        CREATE TABLE deal (
            id VARCHAR(32) NOT NULL PRIMARY KEY,  -- random
            day VARCHAR(10),  -- in UTC, of a deal of the day; null: another
            server_seed VARCHAR(64) NOT NULL,  -- hex, of all its games; secret until it is revealed
            commitment VARCHAR(64) NOT NULL,
            ruleset VARCHAR(32) NOT NULL,
            options TEXT NOT NULL,  -- JSON
            seats INTEGER NOT NULL,
            created_at VARCHAR(20) NOT NULL,
            opens_at VARCHAR(20) NOT NULL,
            closes_at VARCHAR(20),  -- null: when its last game is over
            revealed_at VARCHAR(20)  -- null: its games are sealed
        )""")
    db.execute_sql("CREATE UNIQUE INDEX deal_day ON deal (day)")
    db.execute_sql("CREATE INDEX deal_sealed ON deal (closes_at) WHERE revealed_at IS NULL")
    db.execute_sql("ALTER TABLE game ADD COLUMN deal_id VARCHAR(32) REFERENCES deal (id)")
    db.execute_sql("CREATE INDEX game_deal_id ON game (deal_id) WHERE deal_id IS NOT NULL")
    # Of a deal of the day that was revealed: how much of the field the first seat has beaten, in percent.
    db.execute_sql("ALTER TABLE game ADD COLUMN beaten INTEGER")
