"""Every player has a link epoch: what was signed for them in an earlier one is worthless.

All begin at 0, which links signed before this say by saying nothing, so that they stay good. Who had signed out
everywhere before is at 1: that was noted by a row of `used_link`, which is not looked for any more.
"""

from hashlib import sha256
from typing import Any

RAISE = 'UPDATE "player" SET "link_epoch" = 1 WHERE "id" = ?'
FORGET = 'DELETE FROM "used_link" WHERE "hash" = ?'


def up(migrator: Any, db: Any) -> None:
    """Add the column, and raise it for those who had signed out everywhere."""
    mark = "?" if type(migrator).__name__.startswith("Sqlite") else "%s"
    db.execute_sql('ALTER TABLE "player" ADD COLUMN "link_epoch" INTEGER NOT NULL DEFAULT 0')
    used = {row[0] for row in db.execute_sql('SELECT "hash" FROM "used_link"').fetchall()}
    for (player,) in db.execute_sql('SELECT "id" FROM "player"').fetchall():
        noted = sha256(f"signed out everywhere {player}".encode()).hexdigest()
        if noted in used:
            db.execute_sql(RAISE.replace("?", mark), (player,))
            db.execute_sql(FORGET.replace("?", mark), (noted,))


def down(migrator: Any, db: Any) -> None:
    """Drop it."""
    db.execute_sql('ALTER TABLE "player" DROP COLUMN "link_epoch"')
