"""What stands beside the board for one player: the newest messages, the own note, the wish for notices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from server.storage import sql
from server.storage.database import Store


class Written(TypedDict):
    """A message, with the id of who wrote it."""

    id: int
    seat: int
    player: str | None
    text: str
    at: str


@dataclass(frozen=True, slots=True)
class Beside:
    """What only those at the table read (messages), and what only this player does (the rest)."""

    messages: list[Written]
    """The newest, oldest first."""
    earlier: bool
    """There are messages before these."""
    note: str
    notices: str | None
    """As `notice_wishes.read` has it: None when it is as the preferences say."""


_SEAT = "SELECT note, mail FROM seat WHERE game_id = ? AND player_id = ?"
_MESSAGES = "SELECT id, seat, player_id, text, created_at FROM message WHERE game_id = ? ORDER BY id DESC LIMIT ?"


def of_player(store: Store, game_id: str, player_id: str, most: int) -> Beside | None:
    """What is there for a player, with at most `most` messages; None for somebody without a seat in this game."""
    with store.read():
        seat = sql.row(store, _SEAT, game_id, player_id)
        if seat is None:
            return None
        found = sql.rows(store, _MESSAGES, game_id, most + 1)
    newest: list[Written] = [
        {"id": number, "seat": at, "player": player, "text": text, "at": when}
        for number, at, player, text, when in found[:most]
    ]
    return Beside(newest[::-1], len(found) > most, seat[0] or "", seat[1])
