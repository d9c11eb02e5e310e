"""When a player wants to hear of one of their games."""

from __future__ import annotations

from typing import Annotated, TypedDict

from server.engine.ulm1.shapes import JsonSchema
from server.service.accounts.players import Player
from server.service.common import preferences
from server.service.games import loading
from server.service.games.model import no_seat
from server.storage import sql
from server.storage.database import Store

_READ = "SELECT mail FROM seat WHERE game_id = ? AND player_id = ?"


class Wish(TypedDict):
    """When a player wants mails of a game; None: as their preferences say."""

    mail: Annotated[
        Annotated[str, JsonSchema(enum=preferences.MAIL_MODES)] | None,
        "When notices of this game are mailed; null: as the player's preferences say.",
    ]


def read(store: Store, game_id: str, player: Player) -> Wish:
    """The wish for this game. Raises as `change`."""
    with store.read():
        loading.for_reader(store, game_id, player).require_seated(player)
        # By who sits there, as it is written: in a sandbox the owner looks through the eyes of every seat in turn.
        return {"mail": sql.value(store, _READ, game_id, player.id)}


def change(store: Store, game_id: str, player: Player, mail: str | None) -> Wish:
    """Set the wish for this game (None: as preferred). Raises `NotFound`, `Forbidden`, `Unprocessable`."""
    wish = None if mail is None else preferences.mail_mode("mail", mail)
    with store.read():
        loading.for_reader(store, game_id, player).require_seated(player)
    with store.write():
        set_wish(store, game_id, player.id, wish)
    return {"mail": wish}


def set_wish(store: Store, game_id: str, player_id: str, mail: str | None) -> None:
    """Note the wish in the running transaction. Raises `Forbidden` when the player has no seat there."""
    statement = "UPDATE seat SET mail = ? WHERE game_id = ? AND player_id = ?"
    if sql.execute(store, statement, mail, game_id, player_id).rowcount != 1:
        raise no_seat()


_PREFERENCES = "SELECT preferences FROM player WHERE id = ?"


def set_all(store: Store, player_id: str, mode: str) -> None:
    """Send this player notices of every game as `mode` says (`preferences.MAIL_MODES`)."""
    with store.write():
        found = sql.row(store, sql.locking(store, _PREFERENCES), player_id)
        if found is not None:
            text = preferences.dump({**preferences.read(found[0]), "mail": mode})
            sql.execute(store, "UPDATE player SET preferences = ? WHERE id = ?", text, player_id)
            # A wish for one game would outlive the wish for all.
            sql.execute(store, "UPDATE seat SET mail = NULL WHERE player_id = ? AND mail IS NOT NULL", player_id)
