"""By which request a mail, a bot's turn or an analysis was caused: under its id the log tells of both."""

from typing import Any

TABLES = ("mail", "bot_turn", "analysis")


def up(migrator: Any, db: Any) -> None:
    """Add the column to each."""
    for table in TABLES:
        db.execute_sql(f'ALTER TABLE "{table}" ADD COLUMN "request" VARCHAR(64)')


def down(migrator: Any, db: Any) -> None:
    """Drop it."""
    for table in TABLES:
        db.execute_sql(f'ALTER TABLE "{table}" DROP COLUMN "request"')
