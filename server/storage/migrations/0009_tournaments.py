"""Tournaments: who is in them, and which games of which deals their rounds are."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add them."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    number = "INTEGER NOT NULL PRIMARY KEY" if sqlite else "SERIAL NOT NULL PRIMARY KEY"
    boolean = "INTEGER" if sqlite else "BOOLEAN"
    db.execute_sql(f"""
        CREATE TABLE tournament (
            id VARCHAR(32) NOT NULL PRIMARY KEY,  -- random
            name TEXT NOT NULL,
            kind VARCHAR(12) NOT NULL,  -- round-robin, swiss, knock-out
            seats INTEGER NOT NULL,  -- of a table
            ruleset VARCHAR(32) NOT NULL,
            options TEXT NOT NULL,  -- JSON
            clock TEXT,  -- JSON, of its games; null: none
            boards INTEGER NOT NULL,  -- deals of a round
            rounds INTEGER,  -- null: as many as are usual, said when it starts
            round_hours INTEGER,  -- so long a round takes at most; null: as long as it takes
            guests {boolean} NOT NULL,  -- whether they may enter
            status VARCHAR(8) NOT NULL,  -- open, running, over
            round INTEGER NOT NULL,  -- the one under way, or the last; 0 while it is open
            round_ends_at VARCHAR(20),  -- then bots play on for all
            organiser_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
            league_id VARCHAR(32),  -- the id of the first tournament of its league
            season INTEGER,
            division INTEGER,  -- 1 is the highest
            created_at VARCHAR(20) NOT NULL,
            started_at VARCHAR(20),
            finished_at VARCHAR(20)
        )""")
    db.execute_sql("CREATE INDEX tournament_created_at ON tournament (created_at)")
    db.execute_sql("CREATE INDEX tournament_organiser_id ON tournament (organiser_id)")
    db.execute_sql("CREATE INDEX tournament_running ON tournament (id) WHERE status = 'running'")
    db.execute_sql("CREATE UNIQUE INDEX tournament_league ON tournament (league_id, season, division)")
    # A bot of the house, or a person; neither: an account that is gone. `left_at`: since then the bot has the place of
    # a person who left it.
    db.execute_sql(f"""
        CREATE TABLE tournament_entry (
            id {number},
            tournament_id VARCHAR(32) NOT NULL REFERENCES tournament (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            player_id VARCHAR(32) REFERENCES player (id) ON DELETE SET NULL,
            bot VARCHAR(32),
            name TEXT NOT NULL,
            name_kind VARCHAR(16),
            entered_at VARCHAR(20) NOT NULL,
            left_at VARCHAR(20)
        )""")
    db.execute_sql("CREATE UNIQUE INDEX tournament_entry_number ON tournament_entry (tournament_id, number)")
    db.execute_sql("CREATE UNIQUE INDEX tournament_entry_player ON tournament_entry (player_id, tournament_id)")
    # `entrants` is JSON, their numbers by seat, null for a bot that fills a table; `outcome` JSON, for each seat
    # [total, rank, whether it resigned], null while the round is played and of a game that was given up.
    db.execute_sql("""
        CREATE TABLE tournament_game (
            game_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
            tournament_id VARCHAR(32) NOT NULL REFERENCES tournament (id) ON DELETE CASCADE,
            round INTEGER NOT NULL,
            board INTEGER NOT NULL,
            place INTEGER NOT NULL,  -- of the table in the round
            entrants TEXT NOT NULL,
            outcome TEXT
        )""")
    db.execute_sql("CREATE UNIQUE INDEX tournament_game_place ON tournament_game (tournament_id, round, board, place)")
