"""Tokens that hold what they say, and a signature: sessions and forms.

Keys lie in the table `signing_key`; the newest signs, all of them verify.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from itsdangerous import BadData, TimestampSigner, URLSafeTimedSerializer

from server.engine.canonical import Json
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

if TYPE_CHECKING:
    from server.service.common.ids import Entropy


class _Signer(TimestampSigner):
    """itsdangerous' signer with the time passed in."""

    def __init__(self, *args: Any, moment: datetime, **kwargs: Any) -> None:  # Any: as of `TimestampSigner`  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self._moment = int(moment.timestamp())

    def get_timestamp(self) -> int:
        return self._moment


def sign(store: Store, purpose: str, claims: dict[str, object], now: datetime) -> str:
    """A token for `purpose` that holds `claims`. Call it outside every transaction: the first of all makes a key."""
    keys = [secret for secret, created_at in _keys(store, now) if created_at <= utc(now)]
    # What is of a time before the first key was made is signed with that.
    return str(_serializer(purpose, keys or [_keys(store, now)[0][0]], now).dumps(claims))


def opened(store: Store, purpose: str, token: str) -> tuple[Json, datetime] | None:
    """What a token holds and when it was signed; None for one that no key of `purpose` has signed."""
    with store.read():
        keys = tuple([row[0] for row in sql.rows(store, _KEYS)])
    if not keys:
        return None
    try:
        return _opened(purpose, keys, token)
    except BadData:
        return None


@lru_cache(maxsize=2000)  # 0.12 ms a request with a session
def _opened(purpose: str, keys: tuple[str, ...], token: str) -> tuple[Json, datetime]:
    """What a token holds and when it was signed; raises `BadData`. Whether it is too old, nothing here tells: the same
    token, with the same keys, is always this. A session comes with every request, and to check it is dear."""
    unused = datetime.fromtimestamp(0, UTC)  # the time of what would be signed
    claims, signed_at = _serializer(purpose, list(keys), unused).loads(token, return_timestamp=True)
    return claims, signed_at.astimezone(UTC)


def rotate(store: Store, now: datetime, oldest: datetime | None, entropy: Entropy = secrets.token_bytes) -> int:
    """Sign with a new key from now on, in the running write transaction; how many keys verify afterwards.

    Keys are forgotten of which nothing is left that was signed after `oldest`; without it all are.
    """
    keys = sql.rows(store, "SELECT id, created_at FROM signing_key ORDER BY id")
    # A key has signed nothing after its successor was made.
    gone = [key for (key, _), (_, successor) in pairwise(keys) if oldest is not None and successor < utc(oldest)]
    for key in [key for key, _ in keys] if oldest is None else gone:
        sql.execute(store, "DELETE FROM signing_key WHERE id = ?", key)
    _add_key(store, now, entropy)
    return len(sql.rows(store, _KEYS))


_KEYS = "SELECT secret, created_at FROM signing_key ORDER BY id"


def _keys(store: Store, now: datetime) -> list[tuple[str, str]]:
    """The keys with their times, oldest first; makes the first."""
    with store.read():
        found = sql.rows(store, _KEYS)
    if not found:
        with store.write():
            if not sql.rows(store, _KEYS):
                _add_key(store, now, secrets.token_bytes)
        with store.read():
            found = sql.rows(store, _KEYS)
    return [(secret, created_at) for secret, created_at in found]


def _add_key(store: Store, now: datetime, entropy: Entropy) -> None:
    statement = "INSERT INTO signing_key (secret, created_at) VALUES (?, ?)"
    sql.execute(store, statement, entropy(32).hex(), utc(now))


def _serializer(purpose: str, keys: list[str], now: datetime) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(
        keys,
        salt=f"ulm link {purpose}",
        signer=_Signer,
        signer_kwargs={"moment": now, "key_derivation": "hmac", "digest_method": sha256},
    )
