"""Finding a game or an account, and what the operator is shown: what a spectator sees, addresses and counts; no hand,
seed, hidden draw, invitation or token."""

from __future__ import annotations

import re
from typing import NamedTuple

from server.service.common.errors import NotFound
from server.service.common.naming import TITLE, with_name
from server.storage import sql
from server.storage.database import Store

Shown = sql.ByName
"""What is shown of a game or an account, by name."""
LISTED = 20
"""So many games and so many accounts are listed at most."""


class Found(NamedTuple):
    """What fits a word."""

    accounts: list[Shown]  # id, name, email, banned_at, created_at
    games: list[Shown]  # id, name, status, created_at


_ACCOUNTS = """
    SELECT p.id, p.name, p.email, p.banned_at, p.created_at FROM player p
    LEFT JOIN bot_account b ON b.player_id = p.id
    WHERE p.id = ? OR lower(p.email) = lower(?) OR b.handle = ? OR lower(p.name) LIKE lower(?) ESCAPE '!'
    ORDER BY CASE WHEN p.id = ? OR lower(p.email) = lower(?) THEN 0 ELSE 1 END, p.created_at DESC, p.id LIMIT ?"""
_GAMES = f"""
    SELECT g.id, {TITLE}, g.status, g.created_at FROM game g
    WHERE g.id = ? OR lower(g.name) LIKE lower(?) ESCAPE '!'
    ORDER BY CASE WHEN g.id = ? THEN 0 ELSE 1 END, g.created_at DESC, g.id LIMIT ?"""  # noqa: S608


def find(store: Store, word: str) -> Found:
    """The accounts whose id, mail address or handle (with its @ or without) `word` is, or whose name it is in; the
    games whose id it is, or in whose name it is. The newest first, `LISTED` of each at most."""
    word = word.strip()
    within = f"%{re.sub('[!%_]', lambda sign: '!' + sign[0], word)}%"
    with store.read():
        accounts = sql.dicts(store, _ACCOUNTS, word, word, word.removeprefix("@"), within, word, word, LISTED)
        games = sql.dicts(store, _GAMES, word, within, word, LISTED)
    return Found(accounts, [with_name(game) for game in games])


_GAME = f"""
    SELECT g.id, {TITLE}, g.status, g.created_at, g.ruleset, g.private, g.started_at, g.finished_at,
        g.public_ply AS ply, g.to_move, g.clock IS NOT NULL AS has_clock, g.deadline, g.paused_at, g.held,
        (SELECT due_at FROM bot_turn b WHERE b.game_id = g.id) AS bot_due,
        (SELECT count(*) FROM mail m WHERE m.game_id = g.id AND m.state IN ('pending', 'sending', 'dead'))
            AS waiting_mails
    FROM game g WHERE g.id = ?"""  # noqa: S608
_SEATS = """
    SELECT seat, player_id AS player, name, bot, autopilot, wants_pause FROM seat WHERE game_id = ? ORDER BY seat"""
_FLAGS = {"private", "has_clock", "held", "autopilot", "wants_pause"}


def game(store: Store, game_id: str) -> Shown:
    """A game as spectators see it, with `seats`; `bot_due` is since when a bot's turn is due. Raises `NotFound`."""
    with store.read():
        found = sql.dicts(store, _GAME, game_id)
        seats = sql.dicts(store, _SEATS, game_id)
    if not found:
        raise NotFound(f"there is no game {game_id}; `ulm admin find` looks for a part of its name")
    shown = {**with_name(found[0]), "seats": seats}
    for row in (shown, *seats):
        row.update({name: bool(row[name]) for name in _FLAGS & row.keys()})
    return shown


_ACCOUNT = """
    SELECT p.id, p.name, p.email, p.banned_at, p.created_at, p.email_confirmed_at AS confirmed_at, p.mail_stopped_at,
        p.mail_stopped_why, (SELECT owner_id FROM bot_account b WHERE b.player_id = p.id) AS owner,
        (SELECT count(*) FROM token t WHERE t.player_id = p.id AND t.revoked_at IS NULL) AS tokens,
        (SELECT count(*) FROM session s WHERE s.player_id = p.id) AS sessions
    FROM player p WHERE p.id = ?"""
_BOTS = "SELECT handle FROM bot_account WHERE owner_id = ? ORDER BY handle"
_PLAYING = """
    SELECT g.id, g.status, s.seat FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.player_id = ? AND g.status IN ('open', 'running') ORDER BY g.created_at DESC, g.id"""


def account(store: Store, player_id: str) -> Shown:
    """An account, the columns of `_ACCOUNT`, the handles of its `bots`, and id, status and seat of its `games` that are
    not over; `owner` is whose it is, of a bot's account. Raises `NotFound`."""
    with store.read():
        found = sql.dicts(store, _ACCOUNT, player_id)
        bots = [handle for (handle,) in sql.rows(store, _BOTS, player_id)]
        games = sql.rows(store, _PLAYING, player_id)
    if not found:
        raise no_account(player_id)
    return {**found[0], "bots": bots, "games": games}


def no_account(player_id: str) -> NotFound:
    """The refusal of an id that no account has."""
    return NotFound(f"there is no account {player_id}; `ulm admin find` looks for its name or address")
