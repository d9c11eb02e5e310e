"""Notices: what players are to be told by mail. The only writer of the outbox (`mail` rows).

A notice is written in the transaction of what causes it and says what happened and whom to tell, never the text: that is
made when the mail is sent, from the state that there is then.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from server.engine.state import canonical_json
from server.service import sql
from server.storage.database import Store
from server.storage.models import utc

_ENQUEUE = """
    INSERT INTO mail ("key", kind, game_id, ply, player_id, address, data, state, due_at, attempts, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, 0, ?)
    ON CONFLICT ("key") DO NOTHING"""


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
    due_at: datetime | None = None,
) -> bool:
    """Write a notice into the running transaction; whether it is new. One with the same `key` stays as it is.

    `key` says what the mail is about (kind, game, ply, player), `ply` is one that the recipient may see. `due_at` is
    when it may be sent at the earliest, at once when None.
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
        utc(due_at or now),
        utc(now),
    )
    return bool(done.rowcount == 1)
