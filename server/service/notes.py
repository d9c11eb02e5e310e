"""A player's own note on a game. Nobody else ever reads it: it is in no page, record or export of another."""

from __future__ import annotations

from typing import Any

from server.language import gettext as _
from server.service import checks, sql
from server.service.accounts import Player
from server.service.errors import Forbidden, bad_field
from server.service.table import load
from server.storage.database import Store

NOTE_MAX = 4000

_READ = "SELECT note FROM seat WHERE game_id = ? AND player_id = ?"
_WRITE = "UPDATE seat SET note = ? WHERE game_id = ? AND player_id = ?"


def check(value: Any) -> str | None:
    """A note as it is stored, None for an empty one. Raises `Unprocessable`."""
    # A browser sends two characters for the end of a line.
    text = checks.text("note", value, 4 * NOTE_MAX).replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(text) > NOTE_MAX:
        problem = _("write at most %(most)s characters, not %(length)s", most=NOTE_MAX, length=len(text))
        raise bad_field("note", problem)
    return text or None


def get(store: Store, game_id: str, player: Player) -> dict[str, Any]:
    """`{note}`: what the player noted of this game, "" for nothing. Raises `NotFound`, `Forbidden` (no seat)."""
    with store.read():
        table = load(store, game_id, reader=player)
        table.require_visible(player)
        table.require_seat(player)
        return {"note": of_seat(store, table.id, player.id)}


def of_seat(store: Store, game_id: str, player_id: str) -> str:
    """The note of a player who is known to sit in the game, inside a transaction; "" for none."""
    # By who sits there, not by the seat: in a sandbox the owner looks through the eyes of every seat in turn.
    found = sql.row(store, _READ, game_id, player_id)
    return "" if found is None or found[0] is None else str(found[0])


def put(store: Store, game_id: str, player: Player, note: Any) -> dict[str, Any]:
    """Write the note anew; empty forgets it. Returns `{note}`. Raises `NotFound`, `Forbidden`, `Unprocessable`."""
    checked = check(note)
    with store.read():
        table = load(store, game_id, reader=player)
        table.require_visible(player)
        table.require_seat(player)
    with store.write():
        if sql.execute(store, _WRITE, checked, table.id, player.id).rowcount != 1:
            raise Forbidden(_("you have no seat in this game: only its players may do this"))
    return {"note": checked or ""}
