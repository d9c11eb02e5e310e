"""A player's own note on a game. Nobody else ever reads it: it is in no page, record or export of another."""

from __future__ import annotations

from typing import Annotated, TypedDict

from server.language import gettext as _
from server.service.accounts import stored_bytes
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.errors import bad_field
from server.service.games import loading
from server.service.games.model import no_seat
from server.storage import sql
from server.storage.database import Store

NOTE_MAX = 4000

_READ = "SELECT note FROM seat WHERE game_id = ? AND player_id = ?"
_WRITE = "UPDATE seat SET note = ? WHERE game_id = ? AND player_id = ?"


class Note(TypedDict):
    """What a player noted of a game, "" for nothing."""

    note: Annotated[str, "Empty: nothing."]


def check(value: object) -> str | None:
    """A note as it is stored, None for an empty one. Raises `Unprocessable`."""
    text = checks.lines("note", value, NOTE_MAX)
    if len(text) > NOTE_MAX:
        problem = _("write at most %(most)s characters, not %(length)s", most=NOTE_MAX, length=len(text))
        raise bad_field("note", problem)
    return text or None


def get(store: Store, game_id: str, player: Player) -> Note:
    """What the player noted of this game, "" for nothing. Raises `NotFound`, `Forbidden` (no seat)."""
    with store.read():
        loading.for_reader(store, game_id, player).require_seated(player)
        # By who sits there, not by the seat: in a sandbox the owner looks through the eyes of every seat in turn.
        return {"note": sql.value(store, _READ, game_id, player.id) or ""}


def put(store: Store, game_id: str, player: Player, note: object) -> Note:
    """Write the note anew; empty forgets it. Raises `NotFound`, `Forbidden`, `Unprocessable`, `TooLarge`."""
    checked = check(note)
    with store.read():
        loading.for_reader(store, game_id, player).require_seated(player)
    with store.write():
        found = sql.row(store, sql.locking(store, _READ), game_id, player.id)
        if found is None:
            raise no_seat()
        stored_bytes.count(store, player, stored_bytes.size_of(checked or "") - stored_bytes.size_of(found[0] or ""))
        sql.execute(store, _WRITE, checked, game_id, player.id)
    return {"note": checked or ""}
