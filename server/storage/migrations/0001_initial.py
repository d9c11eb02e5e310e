"""Players and tokens; games, seats, the move log; snapshots, replies, imported records.

Plain statements, so that later changes of the models leave this page as it was. SQLite and PostgreSQL differ only in
how a running number is declared.
"""

from typing import Any

STATEMENTS = (
    """CREATE TABLE "player" (
        "id" VARCHAR(32) NOT NULL PRIMARY KEY,
        "name" TEXT NOT NULL,
        "email" TEXT,
        "email_confirmed_at" VARCHAR(20),
        "preferences" TEXT NOT NULL,
        "created_at" VARCHAR(20) NOT NULL)""",
    """CREATE TABLE "token" (
        "id" {serial},
        "player_id" VARCHAR(32) NOT NULL REFERENCES "player" ("id") ON DELETE CASCADE,
        "hash" VARCHAR(64) NOT NULL,
        "name" TEXT NOT NULL,
        "created_at" VARCHAR(20) NOT NULL,
        "last_used_at" VARCHAR(20),
        "revoked_at" VARCHAR(20))""",
    """CREATE INDEX "token_player_id" ON "token" ("player_id")""",
    """CREATE UNIQUE INDEX "token_hash" ON "token" ("hash")""",
    """CREATE TABLE "game" (
        "id" VARCHAR(32) NOT NULL PRIMARY KEY,
        "name" TEXT NOT NULL,
        "status" VARCHAR(16) NOT NULL,
        "ruleset" VARCHAR(32) NOT NULL,
        "options" TEXT NOT NULL,
        "seats" INTEGER NOT NULL,
        "creator_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL,
        "private" {boolean} NOT NULL,
        "invitation" VARCHAR(64),
        "server_seed" VARCHAR(64) NOT NULL,
        "commitment" VARCHAR(64) NOT NULL,
        "ply" INTEGER NOT NULL,
        "public_ply" INTEGER NOT NULL,
        "to_move" INTEGER,
        "version" INTEGER NOT NULL,
        "result" TEXT,
        "origin" VARCHAR(16) NOT NULL,
        "created_at" VARCHAR(20) NOT NULL,
        "started_at" VARCHAR(20),
        "finished_at" VARCHAR(20))""",
    """CREATE INDEX "game_status" ON "game" ("status")""",
    """CREATE INDEX "game_creator_id" ON "game" ("creator_id")""",
    """CREATE INDEX "game_origin" ON "game" ("origin")""",
    """CREATE INDEX "game_created_at" ON "game" ("created_at")""",
    """CREATE INDEX "game_finished_at" ON "game" ("finished_at")""",
    """CREATE TABLE "seat" (
        "id" {serial},
        "game_id" VARCHAR(32) NOT NULL REFERENCES "game" ("id") ON DELETE CASCADE,
        "seat" INTEGER NOT NULL,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL,
        "bot" VARCHAR(32),
        "name" TEXT,
        "client_seed" TEXT NOT NULL)""",
    """CREATE INDEX "seat_player_id" ON "seat" ("player_id")""",
    """CREATE UNIQUE INDEX "seat_game_id_seat" ON "seat" ("game_id", "seat")""",
    """CREATE UNIQUE INDEX "seat_game_id_player_id" ON "seat" ("game_id", "player_id")""",
    """CREATE TABLE "move" (
        "id" {bigserial},
        "game_id" VARCHAR(32) NOT NULL REFERENCES "game" ("id") ON DELETE CASCADE,
        "ply" INTEGER NOT NULL,
        "seat" INTEGER NOT NULL,
        "move" TEXT NOT NULL,
        "played_at" VARCHAR(20),
        "automatic" {boolean} NOT NULL,
        "undone_at" VARCHAR(20))""",
    """CREATE UNIQUE INDEX "move_game_id_ply_standing" ON "move" ("game_id", "ply") WHERE undone_at IS NULL""",
    """CREATE TABLE "snapshot" (
        "game_id" VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES "game" ("id") ON DELETE CASCADE,
        "ply" INTEGER NOT NULL,
        "state" TEXT NOT NULL,
        "before" TEXT)""",
    """CREATE TABLE "reply" (
        "id" {serial},
        "game_id" VARCHAR(32) NOT NULL REFERENCES "game" ("id") ON DELETE CASCADE,
        "player_id" VARCHAR(32) NOT NULL REFERENCES "player" ("id") ON DELETE CASCADE,
        "key" VARCHAR(128) NOT NULL,
        "request" VARCHAR(64) NOT NULL,
        "status" INTEGER NOT NULL,
        "body" TEXT NOT NULL,
        "created_at" VARCHAR(20) NOT NULL)""",
    """CREATE INDEX "reply_player_id" ON "reply" ("player_id")""",
    """CREATE INDEX "reply_created_at" ON "reply" ("created_at")""",
    """CREATE UNIQUE INDEX "reply_game_id_player_id_key" ON "reply" ("game_id", "player_id", "key")""",
    """CREATE TABLE "imported_record" (
        "game_id" VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES "game" ("id") ON DELETE CASCADE,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE SET NULL,
        "digest" VARCHAR(64) NOT NULL,
        "text" TEXT NOT NULL)""",
    """CREATE INDEX "imported_record_player_id" ON "imported_record" ("player_id")""",
    """CREATE UNIQUE INDEX "imported_record_digest" ON "imported_record" ("digest")""",
)

TABLES = ("imported_record", "reply", "snapshot", "move", "seat", "game", "token", "player")


def up(migrator: Any, db: Any) -> None:
    """Create every table and index."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    words = {
        "serial": "INTEGER NOT NULL PRIMARY KEY" if sqlite else "SERIAL NOT NULL PRIMARY KEY",
        "bigserial": "INTEGER NOT NULL PRIMARY KEY" if sqlite else "BIGSERIAL NOT NULL PRIMARY KEY",
        "boolean": "INTEGER" if sqlite else "BOOLEAN",
    }
    for statement in STATEMENTS:
        db.execute_sql(statement.format(**words))


def down(migrator: Any, db: Any) -> None:
    """Drop every table, children first."""
    for table in TABLES:
        db.execute_sql(f'DROP TABLE "{table}"')
