"""Deleting an account: its games stay, for they belong to the others too; the name, the address and all else go. And
deleting games that nobody played.

Every game that is not over is left, each in a transaction of its own: an open one by giving the seat back, a running
one by `resign`. Then one transaction erases the account. What fails leaves an account that works and can be deleted."""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from server.engine.canonical import canonical_json
from server.language import gettext as _
from server.service.accounts import bot_accounts, links, stored_bytes
from server.service.accounts.players import Player, player_by_id, require_in
from server.service.common import audit_log, naming
from server.service.common.errors import Conflict, ServiceError
from server.service.contests import tournaments
from server.service.games import loading
from server.service.games.model import SANDBOX
from server.service.games.saving import change_row
from server.service.play import turns
from server.service.seating import joining, seats
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

TRIES = 5
UNPLAYED_AT_ONCE = 2000  # games that one run of the job takes away at most, each in a transaction of its own


class Consequences(NamedTuple):
    """What deleting the account would end: how many open games are left, how many running ones are resigned, and how
    many sandboxes are thrown away. `over` is how many games that are over keep the seat, without the name."""

    open: int
    running: int
    sandboxes: int
    over: int


_OWN = """
    SELECT g.id, g.status, g.origin FROM game g JOIN seat s ON s.game_id = g.id
    WHERE s.player_id = ? ORDER BY g.id"""
_PLAYER = "SELECT email, email_confirmed_at FROM player WHERE id = ?"


def consequences(store: Store, player: Player) -> Consequences:
    """What `delete_account` would do to the player's games."""
    with store.read():
        games = sql.rows(store, _OWN, player.id)
        playing = _playing(store, player, games)
    played = [status for _game, status, origin in games if origin != SANDBOX]
    return Consequences(
        open=played.count("open"),
        running=len(playing),
        sandboxes=len(games) - len(played),
        over=len(played) - played.count("open") - len(playing),
    )


def delete_account(store: Store, player: Player, now: datetime, rng: random.Random | None = None) -> list[str]:
    """Leave what is not over and erase the account and its bots; one that is gone already is left in peace.

    `rng` is the chance of the bots, which play on. Returns the keys of the notices that went with it: their mails may
    still lie in files. Raises `Conflict` when somebody joined games with this account again and again; then it is there
    still. Raises `AccessEndedError`."""
    before: list[str] = []
    with store.write():
        if sql.row(store, _PLAYER, player.id) is not None:
            require_in(store, player)
    for _attempt in range(TRIES):
        for bot in _bots(store, player):
            before += delete_account(store, bot, now, rng)
        _leave_open_tournaments(store, player, now)
        _leave_games(store, player, now, rng)
        gone = _erase(store, player, now)
        if gone is not None:
            return before + gone
    raise Conflict(_("your games have changed in the meantime: try again"))


def delete_bot(store: Store, owner: Player, handle: str, now: datetime, rng: random.Random | None = None) -> list[str]:
    """Delete a bot of that owner, as an account is deleted. Returns the same; raises `NotFound` and `Conflict`."""
    with store.write():
        require_in(store, owner)
        bot = bot_accounts.account(store, owner, handle)
    return delete_account(store, bot, now, rng)


_BOTS = "SELECT player_id FROM bot_account WHERE owner_id = ? ORDER BY player_id"


def _bots(store: Store, owner: Player) -> list[Player]:
    ids = [player_id for (player_id,) in sql.rows(store, _BOTS, owner.id)]
    return [found for found in (player_by_id(store, one) for one in ids) if found is not None]


def _playing(store: Store, player: Player, games: list[sql.Row]) -> list[str]:
    """Those running games, sandboxes left out, in which the player has not resigned; inside a transaction."""
    found = []
    for game_id, status, origin in games:
        if status == "running" and origin != SANDBOX:
            game = loading.for_reader(store, game_id, player)
            seat = game.seat_of(player)
            if seat is not None and game.status == "running" and not game.position.players[seat].resigned:
                found.append(game_id)
    return found


