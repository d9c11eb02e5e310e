"""What is written about finished games, the moment that decided each, and collections of them."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add the comments, whether others than who sat there may write some, the moments, and the collections."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    number = "INTEGER NOT NULL PRIMARY KEY" if sqlite else "BIGSERIAL NOT NULL PRIMARY KEY"
    # About a ply of a finished game. `seat` is null of who did not sit there, `player_id` when the account is gone.
    db.execute_sql(f"""
        CREATE TABLE comment (
            id {number},
            game_id VARCHAR(32) NOT NULL REFERENCES game (id) ON DELETE CASCADE,
            ply INTEGER NOT NULL,
            seat INTEGER,
            player_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
            text TEXT NOT NULL,
            created_at VARCHAR(20) NOT NULL)""")
    db.execute_sql("CREATE INDEX comment_game_id_ply ON comment (game_id, ply, id)")
    db.execute_sql("CREATE INDEX comment_player_id ON comment (player_id)")
    # Null: nobody who sat there has said so.
    db.execute_sql("ALTER TABLE game ADD COLUMN others_comment BOOLEAN")
    # JSON (`Moment` of service/archive/analyses.py); null: no move decided, or it was analysed before this was noted.
    db.execute_sql("ALTER TABLE analysis ADD COLUMN moment TEXT")
    # `entries` is JSON (`Entry` of service/archive/game_collections.py).
    db.execute_sql("""
        CREATE TABLE collection (
            id VARCHAR(32) NOT NULL PRIMARY KEY,
            player_id VARCHAR(32) NOT NULL REFERENCES player (id) ON DELETE CASCADE,
            title TEXT NOT NULL,
            text TEXT NOT NULL,
            public BOOLEAN NOT NULL,
            entries TEXT NOT NULL,
            created_at VARCHAR(20) NOT NULL,
            changed_at VARCHAR(20) NOT NULL)""")
    db.execute_sql("CREATE INDEX collection_player_id ON collection (player_id)")
    db.execute_sql("CREATE INDEX collection_changed_at ON collection (changed_at, id) WHERE public")
