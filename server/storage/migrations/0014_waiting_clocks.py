"""Clocks wait for the notice of the turn under way, and stand still while the operator has paused all mail."""

from typing import Any

GAME = (
    ("turn_notice", "VARCHAR(200)"),
    ("lost_since", "VARCHAR(20)"),
    ("lost_until", "VARCHAR(20)"),
    ("granted_seconds", "INTEGER"),
)


def up(migrator: Any, db: Any) -> None:
    """Create them. The turns that are under way have begun without: their notices went out or never will."""
    for name, kind in GAME:
        db.execute_sql(f'ALTER TABLE "game" ADD COLUMN "{name}" {kind}')
    db.execute_sql('CREATE INDEX "game_turn_notice" ON "game" ("id") WHERE turn_notice IS NOT NULL')
    db.execute_sql('ALTER TABLE "mail_pause" ADD COLUMN "heeded_at" VARCHAR(20)')
    db.execute_sql('ALTER TABLE "mail" ADD COLUMN "tried_at" VARCHAR(20)')
    db.execute_sql('CREATE INDEX "mail_state_done_at" ON "mail" ("state", "done_at")')


def down(migrator: Any, db: Any) -> None:
    """Drop them; on SQLite an index has to go before its column."""
    db.execute_sql('DROP INDEX "mail_state_done_at"')
    db.execute_sql('ALTER TABLE "mail" DROP COLUMN "tried_at"')
    db.execute_sql('ALTER TABLE "mail_pause" DROP COLUMN "heeded_at"')
    db.execute_sql('DROP INDEX "game_turn_notice"')
    for name, _kind in reversed(GAME):
        db.execute_sql(f'ALTER TABLE "game" DROP COLUMN "{name}"')
