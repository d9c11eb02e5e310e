"""What is kept of the answer to a request with an Idempotency-Key, so that its repeat is answered as the first time.

A key belongs to a player and a game, or to a player alone for what is asked outside of games. What the answer can be
made of again is kept (`keep`) and read (`before`) in the write transaction of what it tells of, so nothing is done
twice:

    asked = idempotency.asked(key, player, "messages", text, game_id=table.id)    # None without a key
    with store.write():
        told = idempotency.before(store, asked)
        if told is None:
            made = ...
            idempotency.keep(store, asked, {"id": made}, now)
        elif told.refusal is not None:
            raise told.refusal"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple, Protocol

import orjson

from server.engine.canonical import Json
from server.service.common import checks
from server.service.common.errors import Conflict, Forbidden, NotFound, ServiceError, TooLarge, Unprocessable
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

REPLIES_KEPT = timedelta(days=7)
"""How long a repeat under the same Idempotency-Key is answered as the first request was."""
REPLIES_MAX = 1000
"""How many answers are kept for a player and game: more than a game has moves, less than a flood."""
REFUSALS_MAX = 50
"""How many of these are refusals: they come without end, and no quota of bytes counts them."""
CREATED = 201
_DROPPED_AT_ONCE = 20


class Caller(Protocol):
    """Who asks: anything with an account's id."""

    @property
    def id(self) -> str: ...


_REFUSALS = {403: Forbidden, 404: NotFound, 409: Conflict, 413: TooLarge, 422: Unprocessable}
"""The numbers by which refusals are stored."""


class Asked(NamedTuple):
    """A request that bears a key: hashes of the key with whose it is and what for, and of what was asked."""

    name: str
    request: str
    player_id: str | None
    game_id: str | None


class FirstAnswer(NamedTuple):
    """What was kept of the first answer, and when it was given."""

    status: int
    kept: Json
    at: str

    @property
    def refusal(self) -> ServiceError | None:
        """The refusal that it was, None when something was done."""
        if self.status not in _REFUSALS:
            return None
        return _REFUSALS[self.status](self.kept["message"], self.kept["errors"], self.kept.get("kind"))


def asked(key: str | None, player: Caller | None, *what: object, game_id: str | None = None) -> Asked | None:
    """The request for `what` under `key` of this player and game; None without a key. Raises `Unprocessable`."""
    if key is None:
        return None
    checks.text("Idempotency-Key", key, checks.KEY_MAX, 1)
    player_id = None if player is None else player.id
    return Asked(_fingerprint([game_id, player_id, key], 20), _fingerprint(what, 12), player_id, game_id)


def require_first(store: Store, request: Asked | None) -> None:
    """Raise `Conflict` when what was asked for with a secret was made before: only its hash was ever stored."""
    told = before(store, request)
    if told is not None:
        raise Conflict(
            f"this was made before under the same Idempotency-Key, as {told.kept['id']}: its token was shown then and "
            "is not kept. If you have lost it, make another one under a new key",
            {"id": told.kept["id"]},
            "made-before",
        )


def _fingerprint(of: Sequence[object], length: int) -> str:
    """Values as JSON has them, as so many characters of six bits each."""
    return urlsafe_b64encode(sha256(json.dumps(of, sort_keys=True).encode()).digest())[:length].decode()


_REPLY = "SELECT request, status, told, created_at FROM reply WHERE name = ?"


def carried_out(store: Store, request: Asked | None) -> bool:
    """Whether this very request was carried out before: what is sent again then does nothing. Not without a key."""
    if request is None:
        return False
    found = sql.row(store, _REPLY, request.name)
    return found is not None and found[0] == request.request and found[1] not in _REFUSALS


def before(store: Store, request: Asked | None) -> FirstAnswer | None:
    """What was kept of the first answer to this key, if any; a second request waits here, inside its write transaction.
    Raises `Unprocessable` when the key was that of another request."""
    if request is None:
        return None
    if not store.is_sqlite:  # there `write()` has locked all already
        sql.execute(store, "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", request.name)
    found = sql.row(store, _REPLY, request.name)
    if found is None:
        return None
    if found[0] != request.request:
        raise Unprocessable(
            "this Idempotency-Key was used for another request: choose a new one for each", kind="key-used"
        )
    return FirstAnswer(found[1], orjson.loads(found[2]), found[3])


def forget(store: Store, request: Asked) -> None:
    """Let the next such request be the first again, in a write transaction in which it was looked for (`before`)."""
    sql.execute(store, "DELETE FROM reply WHERE name = ?", request.name)


def keep(store: Store, request: Asked | None, told: Mapping[str, object], now: datetime, status: int = CREATED) -> None:
    """Keep what the answer can be made of again, in the transaction of what it tells; nothing without a key."""
    if request is None:
        return
    sql.execute(store, _DROP_OLD, _DROPPED_AT_ONCE, utc(now - REPLIES_KEPT))
    kept = {"status": status, "told": orjson.dumps(told).decode(), "created_at": utc(now)}
    sql.insert(store, "reply", **request._asdict(), **kept)
    owner, whose = "game_id = ? AND player_id = ?", [request.game_id, request.player_id]
    if request.game_id is None:
        owner, whose = "game_id IS NULL AND player_id = ?", [request.player_id]
    sql.execute(store, _DROP_SURPLUS.replace("{owner}", owner), *whose, *whose, REPLIES_MAX)


def keep_refusal(store: Store, request: Asked | None, refusal: ServiceError, now: datetime) -> None:
    """Keep a refusal: a repeat is refused in the same words, whatever has become possible since."""
    told = {"message": refusal.message, "errors": refusal.errors, "kind": refusal.kind}
    number = next(number for number, sort in _REFUSALS.items() if isinstance(refusal, sort))
    keep(store, request, told, now, number)
    if request is not None:
        sql.execute(store, _DROP_REFUSALS, *[request.game_id, request.player_id] * 2, REFUSALS_MAX)


_OF_REFUSALS = "game_id = ? AND player_id = ? AND status <> 201"
# The oldest come first by number: no index of times has to be kept for them.
_DROP_OLD = "DELETE FROM reply WHERE id IN (SELECT id FROM reply ORDER BY id LIMIT ?) AND created_at < ?"
_DROP_SURPLUS = """
    DELETE FROM reply WHERE {owner} AND id <= (
        SELECT id FROM reply WHERE {owner} ORDER BY id DESC LIMIT 1 OFFSET ?)"""
_DROP_REFUSALS = _DROP_SURPLUS.replace("{owner}", _OF_REFUSALS)
