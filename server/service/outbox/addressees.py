"""Whom mail goes to, as far as the database knows: address, whether it is good, and wishes."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.service.common import preferences
from server.service.common.preferences import Channel
from server.storage import sql
from server.storage.database import Store

REACHED = (
    "p.email IS NOT NULL AND p.email_confirmed_at IS NOT NULL AND p.mail_stopped_at IS NULL AND p.banned_at IS NULL"
)
"""The condition that mail reaches a player `p`: a confirmed address to which none came back, of one not banned."""
HEARS = f"""(({REACHED}) OR (p.banned_at IS NULL AND EXISTS (
    SELECT 1 FROM channel c WHERE c.player_id = p.id AND c.kind IN ('push', 'webhook'))))"""  # noqa: S608
"""The condition that a player `p` is told something at all, by mail or otherwise."""
_ADDRESS = f"SELECT p.email FROM player p WHERE p.id = ? AND {REACHED}"  # noqa: S608


def is_reached(confirmed_at: object, stopped_at: object) -> bool:
    """Whether `REACHED` holds for a player of whom that was read (None: never)."""
    return confirmed_at is not None and stopped_at is None


def reached_at(store: Store, player_id: str) -> str | None:
    """The address at which a player is reached, None where there is none. In the running transaction."""
    return sql.value(store, _ADDRESS, player_id)


@dataclass(frozen=True, slots=True)
class Addressee:
    """Who may be written to. Times are text in UTC."""

    address: str  # "" where there is none
    name: str = ""  # "" of somebody without an account
    player_id: str | None = None
    wishes: preferences.Preferences = field(default_factory=preferences.PREFERENCES.copy)
    channel: Channel = "mail"
    seat_mode: str | None = None  # the wish for one game and this channel, where there is one
    confirmed_at: str | None = None
    stopped_at: str | None = None  # since when no mail goes to the address, because one came back

    @property
    def zone(self) -> str:
        """The name of the time zone that times are told in."""
        return self.wishes["time_zone"]

    @property
    def language(self) -> str:
        """The code of the language that is written in."""
        return self.wishes["language"]

    @property
    def mode(self) -> str:
        """When news of this game are wanted by this channel."""
        return self.seat_mode or self.wishes[self.channel]


_PLAYER = """
    SELECT p.email, p.name, p.id, p.preferences,
        (SELECT s.{channel} FROM seat s WHERE s.player_id = p.id AND s.game_id = ?), p.email_confirmed_at,
        p.mail_stopped_at
    FROM player p WHERE p.id = ?"""


def of_player(store: Store, player_id: str, game_id: str | None, channel: Channel = "mail") -> Addressee | None:
    """The player, with the wish for news of a game by a channel; None when the account is gone."""
    found = sql.row(store, _PLAYER.format(channel=channel), game_id, player_id)
    if found is None:
        return None
    address, name, number, wishes, *rest = found
    return Addressee(address or "", name, number, preferences.read(wishes), channel, *rest)


_INVITER = "SELECT p.preferences FROM invitation i JOIN player p ON p.id = i.inviter_id WHERE i.id = ?"


def stranger(store: Store, address: str, invitation: int | None) -> Addressee:
    """Somebody without an account, who is supposed to speak the language of who invites them."""
    language = preferences.read(sql.value(store, _INVITER, invitation))["language"]
    return Addressee(address, wishes={**preferences.PREFERENCES, "language": language})
