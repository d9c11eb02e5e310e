"""Who sits where, and what they are called, before the first move."""

from __future__ import annotations

from collections.abc import Sequence

from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common import checks, naming, preferences
from server.service.common.errors import Forbidden, bad_field
from server.service.common.naming import ServerName
from server.service.common.preferences import Preferences
from server.service.games import bots
from server.service.games.model import Game, Seat
from server.storage import sql
from server.storage.database import Store


def check_bots(names: Sequence[str | None] | None, seats: int) -> list[str | None]:
    """The bots for the seats from 1 on, None for a person; or for all seats, where nobody else is to play. Raises
    `Unprocessable`."""
    if names is None:
        return []
    if not isinstance(names, list) or len(names) > seats or (len(names) == seats and None in names):
        message = f"give a list of at most {seats - 1} names, for seat 0 is yours, or of {seats} to look on"
        raise bad_field("bots", message)
    known = bots.names()
    for name in names:
        if name is not None and (not isinstance(name, str) or (name not in known and not name.startswith("@"))):
            raise bad_field("bots", f"known bots are {', '.join(known)}, and @HANDLE of one with an account")
    return list(names)


def name_at(game: Game, name: str) -> str:
    """The name on a seat for somebody who sits down now: see `free_name`."""
    return free_name(name, [seat.name for seat in game.seats if seat.name is not None])


def free_name(name: str, taken: list[str]) -> str:
    """The name on a seat: with a number behind it when somebody at this table is called alike.

    Who reads the log must not take one player for another, nor a player for a bot.
    """
    candidates = (name if number == 1 else _numbered(name, number) for number in range(1, len(taken) + 2))
    return next(wanted for wanted in candidates if not any(checks.alike(wanted, other) for other in taken))


def _numbered(name: str, number: int) -> str:
    return name.numbered(number) if isinstance(name, ServerName) else f"{name} ({number})"


_SEAT_DOWN = "UPDATE seat SET player_id = ?, bot = ?, name = ?, name_kind = ?, client_seed = ? WHERE id = ?"


def seat_down(store: Store, seat: Seat) -> None:
    """Store who has a seat now that was free."""
    kind = naming.kind_of(seat.name)
    sql.execute(store, _SEAT_DOWN, seat.player, seat.bot, seat.name, kind, seat.client_seed, seat.row)


def note_preferences(seat: Seat, wishes: Preferences) -> None:
    """Note in a seat what its player wishes of the game, as loading it does."""
    seat.auto_draw, seat.time_zone = wishes["auto_draw"], wishes["time_zone"]


def present_preferences(store: Store, player: Player) -> Preferences:
    """The player's preferences as they are stored now. Raises `Forbidden` when the account is gone."""
    found = sql.row(store, "SELECT preferences FROM player WHERE id = ?", player.id)
    if found is None:
        raise Forbidden(_("your account is gone: make a new one with POST /api/v1/players"))
    return preferences.read(found[0])
