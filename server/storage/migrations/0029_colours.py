"""Seats of the example game are called by their colours, in the language of their reader."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Store which of the server's names they are, where they have them."""
    db.execute_sql(
        "UPDATE seat SET name_kind = lower(name)"
        " WHERE game_id = 'example' AND player_id IS NULL AND name IN ('Red', 'Green', 'Blue')"
    )


def down(migrator: Any, db: Any) -> None:
    """Leave the words alone."""
    db.execute_sql(
        "UPDATE seat SET name_kind = NULL WHERE game_id = 'example' AND name_kind IN ('red', 'green', 'blue')"
    )
