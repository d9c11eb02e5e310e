"""Deleting an account. Games stay, for they belong to the others too; the name, the address and all else go.

First every game that is not over is left, each in a transaction of its own: an open one by giving the seat back, a
running one by the move `resign`. Then one transaction erases the account. What fails on the way leaves an account that
works and can be deleted again; nothing is erased before nothing is left to be played.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from server.engine.state import canonical_json
from server.language import gettext as _
from server.service import audit, links, lobby, sql, turns, waiting
from server.service.accounts import Player
from server.service.called import FORMER
from server.service.checks import NAME_MAX
from server.service.errors import Conflict, ServiceError
from server.service.table import SANDBOX, load
from server.storage.database import Store

TRIES = 5


@dataclass(frozen=True, slots=True)
class Consequences:
    """What deleting the account would end: how many open games are left, how many running ones are resigned, and how
    many sandboxes are thrown away. `over` is how many games that are over keep the seat, without the name."""

    open: int
    running: int
    sandboxes: int
    over: int


_OWN = """
    SELECT g.id, g.status, g.origin FROM game g JOIN seat s ON s.game_id = g.id
    WHERE s.player_id = ? ORDER BY g.id"""
_PLAYER = "SELECT name, email, email_confirmed_at FROM player WHERE id = ?"


def consequences(store: Store, player: Player) -> Consequences:
    """What `delete_account` would do to the player's games."""
    with store.read():
        games = sql.rows(store, _OWN, player.id)
        playing = _playing(store, player.id, games)
    played = [status for _game, status, origin in games if origin != SANDBOX]
    return Consequences(
        open=played.count("open"),
        running=len(playing),
        sandboxes=len(games) - len(played),
        over=len(played) - played.count("open") - len(playing),
    )


def delete_account(store: Store, player: Player, now: datetime, rng: random.Random | None = None) -> None:
    """Leave what is not over and erase the account; one that is gone already is left in peace.

    `rng` is the chance of the bots, which play on. Raises `Conflict` when other requests were in the way again and
    again (somebody joined games with this account meanwhile): then the account is there, and the same can be asked
    again.
    """
    for _attempt in range(TRIES):
        _leave_games(store, player, now, rng)
        if _erase(store, player.id, now):
            return
    raise Conflict(_("your games changed meanwhile: try again"))


def _playing(store: Store, player_id: str, games: list[tuple[Any, ...]]) -> list[str]:
    """Those running games, sandboxes left out, in which the player has not resigned; inside a transaction."""
    found = []
    for game_id, status, origin in games:
        if status == "running" and origin != SANDBOX:
            table = load(store, game_id)
            seat = next((place.seat for place in table.places if place.player == player_id), None)
            if seat is not None and table.status == "running" and not table.position.players[seat].resigned:
                found.append(game_id)
    return found


def _leave_games(store: Store, player: Player, now: datetime, rng: random.Random | None) -> None:
    with store.read():
        games = sql.rows(store, _OWN, player.id)
        playing = _playing(store, player.id, games)
    for game_id, status, _origin in games:
        if status == "open":
            try:
                lobby.leave(store, player, game_id, now)
            except ServiceError:
                continue  # it has started meanwhile, or is gone: the next look tells
    for game_id in playing:
        try:
            with store.read():
                table = load(store, game_id, reader=player)
            turns.play(store, game_id, player, table.seen_ply(table.seat_of(player)), ["resign"], None, now, rng)
        except ServiceError:
            continue  # somebody was faster


def _erase(store: Store, player_id: str, now: datetime) -> bool:
    """Erase the account in one transaction; False when there is a game again that has to be left first."""
    with store.write():
        # The games are locked before the player, as by everybody who stores a row that refers to both.
        games = sql.rows(store, sql.locking(store, _OWN, "g"), player_id)
        found = sql.row(store, sql.locking(store, _PLAYER), player_id)
        if found is None:
            return True
        name, address, confirmed = found
        if games != sql.rows(store, _OWN, player_id) or _unfinished(store, player_id, games):
            return False
        sql.execute(store, "DELETE FROM game WHERE origin = ? AND creator_id = ?", SANDBOX, player_id)
        _rename_games(store, player_id, name)
        for seat in _own_seats(store, player_id):
            _leave_seat(store, seat)
        _erase_mail(store, player_id, address if confirmed is not None else None)
        # Tokens, vacations, kept answers and mails go with it; messages, records and games lose their author.
        sql.execute(store, "DELETE FROM player WHERE id = ?", player_id)
        audit.note(store, "account_deleted", now, player_id)
        audit.account_gone(store, player_id)
        for game_id, status, _origin in games:
            if status == "running":
                sql.execute(store, "UPDATE game SET version = version + 1 WHERE id = ?", game_id)
                waiting.game_changes(store, game_id)
    return True


