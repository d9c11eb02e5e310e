"""Who often meets the same player in games that count for ratings, from the same network: for the operator to look at.

It may be a couple at one table as well as one person with two accounts: nothing follows from it by itself. It is read
from what is there anyhow, the audit log with its networks (/24, /48)."""

from __future__ import annotations

from server.storage import sql
from server.storage.database import Store

OFTEN = 5
"""So many games together are worth a look."""
NEWEST = 20_000
"""Of so many games that were counted last."""
_TOGETHER = """
    SELECT x.player_id AS player, p.name, y.player_id AS other, o.name AS other_name, m.network, COUNT(*) AS games,
        SUM(CASE WHEN a.place < b.place THEN 1 ELSE 0 END) AS won,
        SUM(CASE WHEN b.place < a.place THEN 1 ELSE 0 END) AS lost
    FROM rated_result a JOIN rated_result b ON b.number = a.number JOIN rating x ON x.id = a.rating_id
    JOIN rating y ON y.id = b.rating_id JOIN player p ON p.id = x.player_id JOIN player o ON o.id = y.player_id
    JOIN (SELECT DISTINCT player_id, network FROM audit WHERE network <> '') m ON m.player_id = x.player_id
    JOIN (SELECT DISTINCT player_id, network FROM audit) n ON n.player_id = y.player_id AND n.network = m.network
    WHERE x.player_id < y.player_id AND a.number > (SELECT MAX(number) FROM rated_result) - ?
    GROUP BY x.player_id, p.name, y.player_id, o.name, m.network HAVING COUNT(*) >= ? ORDER BY games DESC, 1, 3, 5"""


def listing(store: Store) -> list[sql.ByName]:
    """Such pairs, those who met most often first, each with a network in which both were seen: how many games they
    played, and how many of them each ended before the other."""
    return sql.dicts(store, _TOGETHER, NEWEST, OFTEN)
