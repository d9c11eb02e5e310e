"""Who often meets the same player in games that count for ratings, from the same network: for the operator to look at.

It may be a couple at one table as well as one person with two accounts: nothing follows from it by itself. It is read
from what is there anyhow, the audit log with its networks (/24, /48)."""

from __future__ import annotations

from typing import TypedDict

from server.storage import sql
from server.storage.database import Store

OFTEN = 5
"""So many games together are worth a look."""
NEWEST = 20_000
"""Of so many games that were counted last."""


class Twins(TypedDict):
    """Two accounts."""

    players: list[str]
    names: list[str]
    games: int
    better: list[int]
    """How often each came before the other."""
    networks: list[str]


_TOGETHER = """
    SELECT x.player_id, y.player_id, p.name, o.name, COUNT(*),
        SUM(CASE WHEN a.place < b.place THEN 1 ELSE 0 END), SUM(CASE WHEN b.place < a.place THEN 1 ELSE 0 END)
    FROM rated_result a JOIN rated_result b ON b.number = a.number JOIN rating x ON x.id = a.rating_id
    JOIN rating y ON y.id = b.rating_id JOIN player p ON p.id = x.player_id JOIN player o ON o.id = y.player_id
    WHERE x.player_id < y.player_id AND a.number > (SELECT MAX(number) FROM rated_result) - ?
    GROUP BY x.player_id, y.player_id, p.name, o.name HAVING COUNT(*) >= ? ORDER BY 5 DESC, 1, 2"""
_NETWORKS = """
    SELECT DISTINCT a.network FROM audit a JOIN audit b ON b.network = a.network
    WHERE a.player_id = ? AND b.player_id = ? AND a.network <> '' ORDER BY a.network"""


def listing(store: Store) -> list[Twins]:
    """Such pairs, those who met most often first."""
    found: list[Twins] = []
    with store.read():
        for one, other, name, called, games, better, worse in sql.rows(store, _TOGETHER, NEWEST, OFTEN):
            networks = [network for (network,) in sql.rows(store, _NETWORKS, one, other)]
            if networks:
                found.append({
                    "players": [one, other], "names": [name, called], "games": games, "better": [better, worse],
                    "networks": networks,
                })  # fmt: skip
    return found
