"""Since when an account has its address: whoever is asked to confirm it is told. Of those from before nobody knows."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add the column."""
    db.execute_sql('ALTER TABLE "player" ADD COLUMN "email_given_at" VARCHAR(20)')


def down(migrator: Any, db: Any) -> None:
    """Drop it."""
    db.execute_sql('ALTER TABLE "player" DROP COLUMN "email_given_at"')
