"""What became of mail that came in: of answers by themselves, so that none is done twice, of all the rest how many."""

from typing import Any

STATEMENTS = (
    """CREATE TABLE "received_mail" (
        "id" {serial},
        "key" VARCHAR(32) NOT NULL,
        "at" VARCHAR(20) NOT NULL,
        "door" VARCHAR(8) NOT NULL,
        "address" VARCHAR(32) NOT NULL,
        "player" VARCHAR(32),
        "outcome" VARCHAR(8) NOT NULL,
        "why" VARCHAR(60) NOT NULL,
        "size" INTEGER NOT NULL,
        "tries" INTEGER NOT NULL)""",
    """CREATE UNIQUE INDEX "receivedmail_key" ON "received_mail" ("key")""",
    """CREATE INDEX "receivedmail_at" ON "received_mail" ("at")""",
    """CREATE INDEX "receivedmail_address_at" ON "received_mail" ("address", "at")""",
    """CREATE INDEX "receivedmail_player_at" ON "received_mail" ("player", "at")""",
    """CREATE TABLE "received_count" (
        "day" VARCHAR(10) NOT NULL,
        "what" VARCHAR(70) NOT NULL,
        "number" INTEGER NOT NULL,
        PRIMARY KEY ("day", "what"))""",
)


def up(migrator: Any, db: Any) -> None:
    """Create the tables."""
    serial = "INTEGER" if type(migrator).__name__.startswith("Sqlite") else "BIGSERIAL"
    for statement in STATEMENTS:
        db.execute_sql(statement.format(serial=f"{serial} NOT NULL PRIMARY KEY"))


def down(migrator: Any, db: Any) -> None:
    """Drop them."""
    for table in ("received_count", "received_mail"):
        db.execute_sql(f'DROP TABLE "{table}"')
