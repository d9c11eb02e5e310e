"""Whom mail goes to, as far as the database knows: address, whether it is good, and wishes."""

from __future__ import annotations

from dataclasses import dataclass

from server.service.common import preferences
from server.storage import sql
from server.storage.database import Store

REACHED = (
    "p.email IS NOT NULL AND p.email_confirmed_at IS NOT NULL AND p.mail_stopped_at IS NULL AND p.banned_at IS NULL"
)
"""The condition that mail reaches a player `p`: a confirmed address to which none came back, of one not banned."""
_ADDRESS = f"SELECT p.email FROM player p WHERE p.id = ? AND {REACHED}"  # noqa: S608


def is_reached(confirmed_at: object, stopped_at: object) -> bool:
    """Whether `REACHED` holds for a player of whom that was read (None: never)."""
    return confirmed_at is not None and stopped_at is None


def reached_at(store: Store, player_id: str) -> str | None:
    """The address at which a player is reached, None where there is none. In the running transaction."""
    found = sql.row(store, _ADDRESS, player_id)
    return None if found is None else str(found[0])


@dataclass(frozen=True, slots=True)
class Addressee:
    """A player who may be written to. Times are text in UTC."""

    name: str
    email: str | None
    confirmed_at: str | None
    stopped_at: str | None  # since when no mail goes to the address, because one came back
    wishes: preferences.Preferences  # the preferences, complete
    seat_mail: str | None  # the wish for one game, where there is one


_PLAYER = """
    SELECT p.name, p.email, p.email_confirmed_at, p.mail_stopped_at, p.preferences,
        (SELECT s.mail FROM seat s WHERE s.player_id = p.id AND s.game_id = ?)
    FROM player p WHERE p.id = ?"""


def of_player(store: Store, player_id: str, game_id: str | None) -> Addressee | None:
    """The player, with the wish for mail about a game; None when the account is gone."""
    with store.read():
        found = sql.row(store, _PLAYER, game_id, player_id)
    if found is None:
        return None
    name, email, confirmed_at, stopped_at, wishes, seat_mail = found
    return Addressee(name, email, confirmed_at, stopped_at, preferences.read(wishes), seat_mail)


_INVITER = "SELECT p.preferences FROM invitation i JOIN player p ON p.id = i.inviter_id WHERE i.id = ?"


def wishes_of_stranger(store: Store, invitation: int | None) -> preferences.Preferences:
    """What is supposed of somebody without an account: the language of who invites them, and else the defaults."""
    with store.read():
        found = sql.row(store, _INVITER, invitation)
    return {**preferences.read(None), "language": preferences.read(found[0] if found else None)["language"]}
