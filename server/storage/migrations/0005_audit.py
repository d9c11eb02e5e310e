"""What happened to accounts, for who looks after them: the audit log. A line outlives its account."""

from typing import Any

STATEMENTS = (
    """CREATE TABLE "audit" (
        "id" {serial},
        "at" VARCHAR(20) NOT NULL,
        "what" VARCHAR(40) NOT NULL,
        "player_id" VARCHAR(32),
        "network" VARCHAR(50),
        "details" TEXT NOT NULL)""",
    """CREATE INDEX "audit_player_id" ON "audit" ("player_id", "id")""",
    """CREATE INDEX "audit_at" ON "audit" ("at")""",
)


def up(migrator: Any, db: Any) -> None:
    """Create the table."""
    serial = "INTEGER" if type(migrator).__name__.startswith("Sqlite") else "BIGSERIAL"
    for statement in STATEMENTS:
        db.execute_sql(statement.format(serial=f"{serial} NOT NULL PRIMARY KEY"))


def down(migrator: Any, db: Any) -> None:
    """Drop it."""
    db.execute_sql('DROP TABLE "audit"')
