"""Ratings: who wishes one, which games count, and what came of each of them in its turn."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add them; nobody has one before they wish it."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    serial = "INTEGER NOT NULL PRIMARY KEY" if sqlite else "SERIAL NOT NULL PRIMARY KEY"
    boolean = "INTEGER NOT NULL DEFAULT 0" if sqlite else "BOOLEAN NOT NULL DEFAULT FALSE"
    db.execute_sql(f"ALTER TABLE player ADD COLUMN rated {boolean}")  # as the preference says, for lists
    # `begun`: it counts if it comes to a regular end; `counted`; else why it does not (service/games/rated.py).
    db.execute_sql("ALTER TABLE game ADD COLUMN rated VARCHAR(12)")
    db.execute_sql("""
        CREATE INDEX game_to_rate ON game (finished_at, id)
        WHERE rated = 'begun' AND status = 'finished' AND NOT private""")
    # Between these, in points, has to be who sits down by themselves.
    db.execute_sql("ALTER TABLE game ADD COLUMN rating_min INTEGER")
    db.execute_sql("ALTER TABLE game ADD COLUMN rating_max INTEGER")
    # Of a player or a bot of the house, for a kind of game; without either: of an account that is gone.
    db.execute_sql(f"""
        CREATE TABLE rating (
            id {serial},
            player_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
            bot VARCHAR(32),
            variant VARCHAR(8) NOT NULL,
            seats INTEGER NOT NULL,
            games INTEGER NOT NULL,
            mu BIGINT NOT NULL,
            sigma BIGINT NOT NULL)""")  # millionths
    db.execute_sql("CREATE UNIQUE INDEX rating_player ON rating (player_id, variant, seats)")
    db.execute_sql("CREATE UNIQUE INDEX rating_bot ON rating (bot, variant, seats)")
    db.execute_sql("CREATE INDEX rating_kind ON rating (variant, seats)")
    # Each seat of each game that was counted, in the order of `number`; what its owner's rating was after it.
    db.execute_sql("""
        CREATE TABLE rated_result (
            number INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            game_id VARCHAR(32) REFERENCES game (id) ON DELETE SET NULL,
            rating_id INTEGER NOT NULL REFERENCES rating (id),
            place INTEGER NOT NULL,
            mu BIGINT NOT NULL,
            sigma BIGINT NOT NULL,
            PRIMARY KEY (number, seat))""")
    db.execute_sql("CREATE INDEX rated_result_rating ON rated_result (rating_id, number)")
    db.execute_sql("CREATE INDEX rated_result_game ON rated_result (game_id)")
