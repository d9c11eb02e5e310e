"""First answers to requests with an Idempotency-Key: a repeat of the request is answered as the first time.

A key belongs to a player and a game. What keeps an answer holds the lock of the game, as does what looks for one, so
that of two requests at the same time the second finds the answer of the first.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import orjson

from server.service import checks, sql
from server.service.accounts import Player
from server.service.errors import BY_STATUS, ServiceError, Unprocessable
from server.service.table import Table
from server.storage.database import Store
from server.storage.models import utc

REPLIES_KEPT = timedelta(days=7)
"""How long a repeat under the same Idempotency-Key is answered as the first request was."""
REPLIES_MAX = 1000
"""How many first answers are kept for a player and game: more than a game has moves, less than a flood."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request is answered with: a body, or a refusal that was found before."""

    body: dict[str, Any] | None = None
    refusal: ServiceError | None = None

    def give(self) -> dict[str, Any]:
        """The body; raises the refusal."""
        if self.refusal is not None or self.body is None:
            raise self.refusal or RuntimeError("an answer without a body")
        return self.body


def check(key: str | None) -> None:
    """Raise `Unprocessable` for a key that is none."""
    if key is not None:
        checks.text("Idempotency-Key", key, checks.KEY_MAX, 1)


def named(*asked: Any) -> str:
    """What was asked for, in JSON's types, as a name of fixed length."""
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


_REPLY = 'SELECT request, status, body FROM reply WHERE game_id = ? AND player_id = ? AND "key" = ?'


def carried_out(store: Store, game_id: str, player: Player, key: str, request: str) -> bool:
    """Whether this very request (`named`) was carried out before: what is sent again then does nothing."""
    with store.read():
        found = sql.row(store, _REPLY, game_id, player.id, key)
    return found is not None and found[0] == request and found[1] not in BY_STATUS


def before(store: Store, table: Table, player: Player, key: str, request: str) -> Answer | None:
    """The first answer to this key, None when there was none; inside a transaction.

    Raises `Unprocessable` when it was the answer to another request.
    """
    found = sql.row(store, _REPLY, table.id, player.id, key)
    if found is None:
        return None
    if found[0] != request:
        raise Unprocessable("this Idempotency-Key was used for another request: choose a new one for each")
    body = orjson.loads(found[2])
    if found[1] in BY_STATUS:
        return Answer(refusal=BY_STATUS[found[1]](body["message"], body["errors"]))
    return Answer(body)


def keep(store: Store, table: Table, player: Player, key: str, request: str, answer: Answer, now: datetime) -> None:
    """Keep the first answer to this key, inside the transaction of what it tells, and drop what is old or too much."""
    refusal = answer.refusal
    sql.execute(store, "DELETE FROM reply WHERE created_at < ?", utc(now - REPLIES_KEPT))
    body = answer.body if refusal is None else {"message": refusal.message, "errors": refusal.errors}
    sql.execute(
        store,
        'INSERT INTO reply (game_id, player_id, "key", request, status, body, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
        table.id,
        player.id,
        key,
        request,
        201 if refusal is None else refusal.status,
        orjson.dumps(body).decode(),
        utc(now),
    )
    sql.execute(store, _DROP_REPLIES, table.id, player.id, table.id, player.id, REPLIES_MAX)


_DROP_REPLIES = """
    DELETE FROM reply WHERE game_id = ? AND player_id = ? AND id <= (
        SELECT id FROM reply WHERE game_id = ? AND player_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)"""
