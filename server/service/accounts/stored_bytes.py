"""How much of the server's room a player uses, roughly, counted in the transaction that writes."""

from __future__ import annotations

from collections import Counter
from weakref import WeakKeyDictionary

from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common.errors import TooLarge
from server.service.common.quotas import BYTES_PER_PLAYER
from server.storage import sql
from server.storage.database import Store

UNCONFIRMED = 10
"""An account without a confirmed address, which costs nothing, has this part of them."""

ROW = 100
"""A move in the log."""
MESSAGE = 200
RECORD = 5_000
"""What comes with a record: the game, its seats, the last position."""
SANDBOX = 20_000
"""A sandbox with all the moves that it can come to."""

_most: WeakKeyDictionary[Store, int] = WeakKeyDictionary()

_COUNT = """
    UPDATE player SET stored_bytes = stored_bytes + ?
    WHERE id = ? AND stored_bytes + ? <= CASE WHEN email_confirmed_at IS NULL THEN ? ELSE ? END"""
_GIVE_BACK = """
    UPDATE player SET stored_bytes = CASE WHEN stored_bytes > ? THEN stored_bytes - ? ELSE 0 END WHERE id = ?"""
_USED = "SELECT stored_bytes, email_confirmed_at FROM player WHERE id = ?"


def allow(store: Store, most: int) -> None:
    """Let this process keep at most so many bytes for each player."""
    _most[store] = most


def count(store: Store, player: Player, size: int) -> None:
    """Count bytes that the running write transaction stores for the player, fewer than none too. Raises `TooLarge`."""
    most = _most.get(store, BYTES_PER_PLAYER)
    if size <= 0:
        give_back(store, player.id, -size)
    elif sql.execute(store, _COUNT, size, player.id, size, most // UNCONFIRMED, most).rowcount != 1:
        used, room = usage(store, player)
        values = {"used": used, "most": room, "size": size}
        said = _("you use %(used)s of your %(most)s bytes on this server, and this would take %(size)s more", **values)
        raise TooLarge(
            said + ("" if room == most else _("; with a confirmed mail address you have %(most)s", most=most))
        )


def give_back(store: Store, player_id: str, size: int) -> None:
    """Note in the running write transaction that so many bytes of the player's are gone."""
    sql.execute(store, _GIVE_BACK, size, size, player_id)


_WRITTEN = """
    SELECT player_id, text FROM message WHERE game_id = ? AND kind IS NULL
    UNION ALL SELECT player_id, text FROM comment WHERE game_id = ?"""
_NOTES = "SELECT player_id, note FROM seat WHERE game_id = ? AND player_id IS NOT NULL AND note IS NOT NULL"
_RECORD = """
    SELECT r.player_id, r.text, g.ply FROM imported_record r JOIN game g ON g.id = r.game_id WHERE g.id = ?"""


def game_gone(store: Store, game_id: str) -> None:
    """Give back what players stored with a game that the running write transaction takes away."""
    gone: Counter[str | None] = Counter()
    for player_id, text in sql.rows(store, _WRITTEN, game_id, game_id):
        gone[player_id] += MESSAGE + size_of(text)
    for player_id, note in sql.rows(store, _NOTES, game_id):
        gone[player_id] += size_of(note)
    for player_id, text, plies in sql.rows(store, _RECORD, game_id):
        gone[player_id] += record_size(text, plies)
    for player_id, size in gone.items():
        if player_id is not None:  # else the account is gone
            give_back(store, player_id, size)


def record_size(text: str, plies: int) -> int:
    """What an imported game takes: its record, and the log that it is replayed from."""
    return RECORD + size_of(text) + ROW * plies


def usage(store: Store, player: Player) -> tuple[int, int]:
    """How many bytes the player uses, and may use; in a transaction."""
    used, confirmed = sql.row(store, _USED, player.id) or (0, None)
    most = _most.get(store, BYTES_PER_PLAYER)
    return used, most // UNCONFIRMED if confirmed is None else most


def size_of(text: str) -> int:
    """The bytes of a text."""
    return len(text.encode())
