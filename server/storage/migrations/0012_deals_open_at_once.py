"""Deals without a time from which they can be played: it is that of their day."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Take the column away."""
    db.execute_sql("ALTER TABLE deal DROP COLUMN opens_at")
