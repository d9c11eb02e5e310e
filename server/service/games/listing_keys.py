"""What a seat repeats of its game for indexes of lists; written where the game's status changes."""

from __future__ import annotations

from server.storage import sql
from server.storage.database import Store

PLAYED, SANDBOX, IMPORTED = "", "sandbox", "imported"
KINDS = (PLAYED, SANDBOX, IMPORTED)  # Of games, as far as lists tell them apart
LISTED = "CASE WHEN g.origin IN ('sandbox', 'imported') THEN g.origin || ' ' || g.status ELSE g.status END"
"""`listed` of the seats of game `g` in SQL."""
CHANGING = frozenset(("status", "finished_at"))  # Columns of a game that its seats repeat, and that change

_FOLLOW = f"""
    UPDATE seat SET listed = (SELECT {LISTED} FROM game g WHERE g.id = seat.game_id),
        finished_at = (SELECT g.finished_at FROM game g WHERE g.id = seat.game_id)
    WHERE game_id = ?"""  # noqa: S608 - of ours


def listed(status: str, origin: str) -> str:
    """What a seat in such a game says: its status, behind its kind where it is not an ordinary game."""
    return of_kind(origin if origin in KINDS else PLAYED, status)


def of_kind(kind: str, status: str) -> str:
    """The same of one of `KINDS`."""
    return f"{kind} {status}".strip()


def follow(store: Store, game_id: str) -> None:
    """Let the seats repeat the game's row as it is now, in the running transaction."""
    sql.execute(store, _FOLLOW, game_id)
