"""Channels beside mail: where a player's news go, what is on its way there, and by which key pushes are signed."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add the tables, and the wishes for one game."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    number = "INTEGER NOT NULL PRIMARY KEY" if sqlite else "BIGSERIAL NOT NULL PRIMARY KEY"
    # A browser (push), an address (webhook), or the player's feeds (feed). `secret` signs webhooks, encrypts pushes, or
    # is the end of a feed's address; `settings` is JSON; a push that a browser switched on goes with its session;
    # `failing_since` is null from the first time that something arrived.
    db.execute_sql(f"""
        CREATE TABLE channel (
            id {number},
            player_id VARCHAR(32) NOT NULL REFERENCES player (id) ON DELETE CASCADE,
            kind VARCHAR(8) NOT NULL,
            address TEXT NOT NULL,
            secret TEXT NOT NULL,
            settings TEXT NOT NULL,
            session VARCHAR(64) REFERENCES session (hash) ON DELETE CASCADE ON UPDATE CASCADE,
            created_at VARCHAR(20) NOT NULL,
            failing_since VARCHAR(20))""")
    db.execute_sql("CREATE INDEX channel_player_id ON channel (player_id)")
    db.execute_sql("CREATE INDEX channel_session ON channel (session)")
    db.execute_sql("CREATE UNIQUE INDEX channel_feed ON channel (secret) WHERE kind = 'feed'")
    # News on their way to a channel, each once; as in `mail`. `error` is what the other side said.
    db.execute_sql(f"""
        CREATE TABLE delivery (
            id {number},
            channel_id BIGINT NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
            key VARCHAR(200) NOT NULL,
            kind VARCHAR(32) NOT NULL,
            game_id VARCHAR(32) REFERENCES game (id) ON DELETE CASCADE,
            ply INTEGER,
            data TEXT NOT NULL,
            state VARCHAR(12) NOT NULL,
            due_at VARCHAR(20) NOT NULL,
            attempts INTEGER NOT NULL,
            lease_owner VARCHAR(64),
            lease_until VARCHAR(20),
            created_at VARCHAR(20) NOT NULL,
            done_at VARCHAR(20),
            error TEXT,
            request VARCHAR(64))""")
    db.execute_sql("CREATE UNIQUE INDEX delivery_channel_id_key ON delivery (channel_id, key)")
    db.execute_sql("CREATE INDEX delivery_key ON delivery (key)")
    db.execute_sql("CREATE INDEX delivery_game_id ON delivery (game_id)")
    db.execute_sql("CREATE INDEX delivery_state_due_at ON delivery (state, due_at)")
    # One row: the key pair (P-256, base64url) by which push services know this server (RFC 8292).
    db.execute_sql(
        "CREATE TABLE push_key (id INTEGER NOT NULL PRIMARY KEY, private TEXT NOT NULL, public TEXT NOT NULL)"
    )
    for kind in ("push", "webhook"):  # this game's news by that way; null: as the player's preferences say
        db.execute_sql(f"ALTER TABLE seat ADD COLUMN {kind} VARCHAR(16)")
