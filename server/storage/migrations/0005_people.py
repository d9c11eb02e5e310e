"""What people are to each other, who was invited by name, and by what a player is found."""

import unicodedata
from typing import Any

_OFFERED = """
    SELECT m.player_id FROM mail m WHERE m.kind = 'rematch' AND m.player_id IS NOT NULL
        AND m.game_id = invitation.game_id AND m.data = '{"invitation":' || CAST(invitation.id AS VARCHAR(20)) || '}'"""


def up(migrator: Any, db: Any) -> None:
    """Add them; whoever has an account can be found until they wish otherwise."""
    sqlite = type(migrator).__name__.startswith("Sqlite")
    # Whom a player has among their friends, does not read, or keeps away: theirs alone to see.
    db.execute_sql("""
        CREATE TABLE contact (
            player_id VARCHAR(32) NOT NULL REFERENCES player (id) ON DELETE CASCADE,
            other_id VARCHAR(32) NOT NULL REFERENCES player (id) ON DELETE CASCADE,
            kind VARCHAR(8) NOT NULL, since VARCHAR(20) NOT NULL, PRIMARY KEY (player_id, other_id))
    """)
    db.execute_sql("CREATE INDEX contact_other_id ON contact (other_id)")
    # An invitation is to an address, to a player by name, or to both, where the player's address was looked up.
    db.execute_sql("""
        ALTER TABLE invitation ADD COLUMN invited_id VARCHAR(32) REFERENCES player (id) ON DELETE CASCADE""")
    db.execute_sql("ALTER TABLE invitation ADD COLUMN declined_at VARCHAR(20)")
    db.execute_sql("CREATE UNIQUE INDEX invitation_invited ON invitation (invited_id, game_id)")
    db.execute_sql("DROP INDEX invitation_game_id_address")
    # Offers of rematches went to addresses that who made them never saw: they are to the players now.
    db.execute_sql(f"""
        UPDATE invitation SET address = '', invited_id = ({_OFFERED}) WHERE EXISTS ({_OFFERED})""")  # noqa: S608
    db.execute_sql("CREATE UNIQUE INDEX invitation_to ON invitation (game_id, address) WHERE address <> ''")
    db.execute_sql("CREATE INDEX invitation_game_id ON invitation (game_id)")
    # The name as it is searched for; null: its player wishes not to be found. Ordered by bytes, so that what begins
    # with some letters lies together.
    by_bytes = "" if sqlite else ' COLLATE "C"'
    db.execute_sql(f"ALTER TABLE player ADD COLUMN found_as TEXT{by_bytes}")
    mark = "?" if sqlite else "%s"
    for player, name in db.execute_sql("SELECT id, name FROM player").fetchall():
        bare = name.replace("\u200c", "").replace("\u200d", "")
        found_as = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", bare).casefold())
        db.execute_sql(f"UPDATE player SET found_as = {mark} WHERE id = {mark}", (found_as, player))  # noqa: S608
    db.execute_sql("CREATE INDEX player_found_as ON player (found_as) WHERE found_as IS NOT NULL")
