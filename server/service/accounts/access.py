"""What a bearer token opens. It has one or more scopes, none of which holds another."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from server.language import gettext as _
from server.service.accounts.players import COLUMNS, Access, Player, read_player
from server.service.common.errors import bad_field
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

SCOPES = ("read", "play", "account")
"""Read games and the own profile; do something in games; change the account, and read all that is kept of it."""
USE_NOTED_EVERY = timedelta(hours=1)
TOKEN_MAX = 200
"""Characters; what is longer is no token of ours."""


def give_token(
    store: Store, player_id: str, now: datetime, scopes: Sequence[str] = SCOPES, name: str = "", ends: str | None = None
) -> str:
    """Store another token of an account in the running write transaction; itself, unguessable."""
    token = "ulm_" + secrets.token_hex(24)
    row = {"hash": token_hash(token), "name": name, "scopes": " ".join(scopes), "expires_at": ends}
    sql.insert(store, "token", player_id=player_id, created_at=utc(now), **row)
    return token


_AUTHENTICATE = (
    COLUMNS
    + """, t.id, t.last_used_at, t.scopes, t.expires_at
    FROM token t JOIN player p ON p.id = t.player_id
    WHERE t.hash = ? AND t.revoked_at IS NULL AND p.banned_at IS NULL"""
)


def authenticate(store: Store, token: str | None, now: datetime) -> Player | None:
    """The player that `token` belongs to, whatever it may do; None when it is unknown, revoked or too old."""
    found = access(store, token, now)
    return None if found is None else found.player


def access(store: Store, token: str | None, now: datetime) -> Access | None:
    """What `token` opens, None when it is unknown, revoked or too old. Notes at most once an hour that it is used."""
    # Looked up by hash: how long the answer takes tells nothing about any stored token.
    if not isinstance(token, str) or not token.isascii() or not 0 < len(token) <= TOKEN_MAX:
        return None
    hashed = token_hash(token)
    found = sql.row(store, _AUTHENTICATE, hashed)
    if found is None:
        return None
    *account, token_id, last_used, held, expires_at = found
    if has_ended(expires_at, now):
        return None
    if last_used is None or parse_utc(last_used) + USE_NOTED_EVERY <= now:
        with store.write():
            sql.execute(store, "UPDATE token SET last_used_at = ? WHERE id = ?", utc(now), token_id)
    return Access(read_player(account, ("token", hashed)), tuple(held.split()), expires_at)


def has_ended(expires_at: str | None, now: datetime) -> bool:
    """Whether a token that ends then (None: never) opens nothing any more."""
    return expires_at is not None and expires_at <= utc(now)


def token_hash(token: str) -> str:
    """What is stored of a token: tokens are random and long, so a plain hash is enough."""
    return sha256(token.encode("utf-8")).hexdigest()


def check_scopes(wanted: object) -> tuple[str, ...]:
    """Scopes as they are stored, each once, in the order of `SCOPES`. Raises `Unprocessable`."""
    if not isinstance(wanted, (list, tuple)) or not wanted or any(one not in SCOPES for one in wanted):
        raise bad_field("scopes", _("give one or more of %(scopes)s", scopes=", ".join(SCOPES)))
    return tuple(one for one in SCOPES if one in wanted)


def scopes_in_words() -> dict[str, str]:
    """What each scope lets a token do."""
    return {
        "read": _("read your games and your profile"),
        "play": _("play, write and make games in your name"),
        "account": _("change your account, and delete it"),
    }