def _leave_games(store: Store, player: Player, now: datetime, rng: random.Random | None) -> None:
    with store.read():
        games = sql.rows(store, _OWN, player.id)
        playing = _playing(store, player, games)
    for game_id, status, _origin in games:
        if status == "open":
            with suppress(ServiceError):  # it has started meanwhile, or is gone: the next look tells
                joining.leave(store, player, game_id, now)
    for game_id in playing:
        with suppress(ServiceError):  # somebody was faster
            with store.read():
                game = loading.for_reader(store, game_id, player)
            turns.play(store, game_id, player, game.seen_ply(game.seat_of(player)), ["resign"], None, now, rng)


_OPEN_TOURNAMENTS = """
    SELECT t.id, t.organiser_id, e.number FROM tournament t
    LEFT JOIN tournament_entry e ON e.tournament_id = t.id AND e.player_id = ?
    WHERE t.status = 'open' AND (t.organiser_id = ? OR e.number IS NOT NULL) ORDER BY t.id"""


def _leave_open_tournaments(store: Store, player: Player, now: datetime) -> None:
    """Give the player's places back in those that have not begun, and call off those that nobody else could start."""
    for tournament_id, organiser, number in sql.rows(store, _OPEN_TOURNAMENTS, player.id, player.id):
        with suppress(ServiceError):  # it has begun meanwhile
            if number is not None:
                tournaments.leave(store, player, tournament_id, number, now)
            if organiser == player.id:
                tournaments.call_off(store, player, tournament_id, now)


def _erase(store: Store, player: Player, now: datetime) -> list[str] | None:
    """Erase the account in one transaction; None when there is a game again that has to be left first."""
    with store.write():
        # The games are locked before the player, as by everybody who stores a row that refers to both.
        games = sql.rows(store, sql.locking(store, _OWN, "g"), player.id)
        found = sql.row(store, sql.locking(store, _PLAYER), player.id)
        if found is None:
            return []
        require_in(store, player)
        address, confirmed = found
        changed = games != sql.rows(store, _OWN, player.id) or sql.row(store, _BOTS, player.id) is not None
        if changed or _unfinished(store, player, games):
            return None
        sql.execute(store, "DELETE FROM game WHERE origin = ? AND creator_id = ?", SANDBOX, player.id)
        _leave_seats(store, player.id)
        _leave_tournaments(store, player.id)
        gone = _erase_mail(store, player.id, address if confirmed is not None else None)
        # Tokens, vacations, kept answers, channels and mails go with it; messages, records and games lose their author,
        # and the server's titles whom they name. Titles and messages that people wrote are not searched for names.
        sql.execute(store, "DELETE FROM served WHERE asker = ?", player.id)
        sql.execute(store, "UPDATE analysis SET asker = NULL WHERE wanted_at IS NOT NULL AND asker = ?", player.id)
        sql.execute(store, "DELETE FROM player WHERE id = ?", player.id)
        audit_log.note(store, "account_deleted", now, player.id)
        audit_log.account_gone(store, player.id)
        for game_id, status, _origin in games:
            if status == "running":
                change_row(store, game_id)
    return gone


def _unfinished(store: Store, player: Player, games: list[sql.Row]) -> bool:
    return any(status == "open" for _game, status, _origin in games) or bool(_playing(store, player, games))


# Names


_SEATS = "SELECT s.id, s.game_id FROM seat s WHERE s.player_id = ? OR s.named_after_id = ? ORDER BY s.id"
_OTHERS = "SELECT name FROM seat WHERE game_id = ? AND id <> ? AND name IS NOT NULL"
_LEAVE = """
    UPDATE seat SET player_id = NULL, note = NULL, mail = NULL, push = NULL, webhook = NULL, read_message = 0,
        wants_pause = ?
    WHERE player_id = ?"""
_RENAME = "UPDATE seat SET name = ?, name_kind = ?, named_after_id = NULL WHERE id = ?"


