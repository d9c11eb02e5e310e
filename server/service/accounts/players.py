"""Who asks: the account of a player, reading it, and whether what let them in is still good."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from server.language import gettext as _
from server.service.common import checks
from server.service.common import preferences as wishes
from server.service.common.errors import ServiceError
from server.storage import sql
from server.storage.database import Store


@dataclass(frozen=True, slots=True)
class Player:
    """Who asks. Times are text in UTC."""

    id: str
    name: str
    email: str | None = None
    email_confirmed_at: str | None = None
    preferences: wishes.Preferences = field(default_factory=wishes.PREFERENCES.copy)
    created_at: str = ""
    mail_stopped_at: str | None = None
    mail_stopped_why: str | None = None
    door: tuple[str, str] | None = field(default=None, compare=False)
    """By what they came in: `token` or `session`, and its hash. None: by nothing that could end meanwhile."""

    @property
    def is_guest(self) -> bool:
        """Nobody could sign in to this account on another device."""
        return self.email is None


@dataclass(frozen=True, slots=True)
class Access:
    """What a token opens: whose it is, what it may be used for (`access.SCOPES`), and until when (text in UTC)."""

    player: Player
    scopes: tuple[str, ...]
    expires_at: str | None


class AccessEndedError(ServiceError):
    """What let the caller in has ended while their request was on its way."""

    kind = "unknown-token"

    def __init__(self) -> None:
        super().__init__(_("your sign-in or token has ended meanwhile: sign in again, or use another token"))


_DOORS = {
    "token": "SELECT 1 FROM token WHERE hash = ? AND player_id = ? AND revoked_at IS NULL",
    "session": "SELECT 1 FROM session WHERE hash = ? AND player_id = ?",
}


def lock(store: Store, player_id: str) -> bool:
    """Lock an account's row in the running write transaction: whoever ends all access to it does so before or after.
    Whether there is such an account. Rows that refer to it may be added meanwhile."""
    return sql.row(store, "SELECT id FROM player WHERE id = ?" if store.is_sqlite else _LOCK, player_id) is not None


_LOCK = "SELECT id FROM player WHERE id = ? FOR NO KEY UPDATE"


def is_in(store: Store, player: Player) -> bool:
    """Lock the account's row in the running write transaction; whether what let the player in is good until it ends.

    Asked by whatever makes something that lets somebody in, or changes what the account hangs on: a right that was
    looked at before the transaction may have ended since."""
    if not lock(store, player.id):
        return False
    return player.door is None or sql.row(store, _DOORS[player.door[0]], player.door[1], player.id) is not None


def require_in(store: Store, player: Player) -> None:
    """As `is_in`. Raises `AccessEndedError`."""
    if not is_in(store, player):
        raise AccessEndedError


COLUMNS = """
    SELECT p.id, p.name, p.email, p.email_confirmed_at, p.preferences, p.created_at, p.mail_stopped_at,
        p.mail_stopped_why"""
"""The beginning of a statement that reads the accounts `p`; others may add columns of their own behind it."""
_BY_ID = COLUMNS + " FROM player p WHERE p.id = ?"


def read_player(row: Sequence[Any], door: tuple[str, str] | None = None) -> Player:  # Any: as the columns are
    """A player from a row with the columns of `COLUMNS`, who came in by this door."""
    account = [*row, door]
    account[4] = wishes.read(account[4])
    return Player(*account)


def found_as(name: str, preferences: wishes.Preferences) -> str | None:
    """What an account's column `found_as` holds: its name as it is searched for, None of who wishes not to be found."""
    return None if preferences["private"] else checks.folded(name)


def player_by_id(store: Store, player_id: object, door: tuple[str, str] | None = None) -> Player | None:
    """The account, for those who have shown otherwise that it is theirs; None when it is gone."""
    found = sql.row(store, _BY_ID, player_id) if isinstance(player_id, str) else None
    return None if found is None else read_player(found, door)
