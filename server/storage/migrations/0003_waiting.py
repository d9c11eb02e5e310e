"""Which game a rematch follows."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add it; of the rematches of before it is not known."""
    db.execute_sql("ALTER TABLE game ADD COLUMN rematch_of VARCHAR(32) REFERENCES game (id) ON DELETE SET NULL")
    db.execute_sql("CREATE INDEX game_rematch_of ON game (rematch_of)")
    # However many offer one at once: one is open or under way.
    db.execute_sql(
        "CREATE UNIQUE INDEX game_rematch_under_way ON game (rematch_of) WHERE status IN ('open', 'running')"
    )