def _leave_seats(store: Store, player_id: str) -> None:
    """The player's seats keep their history without the name; so do those of sandboxes that bear it."""
    for row, game_id in sql.rows(store, _SEATS, player_id, player_id):
        taken = [name for (name,) in sql.rows(store, _OTHERS, game_id, row)]
        name = seats.free_name(naming.server_name(naming.GONE), taken)
        sql.execute(store, _RENAME, name, naming.GONE, row)
    sql.execute(store, _LEAVE, False, player_id)


_ENTERED = "SELECT id, tournament_id FROM tournament_entry WHERE player_id = ? ORDER BY id"
_ENTRANTS = "SELECT name FROM tournament_entry WHERE tournament_id = ? AND id <> ?"
_LEAVE_PLACE = """
    UPDATE tournament_entry SET player_id = NULL, name = ?, name_kind = ?, left_at = NULL WHERE id = ?"""


def _leave_tournaments(store: Store, player_id: str) -> None:
    """The player's places in tournaments stay without the name; while one is under way, the stand-in has it."""
    for row, tournament_id in sql.rows(store, _ENTERED, player_id):
        taken = [name for (name,) in sql.rows(store, _ENTRANTS, tournament_id, row)]
        name = seats.free_name(naming.server_name(naming.GONE), taken)
        sql.execute(store, _LEAVE_PLACE, name, naming.GONE, row)


# Mail


_TAKEN = "DELETE FROM invitation WHERE player_id = ? OR invited_id = ? RETURNING id"


def _erase_mail(store: Store, player_id: str, address: str | None) -> list[str]:
    """Drop what is there for the player, and what tells who they were; return the keys of the notices. `address` is
    theirs beyond doubt, or None: what goes to an address that was merely claimed may be somebody else's mail."""
    sent = sql.rows(store, "SELECT id, game_id, address FROM invitation WHERE inviter_id = ?", player_id)
    keys = [f"invitation:{game_id}:{links.address_claim(invited)}" for _number, game_id, invited in sent]
    # Before any is changed, and by number: deliveries lock several of them, too.
    concerned = f'player_id = ? OR "key" IN {sql.marks(keys)} OR lower(address) = lower(CAST(? AS VARCHAR))'
    sql.lock_in_order(store, "mail", concerned, player_id, *keys, address)
    gone = sql.rows(store, 'DELETE FROM mail WHERE player_id = ? RETURNING "key"', player_id)
    for (number, _game, _invited), key in zip(sent, keys, strict=True):
        sql.execute(store, 'UPDATE mail SET data = ? WHERE "key" = ?', canonical_json({"invitation": number}), key)
    taken = sql.rows(store, _TAKEN, player_id, player_id)
    if address is not None:
        taken += sql.rows(store, "DELETE FROM invitation WHERE lower(address) = lower(?) RETURNING id", address)
        gone += sql.rows(store, 'DELETE FROM mail WHERE lower(address) = lower(?) RETURNING "key"', address)
    links.forget_invitations(store, [number for (number,) in taken])
    return [key for (key,) in gone]


# Games resigned at once, before as many turns ended as there are seats: in no public list or statistic


_UNPLAYED = """
    SELECT g.id FROM game g WHERE g.unplayed = ? AND g.origin = 'played' AND g.finished_at < ?
    AND NOT EXISTS (SELECT 1 FROM tournament_game x WHERE x.game_id = g.id) ORDER BY g.finished_at, g.id LIMIT ?"""


def unplayed_games(store: Store, before: datetime) -> int:
    """Delete those that ended before that time, with all that hangs on them, but imported ones, and those of
    tournaments, where they count; how many."""
    found = sql.rows(store, _UNPLAYED, True, utc(before), UNPLAYED_AT_ONCE)
    for number, (game_id,) in enumerate(found):
        if store.closing.is_set():
            return number
        with store.write():
            stored_bytes.game_gone(store, game_id)
            sql.execute(store, "DELETE FROM game WHERE id = ?", game_id)
    return len(found)
