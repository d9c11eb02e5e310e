"""What went wrong in any process, for the operator's page."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Create the table."""
    number = (
        "INTEGER PRIMARY KEY AUTOINCREMENT" if type(migrator).__name__.startswith("Sqlite") else "BIGSERIAL PRIMARY KEY"
    )
    db.execute_sql(
        f"""CREATE TABLE "trouble" (
            "id" {number} NOT NULL,
            "at" VARCHAR(20) NOT NULL,
            "process" VARCHAR(64) NOT NULL,
            "logger" VARCHAR(60) NOT NULL,
            "message" VARCHAR(200) NOT NULL,
            "cause" VARCHAR(200) NOT NULL,
            "request" VARCHAR(64))"""
    )


def down(migrator: Any, db: Any) -> None:
    """Drop it."""
    db.execute_sql('DROP TABLE "trouble"')
