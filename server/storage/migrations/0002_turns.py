"""When a server was there, what the clock of a turn reckons with, and for whom bots think and games are analysed."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add them; a turn under way goes on in the time zone in which its player lives now."""
    # One row while clocks run: when a server was last there (service/outbox/heartbeat.py).
    db.execute_sql("CREATE TABLE heartbeat (id INTEGER NOT NULL PRIMARY KEY, at VARCHAR(20) NOT NULL)")
    sqlite = type(migrator).__name__.startswith("Sqlite")
    zone = "json_extract(p.preferences, '$.time_zone')" if sqlite else "CAST(p.preferences AS json) ->> 'time_zone'"
    db.execute_sql("ALTER TABLE game ADD COLUMN turn_zone VARCHAR(64)")
    db.execute_sql(f"""
        UPDATE game SET turn_zone = (
            SELECT COALESCE({zone}, 'UTC') FROM seat s JOIN player p ON p.id = s.player_id
            WHERE s.game_id = game.id AND s.seat = game.to_move)
        WHERE status = 'running' AND clock IS NOT NULL""")  # noqa: S608
    # Whose row of a queue was taken when: whoever was served longest ago comes first (server/storage/leases.py).
    db.execute_sql("""
        CREATE TABLE served (
            queue VARCHAR(12) NOT NULL, asker VARCHAR(32) NOT NULL, number BIGINT NOT NULL, PRIMARY KEY (queue, asker))
    """)
    db.execute_sql("CREATE INDEX served_number ON served (queue, number)")
    db.execute_sql("ALTER TABLE analysis ADD COLUMN asker VARCHAR(32)")
    # Those that failed too often wait no more, until somebody wishes them anew.
    db.execute_sql("UPDATE analysis SET wanted_at = NULL WHERE failures >= 3")
    # Jobs have leases together now.
    db.execute_sql("DELETE FROM lease")
