"""Of an answer to a request with an Idempotency-Key is kept what it can be made of again, and for requests outside of
games as well. Moves that were taken back are found by an index: such an answer may have shown them. And so is what goes
with a game that is taken away.

The answers of the last week stay as they are, whole: their readers know them.
"""

import hashlib
import json
from base64 import urlsafe_b64encode
from typing import Any

REPLY = """
    CREATE TABLE "reply" (
        "id" {serial},
        "name" VARCHAR(20) NOT NULL,
        "request" VARCHAR(12) NOT NULL,
        "player_id" VARCHAR(32) REFERENCES "player" ("id") ON DELETE CASCADE,
        "game_id" VARCHAR(32) REFERENCES "game" ("id") ON DELETE CASCADE,
        "status" INTEGER NOT NULL,
        "told" TEXT NOT NULL,
        "created_at" VARCHAR(20) NOT NULL)"""
INDEXES = (
    """CREATE UNIQUE INDEX "reply_name" ON "reply" ("name")""",
    """CREATE INDEX "reply_player_id" ON "reply" ("player_id")""",
    """CREATE INDEX "reply_game_id_player_id" ON "reply" ("game_id", "player_id")""",
    """CREATE INDEX "move_game_id" ON "move" ("game_id")""",
)
OLD = (
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
)
_AT_ONCE = 500


def up(migrator: Any, db: Any) -> None:
    """Make the table anew, and bring over what is in the old one."""
    db.execute_sql('ALTER TABLE "reply" RENAME TO "reply_before"')
    for index in ("reply_player_id", "reply_created_at", "reply_game_id_player_id_key"):
        db.execute_sql(f'DROP INDEX "{index}"')
    if not _sqlite(migrator):
        db.execute_sql('ALTER INDEX "reply_pkey" RENAME TO "reply_before_pkey"')
    _create(migrator, db, REPLY)
    mark = "?" if _sqlite(migrator) else "%s"
    old = f"""SELECT id, game_id, player_id, "key", request, status, body, created_at FROM reply_before
        WHERE id > {mark} ORDER BY id LIMIT {_AT_ONCE}"""  # noqa: S608
    new = f"""INSERT INTO reply (game_id, player_id, name, request, status, told, created_at)
        VALUES ({", ".join([mark] * 7)})"""  # noqa: S608
    last = 0
    while rows := db.execute_sql(old, (last,)).fetchall():
        for last, game, player, key, request, *rest in rows:  # noqa: B007 - the last of them is where to go on
            name = _short(hashlib.sha256(json.dumps([game, player, key]).encode()).digest(), 20)
            db.execute_sql(new, (game, player, name, _short(bytes.fromhex(request), 12), *rest))
    db.execute_sql('DROP TABLE "reply_before"')
    for statement in INDEXES:
        db.execute_sql(statement)


def down(migrator: Any, db: Any) -> None:
    """Make the old table; the answers are forgotten."""
    db.execute_sql('DROP TABLE "reply"')
    db.execute_sql('DROP INDEX "move_game_id"')
    for statement in OLD:
        _create(migrator, db, statement)


def _sqlite(migrator: Any) -> bool:
    return type(migrator).__name__.startswith("Sqlite")


def _create(migrator: Any, db: Any, statement: str) -> None:
    db.execute_sql(
        statement.format(serial="INTEGER NOT NULL PRIMARY KEY" if _sqlite(migrator) else "SERIAL NOT NULL PRIMARY KEY")
    )


def _short(digest: bytes, length: int) -> str:
    return urlsafe_b64encode(digest)[:length].decode()
