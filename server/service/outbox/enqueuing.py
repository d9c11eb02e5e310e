"""Writing a notice into the outbox (`mail` rows), in the transaction of what causes it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from server.engine.canonical import canonical_json
from server.storage import sql
from server.storage.database import Store
from server.storage.models import utc

_ENQUEUE = """
    INSERT INTO mail ("key", kind, game_id, ply, player_id, address, data, state, due_at, attempts, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, 0, ?)
    ON CONFLICT ("key") DO NOTHING"""


def game_key(kind: str, game_id: str, ply: int, player_id: str) -> str:
    """The key of a notice about a game. `ply` is that of the turn's beginning, as its own player sees it."""
    return f"{kind}:{game_id}:{ply}:{player_id}"


def enqueue(
    store: Store,
    kind: str,
    *,
    key: str,
    now: datetime,
    player_id: str | None = None,
    address: str | None = None,
    game_id: str | None = None,
    ply: int | None = None,
    data: dict[str, Any] | None = None,
) -> bool:
    """Write a notice into the running transaction; whether it is new. One with the same `key` stays as it is.

    `key` says what the mail is about (kind, game, ply, player), `ply` is one that the recipient may see.
    """
    done = sql.execute(
        store,
        _ENQUEUE,
        key,
        kind,
        game_id,
        ply,
        player_id,
        address,
        canonical_json(data or {}),
        utc(now),
        utc(now),
    )
    return bool(done.rowcount == 1)