def _unfinished(store: Store, player_id: str, games: list[tuple[Any, ...]]) -> bool:
    return any(status == "open" for _game, status, _origin in games) or bool(_playing(store, player_id, games))


# Seats


@dataclass(frozen=True, slots=True)
class _Seat:
    """A seat of the player that keeps its history."""

    row: int
    game_id: str
    seat: int
    name: str


def _own_seats(store: Store, player_id: str) -> list[_Seat]:
    statement = "SELECT id, game_id, seat, name FROM seat WHERE player_id = ? ORDER BY id"
    return [_Seat(*row) for row in sql.rows(store, statement, player_id)]


_OTHERS = "SELECT name FROM seat WHERE game_id = ? AND id <> ? AND name IS NOT NULL"
_LEAVE = """
    UPDATE seat SET player_id = NULL, name = ?, note = NULL, mail = NULL, wants_pause = ? WHERE id = ?"""
# What others branched off bears the names of the game that it left, and so on.
_BRANCHES = """
    SELECT s.id, s.game_id FROM sandbox x JOIN seat s ON s.game_id = x.game_id
    WHERE x.of_game = ? AND s.seat = ? AND s.name = ?"""


def _leave_seat(store: Store, seat: _Seat) -> None:
    taken = [name for (name,) in sql.rows(store, _OTHERS, seat.game_id, seat.row)]
    name = lobby.free_name(FORMER, taken)
    sql.execute(store, _LEAVE, name, False, seat.row)
    sources = [seat.game_id]
    while sources:
        for row, game_id in sql.rows(store, _BRANCHES, sources.pop(), seat.seat, seat.name):
            sql.execute(store, "UPDATE seat SET name = ? WHERE id = ?", name, row)
            sources.append(game_id)


# Names of games


_CREATED = "SELECT id, name FROM game WHERE creator_id = ?"
# A rematch is called as the game before, and somebody of that table opened it.
_ALIKE = """
    SELECT g.id FROM game g JOIN player p ON p.id = g.creator_id
    WHERE g.name = ? AND p.name <> ? AND g.creator_id IN (SELECT player_id FROM seat WHERE game_id = ?)"""
_BRANCHED = "SELECT g.id, g.name FROM sandbox x JOIN game g ON g.id = x.game_id WHERE x.of_game = ?"


def _rename_games(store: Store, player_id: str, name: str) -> None:
    """Take the player's name out of the names of the games that they opened ("Game of Ann"), of the rematches of these
    and of what was branched off them."""
    created = sql.rows(store, _CREATED, player_id)
    seats = {seat.game_id: seat.name for seat in _own_seats(store, player_id)}  # as they were called then
    for game_id, called in created:
        for own in {name, seats.get(game_id, name)}:
            if _without(called, own) != called:
                _rename(store, game_id, called, own)


def _rename(store: Store, first: str, called: str, own: str) -> None:
    left, done = [(first, called)], set()
    while left:
        game_id, present = left.pop()
        if game_id in done:
            continue
        done.add(game_id)
        left += sql.rows(store, _BRANCHED, game_id)
        left += [(other, present) for (other,) in sql.rows(store, _ALIKE, present, own, game_id)]
        sql.execute(store, "UPDATE game SET name = ? WHERE id = ?", _without(present, own), game_id)


# Names of games are cut where they would be too long, and with them the player's name at their end.
_CUT_TO = 12


def _without(called: str, own: str) -> str:
    found = [own, *(own[:length] for length in range(len(own) - 1, _CUT_TO - 1, -1))]
    for part in found:
        changed = re.sub(rf"(?<!\w){re.escape(part)}(?!\w)", FORMER, called)
        if changed != called:
            return changed[:NAME_MAX]
    return called[:NAME_MAX]


# Mail


def _erase_mail(store: Store, player_id: str, address: str | None) -> None:
    """Drop what is there for the player, and what tells who they were. `address` is theirs beyond doubt, or None: what
    goes to an address that was merely claimed may be somebody else's mail."""
    sql.execute(store, "DELETE FROM mail WHERE player_id = ?", player_id)
    sent = sql.rows(store, "SELECT id, game_id, address FROM invitation WHERE inviter_id = ?", player_id)
    for number, game_id, invited in sent:
        key = f"invitation:{game_id}:{links.address_claim(invited)}"
        sql.execute(store, 'UPDATE mail SET data = ? WHERE "key" = ?', canonical_json({"invitation": number}), key)
    sql.execute(store, "DELETE FROM invitation WHERE player_id = ?", player_id)
    if address is not None:
        sql.execute(store, "DELETE FROM invitation WHERE lower(address) = lower(?)", address)
        sql.execute(store, "DELETE FROM mail WHERE lower(address) = lower(?)", address)
