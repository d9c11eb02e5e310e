"""Whose fault it was that a mail did not go out, the pauses of the queue, and a token that finds a mail come back."""

import base64
import secrets
from typing import Any

STATEMENTS = (
    """ALTER TABLE "mail" ADD COLUMN "fault" VARCHAR(6)""",
    """ALTER TABLE "mail" ADD COLUMN "doubts" INTEGER NOT NULL DEFAULT 0""",
    """ALTER TABLE "mail" ADD COLUMN "bounce_token" VARCHAR(26)""",
    """ALTER TABLE "mail" ADD COLUMN "sent_to" VARCHAR(32)""",
    """CREATE UNIQUE INDEX "mail_bounce_token" ON "mail" ("bounce_token")""",
    """CREATE TABLE "mail_pause" (
        "id" {serial},
        "cause" VARCHAR(8) NOT NULL,
        "why" TEXT NOT NULL,
        "since" VARCHAR(20) NOT NULL,
        "ended_at" VARCHAR(20),
        "retry_at" VARCHAR(20),
        "failures" INTEGER NOT NULL,
        "alarmed_at" VARCHAR(20))""",
    """CREATE UNIQUE INDEX "mail_pause_open" ON "mail_pause" ("cause") WHERE ended_at IS NULL""",
    """CREATE TABLE "mail_refusal" (
        "mail_id" BIGINT NOT NULL PRIMARY KEY REFERENCES "mail" ("id") ON DELETE CASCADE,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE CASCADE,
        "sent_to" VARCHAR(32) NOT NULL,
        "counted" INTEGER NOT NULL,
        "stopped" INTEGER NOT NULL,
        "since" VARCHAR(20) NOT NULL,
        "at" VARCHAR(20) NOT NULL)""",
    """CREATE INDEX "mailrefusal_player_id" ON "mail_refusal" ("player_id")""",
    """CREATE TABLE "mail_tally" ("name" VARCHAR(12) NOT NULL PRIMARY KEY, "total" BIGINT NOT NULL)""",
    """CREATE INDEX "player_mail_stopped" ON "player" ("mail_stopped_at") WHERE mail_stopped_at IS NOT NULL""",
)


def up(migrator: Any, db: Any) -> None:
    """Create columns and tables, and give the mails that still wait their tokens."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    serial = "INTEGER" if sqlite else "BIGSERIAL"
    for statement in STATEMENTS:
        db.execute_sql(statement.format(serial=f"{serial} NOT NULL PRIMARY KEY"))
    give = 'UPDATE "mail" SET "bounce_token" = ? WHERE "id" = ?'.replace("?", "?" if sqlite else "%s")
    waiting = "SELECT \"id\" FROM \"mail\" WHERE \"state\" IN ('pending', 'sending', 'dead')"
    for (number,) in db.execute_sql(waiting).fetchall():
        token = base64.b32encode(secrets.token_bytes(16)).decode("ascii").rstrip("=").lower()
        db.execute_sql(give, (token, number))


def down(migrator: Any, db: Any) -> None:
    """Drop them; on SQLite an index has to go before its column."""
    for index in ("player_mail_stopped", "mail_bounce_token"):
        db.execute_sql(f'DROP INDEX "{index}"')
    for table in ("mail_tally", "mail_refusal", "mail_pause"):
        db.execute_sql(f'DROP TABLE "{table}"')
    for column in ("sent_to", "bounce_token", "doubts", "fault"):
        db.execute_sql(f'ALTER TABLE "mail" DROP COLUMN "{column}"')
