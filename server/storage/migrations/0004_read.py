"""What happened at a table between its players, beside what they write there; and how much of both each has read."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add them; what was written until now counts as read."""
    # Null: words of a player. Else what `player_id` did (service/games/table_events.py), and `text` is empty.
    db.execute_sql("ALTER TABLE message ADD COLUMN kind VARCHAR(16)")
    # The number of the newest message that the seat's player has read.
    db.execute_sql("ALTER TABLE seat ADD COLUMN read_message BIGINT NOT NULL DEFAULT 0")
    db.execute_sql("""
        UPDATE seat SET read_message = (SELECT MAX(m.id) FROM message m WHERE m.game_id = seat.game_id)
        WHERE game_id IN (SELECT game_id FROM message)""")
