"""Banning an account and its bots in one transaction; then every game that is not over is left in one of its own: open
seats are given back, in running games the stand-in plays. What fails is done by asking again."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from server.service.accounts import confirming
from server.service.accounts.players import lock, player_by_id
from server.service.admin.lookup import no_account
from server.service.common import audit_log
from server.service.common.errors import ServiceError
from server.service.games import due_work, loading
from server.service.games.model import SANDBOX
from server.service.games.saving import change_row, changing, save_seat
from server.service.seating import joining
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc


class Banned(NamedTuple):
    """What a ban brought about: whether it is new, bots banned, open games left, running ones for the stand-in."""

    new: bool
    bots: int
    left: int
    stood_in: int


_ACCOUNTS = """
    SELECT p.id, p.banned_at FROM player p LEFT JOIN bot_account b ON b.player_id = p.id
    WHERE p.id = ? OR b.owner_id = ? ORDER BY p.id"""
_BAN = "UPDATE player SET banned_at = ? WHERE id = ? AND banned_at IS NULL"
_DROP = """
    UPDATE mail SET state = 'skipped', done_at = ?, lease_until = NULL, error = 'the account is banned'
    WHERE player_id = ? AND state IN ('pending', 'dead')"""
_PLAYING = """
    SELECT g.id, g.status, g.origin FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.player_id = ? AND g.status IN ('open', 'running') ORDER BY g.id"""


def ban(store: Store, player_id: str, now: datetime) -> Banned:
    """Ban an account with its bots, on behalf of the operator. Raises `NotFound`."""
    with store.write():
        found = _accounts(store, player_id)
        for one in found:
            if sql.execute(store, _BAN, utc(now), one).rowcount:
                confirming.end_access(store, one, now)
                sql.lock_in_order(store, "mail", "player_id = ?", one)
                sql.execute(store, _DROP, utc(now), one)
                audit_log.note(store, "operator_banned", now, one)
    left = stood_in = 0
    for one in found:
        games = sql.rows(store, _PLAYING, one)
        for game_id, status, origin in games:
            left += status == "open" and _leave(store, one, game_id, now)
            stood_in += status == "running" and origin != SANDBOX and _stand_in(store, one, game_id, now)
    return Banned(found[player_id] is None, len(found) - 1, left, stood_in)


def _accounts(store: Store, player_id: str) -> dict[str, str | None]:
    """When this account and each of its bots was banned, in the running write transaction. Raises `NotFound`."""
    lock(store, player_id)  # else a bot that is being made would be none of them
    rows = sql.rows(store, sql.locking(store, _ACCOUNTS, "p"), player_id, player_id)
    found: dict[str, str | None] = {one: banned_at for one, banned_at in rows}  # noqa: C416 - typed so
    if player_id not in found:
        raise no_account(player_id)
    return found


def unban(store: Store, player_id: str, now: datetime) -> bool:
    """Let the player of an account in again, by a link that they ask for; its bots, too, but with new tokens. What has
    ended stays so, and the stand-in plays until its player comes back. False when it was not banned. Raises `NotFound`.
    """
    with store.write():
        found = _accounts(store, player_id)
        for one, banned_at in found.items():
            if banned_at is not None:
                sql.execute(store, "UPDATE player SET banned_at = NULL WHERE id = ?", one)
                audit_log.note(store, "operator_unbanned", now, one)
    return found[player_id] is not None


def _leave(store: Store, player_id: str, game_id: str, now: datetime) -> bool:
    player = player_by_id(store, player_id)
    try:
        if player is not None:
            joining.leave(store, player, game_id, now)
    except ServiceError:
        return False  # it has started meanwhile, or is gone
    return player is not None


def _stand_in(store: Store, player_id: str, game_id: str, now: datetime) -> bool:
    """Let the server play for the player's seat, from the move on that is due now; whether it does not already."""
    with changing(store):
        game = loading.for_change(store, game_id)
        seat = next((seat for seat in game.seats if seat.player == player_id), None)
        if game.status != "running" or seat is None or seat.autopilot or game.position.players[seat.number].resigned:
            return False
        seat.autopilot = True
        save_seat(store, seat)
        if game.to_move == seat.number:
            game.deadline = None  # what time the stand-in takes is nobody's
        change_row(store, game.id, deadline=game.deadline)
        due_work.note(store, game, now)
    return True
