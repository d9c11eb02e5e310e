"""Turns whose time is over are played on by the stand-in, outside the transaction that finds them late."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Note with a bot's turn that is due at which ply its player was late."""
    db.execute_sql('ALTER TABLE "bot_turn" ADD COLUMN "late_ply" INTEGER')


def down(migrator: Any, db: Any) -> None:
    """Drop it; what was due so is played by its player again."""
    db.execute_sql('DELETE FROM "bot_turn" WHERE "late_ply" IS NOT NULL')
    db.execute_sql('ALTER TABLE "bot_turn" DROP COLUMN "late_ply"')
