"""When a player wants to hear of one of their games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, TypedDict

from server.engine.ulm1.shapes import JsonSchema
from server.service.accounts.players import Player
from server.service.common import preferences
from server.service.common.preferences import Channel
from server.service.games import loading
from server.service.games.model import no_seat
from server.storage import sql
from server.storage.database import Store

_READ = "SELECT mail, push, webhook FROM seat WHERE game_id = ? AND player_id = ?"
_OtherMode = Annotated[
    Annotated[str, JsonSchema(enum=preferences.CHANNEL_MODES)] | None,
    "The same by this channel.",
]


class Wish(TypedDict):
    """When a player wants news of a game, by each channel; None: as their preferences say."""

    mail: Annotated[
        Annotated[str, JsonSchema(enum=preferences.MAIL_MODES)] | None,
        "When notices of this game are mailed; null: as the player's preferences say.",
    ]
    push: _OtherMode
    webhook: _OtherMode


_CHECKS: dict[Channel, Callable[[str, object], str]] = {
    "mail": preferences.mail_mode,
    "push": preferences.channel_mode,
    "webhook": preferences.channel_mode,
}


def read(store: Store, game_id: str, player: Player) -> Wish:
    """The wish for this game. Raises as `change`."""
    with store.read():
        loading.for_reader(store, game_id, player).require_seated(player)
        # By who sits there, as it is written: in a sandbox the owner looks through the eyes of every seat in turn.
        mail, push, webhook = sql.rows(store, _READ, game_id, player.id)[0]
        return {"mail": mail, "push": push, "webhook": webhook}


def change(store: Store, game_id: str, player: Player, changes: Mapping[Channel, str | None]) -> Wish:
    """Set wishes for this game (None: as preferred); channels that are left out stay. Raises `NotFound`, `Forbidden`,
    `Unprocessable`."""
    wishes: dict[Channel, str | None] = {}
    for channel, check in _CHECKS.items():
        if channel in changes:
            wish = changes[channel]
            wishes[channel] = None if wish is None else check(channel, wish)
    with store.read():
        loading.for_reader(store, game_id, player).require_seated(player)
    with store.write():
        for channel, mode in wishes.items():
            set_wish(store, game_id, player.id, mode, channel)
    return read(store, game_id, player)


def set_wish(store: Store, game_id: str, player_id: str, mode: str | None, channel: Channel = "mail") -> None:
    """Note the wish in the running transaction. Raises `Forbidden` when the player has no seat there."""
    statement = f"UPDATE seat SET {channel} = ? WHERE game_id = ? AND player_id = ?"  # noqa: S608
    if sql.execute(store, statement, mode, game_id, player_id).rowcount != 1:
        raise no_seat()


_PREFERENCES = "SELECT preferences FROM player WHERE id = ?"


def set_all(store: Store, player_id: str, mode: str, channel: Channel = "mail") -> None:
    """Send this player notices of every game as `mode` says (`preferences.MAIL_MODES`), by this channel."""
    with store.write():
        found = sql.row(store, sql.locking(store, _PREFERENCES), player_id)
        if found is not None:
            wishes = preferences.read(found[0])
            wishes[channel] = mode
            text = preferences.dump(wishes)
            sql.execute(store, "UPDATE player SET preferences = ? WHERE id = ?", text, player_id)
            # A wish for one game would outlive the wish for all.
            statement = f"UPDATE seat SET {channel} = NULL WHERE player_id = ? AND {channel} IS NOT NULL"  # noqa: S608
            sql.execute(store, statement, player_id)
