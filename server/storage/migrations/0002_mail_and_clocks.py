"""Turn mail and clocks: the outbox, leases between processes, signing keys, used links, invitations by mail, messages,
vacations; clock and deadline of a game, what a seat has left of its time, how often its player was too late.
"""

from typing import Any

STATEMENTS = (
    """CREATE TABLE "mail" (
        "id" {bigserial},
        "key" VARCHAR(200) NOT NULL,
        "kind" VARCHAR(32) NOT NULL,
        "game_id" VARCHAR(32) REFERENCES "game" ("id") ON DELETE CASCADE,
        "ply" INTEGER,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE CASCADE,
        "address" TEXT,
        "data" TEXT NOT NULL,
        "state" VARCHAR(12) NOT NULL,
        "due_at" VARCHAR(20) NOT NULL,
        "attempts" INTEGER NOT NULL,
        "lease_owner" VARCHAR(64),
        "lease_until" VARCHAR(20),
        "created_at" VARCHAR(20) NOT NULL,
        "done_at" VARCHAR(20),
        "message_id" VARCHAR(200),
        "error" TEXT)""",
    """CREATE UNIQUE INDEX "mail_key" ON "mail" ("key")""",
    """CREATE INDEX "mail_state_due_at" ON "mail" ("state", "due_at")""",
    """CREATE INDEX "mail_game_id" ON "mail" ("game_id")""",
    """CREATE INDEX "mail_player_id" ON "mail" ("player_id")""",
    """CREATE TABLE "lease" (
        "name" VARCHAR(64) NOT NULL PRIMARY KEY,
        "owner" VARCHAR(64) NOT NULL,
        "until" VARCHAR(20) NOT NULL)""",
    """CREATE TABLE "signing_key" (
        "id" {serial},
        "secret" VARCHAR(64) NOT NULL,
        "created_at" VARCHAR(20) NOT NULL)""",
    """CREATE TABLE "used_link" (
        "hash" VARCHAR(64) NOT NULL PRIMARY KEY,
        "expires_at" VARCHAR(20) NOT NULL)""",
    """CREATE INDEX "used_link_expires_at" ON "used_link" ("expires_at")""",
    """CREATE TABLE "invitation" (
        "id" {serial},
        "game_id" VARCHAR(32) NOT NULL REFERENCES "game" ("id") ON DELETE CASCADE,
        "inviter_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL,
        "address" TEXT NOT NULL,
        "created_at" VARCHAR(20) NOT NULL,
        "accepted_at" VARCHAR(20),
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL)""",
    """CREATE UNIQUE INDEX "invitation_game_id_address" ON "invitation" ("game_id", "address")""",
    """CREATE INDEX "invitation_inviter_id" ON "invitation" ("inviter_id")""",
    """CREATE INDEX "invitation_player_id" ON "invitation" ("player_id")""",
    """CREATE TABLE "message" (
        "id" {bigserial},
        "game_id" VARCHAR(32) NOT NULL REFERENCES "game" ("id") ON DELETE CASCADE,
        "seat" INTEGER NOT NULL,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL,
        "text" TEXT NOT NULL,
        "created_at" VARCHAR(20) NOT NULL)""",
    """CREATE INDEX "message_game_id" ON "message" ("game_id")""",
    """CREATE INDEX "message_player_id" ON "message" ("player_id")""",
    """CREATE TABLE "vacation" (
        "id" {serial},
        "player_id" VARCHAR(32) NOT NULL REFERENCES "player" ("id") ON DELETE CASCADE,
        "starts_at" VARCHAR(20) NOT NULL,
        "ends_at" VARCHAR(20) NOT NULL,
        "created_at" VARCHAR(20) NOT NULL)""",
    """CREATE INDEX "vacation_player_id" ON "vacation" ("player_id")""",
    """ALTER TABLE "player" ADD COLUMN "mail_stopped_at" VARCHAR(20)""",
    """ALTER TABLE "player" ADD COLUMN "mail_stopped_why" TEXT""",
    """ALTER TABLE "game" ADD COLUMN "clock" TEXT""",
    """ALTER TABLE "game" ADD COLUMN "turn_began_at" VARCHAR(20)""",
    """ALTER TABLE "game" ADD COLUMN "deadline" VARCHAR(20)""",
    """ALTER TABLE "game" ADD COLUMN "paused_at" VARCHAR(20)""",
    """ALTER TABLE "game" ADD COLUMN "start_by" VARCHAR(20)""",
    """CREATE INDEX "game_deadline" ON "game" ("deadline")""",
    """CREATE INDEX "game_start_by" ON "game" ("start_by")""",
    """ALTER TABLE "seat" ADD COLUMN "mail" VARCHAR(16)""",
    """ALTER TABLE "seat" ADD COLUMN "reserve_seconds" INTEGER""",
    """ALTER TABLE "seat" ADD COLUMN "timeouts" INTEGER NOT NULL DEFAULT 0""",
    """ALTER TABLE "seat" ADD COLUMN "autopilot" {boolean} NOT NULL DEFAULT {false}""",
    """ALTER TABLE "seat" ADD COLUMN "wants_pause" {boolean} NOT NULL DEFAULT {false}""",
)

TABLES = ("vacation", "message", "invitation", "used_link", "signing_key", "lease", "mail")
COLUMNS = (
    ("seat", ("wants_pause", "autopilot", "timeouts", "reserve_seconds", "mail")),
    ("game", ("start_by", "paused_at", "deadline", "turn_began_at", "clock")),
    ("player", ("mail_stopped_why", "mail_stopped_at")),
)


def up(migrator: Any, db: Any) -> None:
    """Create the tables and columns."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    words = {
        "serial": "INTEGER NOT NULL PRIMARY KEY" if sqlite else "SERIAL NOT NULL PRIMARY KEY",
        "bigserial": "INTEGER NOT NULL PRIMARY KEY" if sqlite else "BIGSERIAL NOT NULL PRIMARY KEY",
        "boolean": "INTEGER" if sqlite else "BOOLEAN",
        "false": "0" if sqlite else "FALSE",
    }
    for statement in STATEMENTS:
        db.execute_sql(statement.format(**words))


def down(migrator: Any, db: Any) -> None:
    """Drop them; on SQLite an index has to go before its column."""
    for index in ("game_start_by", "game_deadline"):
        db.execute_sql(f'DROP INDEX "{index}"')
    for table, columns in COLUMNS:
        for column in columns:
            db.execute_sql(f'ALTER TABLE "{table}" DROP COLUMN "{column}"')
    for table in TABLES:
        db.execute_sql(f'DROP TABLE "{table}"')
