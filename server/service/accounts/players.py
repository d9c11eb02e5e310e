"""Who asks: the account of a player, and reading it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from server.service.common import preferences as wishes
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


COLUMNS = """
    SELECT p.id, p.name, p.email, p.email_confirmed_at, p.preferences, p.created_at, p.mail_stopped_at,
        p.mail_stopped_why"""
"""The beginning of a statement that reads the accounts `p`; others may add columns of their own behind it."""
_BY_ID = COLUMNS + " FROM player p WHERE p.id = ?"


def read_player(row: Sequence[Any]) -> Player:  # Any: as the columns are
    """A player from a row with the columns of `COLUMNS`."""
    account = list(row)
    account[4] = wishes.read(account[4])
    return Player(*account)


def player_by_id(store: Store, player_id: object) -> Player | None:
    """The account, for those who have shown otherwise that it is theirs; None when it is gone."""
    with store.read():
        found = sql.row(store, _BY_ID, player_id) if isinstance(player_id, str) else None
    return None if found is None else read_player(found)
