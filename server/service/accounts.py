"""Players and their tokens."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from server.service import checks, sql
from server.service.errors import Unprocessable
from server.storage import models
from server.storage.database import Store
from server.storage.models import utc

Entropy = Callable[[int], bytes]
"""Where secrets come from: a number of bytes in, that many unguessable bytes out."""

PREFERENCES: dict[str, Any] = {
    "auto_draw": True,  # the server makes the blind `draw` at the start of the player's turn
    "time_zone": "UTC",  # where the player's nights are, and the times in mails
}
"""Every preference with its default."""

PREFERENCE_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "auto_draw": checks.flag,
    "time_zone": checks.time_zone,
}
"""What a preference may be: a function of the field's name and the wish that returns what is stored."""

USE_NOTED_EVERY = timedelta(hours=1)
TOKEN_MAX = 200
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789x"  # 32 letters; none that people take for another


def random_id(entropy: Entropy, length: int) -> str:
    """An unguessable name of `length` letters, five bits each."""
    return "".join(ALPHABET[byte & 31] for byte in entropy(length))


def new_token(entropy: Entropy) -> str:
    """An unguessable bearer token."""
    return "ulm_" + entropy(24).hex()


@dataclass(frozen=True, slots=True)
class Player:
    """Who asks. `preferences` is complete (defaults filled in); times are text in UTC."""

    id: str
    name: str
    email: str | None = None
    email_confirmed_at: str | None = None
    preferences: dict[str, Any] = field(default_factory=lambda: dict(PREFERENCES))
    created_at: str | None = None


def read_preferences(text: str | None) -> dict[str, Any]:
    """Stored preferences over the defaults."""
    return {**PREFERENCES, **(json.loads(text) if text else {})}


def create_player(
    store: Store, name: str, email: str | None, now: datetime, entropy: Entropy = secrets.token_bytes
) -> dict[str, Any]:
    """Open an account. Returns `{id, name, token}`; the token is shown this once.

    Raises `Unprocessable` for a name or an address that cannot be.
    """
    name = checks.name("name", name)
    email = checks.email(email)
    player_id = random_id(entropy, 16)
    token = new_token(entropy)
    with store.write():
        models.Player.insert(id=player_id, name=name, email=email, created_at=now).execute()
        models.Token.insert(player=player_id, hash=token_hash(token), created_at=now).execute()
    return {"id": player_id, "name": name, "token": token}


_AUTHENTICATE = """
    SELECT p.id, p.name, p.email, p.email_confirmed_at, p.preferences, p.created_at, t.id, t.last_used_at
    FROM token t JOIN player p ON p.id = t.player_id
    WHERE t.hash = ? AND t.revoked_at IS NULL"""


def authenticate(store: Store, token: str | None, now: datetime) -> Player | None:
    """The player that `token` belongs to, None when it is unknown or revoked.

    One statement; at most once an hour a second one notes that the token is in use.
    """
    # Looked up by hash: how long the answer takes tells nothing about any stored token.
    if not isinstance(token, str) or not token.isascii() or not 0 < len(token) <= TOKEN_MAX:
        return None
    with store.read():
        found = sql.row(store, _AUTHENTICATE, token_hash(token))
    if found is None:
        return None
    *account, token_id, last_used = found
    if last_used is None or _parse(last_used) + USE_NOTED_EVERY <= now:
        with store.write():
            sql.execute(store, "UPDATE token SET last_used_at = ? WHERE id = ?", utc(now), token_id)
    account[4] = read_preferences(account[4])
    return Player(*account)


def profile(player: Player) -> dict[str, Any]:
    """What a player sees of the own account: `{id, name, email, email_confirmed, preferences, created_at}`."""
    return {
        "id": player.id,
        "name": player.name,
        "email": player.email,
        "email_confirmed": player.email_confirmed_at is not None,
        "preferences": dict(player.preferences),
        "created_at": player.created_at,
    }


def update_profile(store: Store, player: Player, changes: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Change `name`, `email` or some `preferences`, and return the profile as it is then.

    A new address is unconfirmed, so no mail goes there. Raises `Unprocessable` for anything unknown.
    """
    unknown = set(changes) - {"name", "email", "preferences"}
    if unknown:
        raise Unprocessable("only name, email and preferences can be changed", {key: ["unknown"] for key in unknown})
    with store.write():
        row = models.Player.select().where(models.Player.id == player.id)
        stored = store.for_update(row).get()
        if "name" in changes:
            stored.name = checks.name("name", changes["name"])
        if "email" in changes:
            address = checks.email(changes["email"])
            if address != stored.email:
                stored.email, stored.email_confirmed_at = address, None
        if "preferences" in changes:
            wanted = {**read_preferences(stored.preferences), **_check_preferences(changes["preferences"])}
            differing = {key: value for key, value in wanted.items() if PREFERENCES[key] != value}
            stored.preferences = json.dumps(differing, sort_keys=True)
        stored.save()
    return profile(
        replace(
            player,
            name=stored.name,
            email=stored.email,
            email_confirmed_at=stored.email_confirmed_at,
            preferences=read_preferences(stored.preferences),
        )
    )


def _check_preferences(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unprocessable("preferences: give an object", {"preferences": ["give an object"]})
    unknown = sorted(set(value) - set(PREFERENCES))
    if unknown:
        known = ", ".join(PREFERENCES)
        raise Unprocessable(f"preferences: known are {known}", {"preferences": [f"known are {known}"]})
    return {key: PREFERENCE_CHECKS[key](f"preferences.{key}", wanted) for key, wanted in value.items()}


def token_hash(token: str) -> str:
    """What is stored of a token: tokens are random and long, so a plain hash is enough."""
    return sha256(token.encode("utf-8")).hexdigest()


def _parse(moment: str) -> datetime:
    return datetime.strptime(moment, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
