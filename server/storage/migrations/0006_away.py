"""Open games have a date and a host who sits there; what players of a running one propose to each other; hours and days
of clocks."""

from datetime import UTC, datetime, timedelta
from typing import Any

from server.storage.times import utc

OPEN_FOR = timedelta(weeks=4)  # as `service/games/model.py` had it


def up(migrator: Any, db: Any) -> None:
    """Those that wait already get a date from now on, and the first who sits there where their host has left."""
    now = datetime.now(UTC)
    last = utc(now + OPEN_FOR)
    db.execute_sql(f"UPDATE game SET start_by = '{last}' WHERE status = 'open' AND start_by IS NULL")  # noqa: S608
    db.execute_sql("""
        UPDATE game SET creator_id = (
            SELECT s.player_id FROM seat s WHERE s.game_id = game.id AND s.player_id IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM bot_account b WHERE b.player_id = s.player_id)
            ORDER BY s.seat LIMIT 1)
        WHERE status = 'open' AND NOT EXISTS (
            SELECT 1 FROM seat s WHERE s.game_id = game.id AND s.player_id = game.creator_id)""")
    # Every game has a date now: the index is for those alone that wait.
    db.execute_sql("DROP INDEX game_start_by")
    db.execute_sql("CREATE INDEX game_start_by ON game (start_by) WHERE status = 'open'")
    # JSON (`Proposal` of service/games/model.py); null: nothing is proposed.
    db.execute_sql("ALTER TABLE game ADD COLUMN proposal TEXT")
    db.execute_sql("CREATE INDEX game_proposal ON game (id) WHERE proposal IS NOT NULL")
    db.execute_sql("ALTER TABLE game ADD COLUMN taken_back INTEGER NOT NULL DEFAULT 0")  # so often a turn's end was
    # Clocks can stand still at weekends, and turns end at an hour of the day; they are canonical JSON.
    db.execute_sql("""
        UPDATE game SET clock = '{"due_time":null,' || substr(clock, 2, length(clock) - 2) || ',"weekends_off":false}'
        WHERE clock IS NOT NULL""")
    # So much longer is the turn under way than the clock says.
    db.execute_sql("ALTER TABLE game ADD COLUMN extra_seconds INTEGER")
    # It tells how long nobody has played, without a clock too.
    db.execute_sql(f"UPDATE game SET turn_began_at = '{utc(now)}' WHERE status = 'running' AND clock IS NULL")  # noqa: S608
