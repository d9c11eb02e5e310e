"""Finding a game or an account, and what the operator is shown of it.

Of a game that is what a spectator sees of it, and who sits there: no hand, no seed, no hidden draw, no invitation. Of
an account it is the address, and how many ways in there are; no token and no hash of one.
"""

from __future__ import annotations

import re
from typing import NamedTuple, TypedDict, cast

from server.service.common.errors import NotFound
from server.service.common.naming import TITLE, title_of
from server.storage import sql
from server.storage.database import Store

LISTED = 20
"""So many games and so many accounts are listed at most."""


class FoundAccount(TypedDict):
    """An account in a list."""

    id: str
    name: str
    email: str | None
    banned_at: str | None
    created_at: str


class FoundGame(TypedDict):
    """A game in a list."""

    id: str
    name: str
    status: str
    created_at: str


class Found(NamedTuple):
    """What fits a word."""

    accounts: list[FoundAccount]
    games: list[FoundGame]


_ACCOUNTS = """
    SELECT p.id, p.name, p.email, p.banned_at, p.created_at FROM player p
    LEFT JOIN bot_account b ON b.player_id = p.id
    WHERE p.id = ? OR lower(p.email) = lower(?) OR b.handle = ? OR lower(p.name) LIKE lower(?) ESCAPE '!'
    ORDER BY CASE WHEN p.id = ? OR lower(p.email) = lower(?) THEN 0 ELSE 1 END, p.created_at DESC, p.id LIMIT ?"""
_GAMES = f"""
    SELECT {TITLE}, g.id, g.status, g.created_at FROM game g
    WHERE g.id = ? OR lower(g.name) LIKE lower(?) ESCAPE '!'
    ORDER BY CASE WHEN g.id = ? THEN 0 ELSE 1 END, g.created_at DESC, g.id LIMIT ?"""  # noqa: S608


def find(store: Store, word: str) -> Found:
    """The accounts whose id, mail address or handle (with its @ or without) `word` is, or whose name it is in; the
    games whose id it is, or in whose name it is. The newest first, `LISTED` of each at most."""
    word = word.strip()
    within = f"%{re.sub('[!%_]', lambda sign: '!' + sign[0], word)}%"
    with store.read():
        accounts = sql.dicts(store, _ACCOUNTS, word, word, word.removeprefix("@"), within, word, word, LISTED)
        games = sql.rows(store, _GAMES, word, within, word, LISTED)
    return Found(
        cast("list[FoundAccount]", accounts),
        [
            {"id": game_id, "name": title_of(*title)[1], "status": status, "created_at": created_at}
            for *title, game_id, status, created_at in games
        ],
    )


class SeatOfGame(TypedDict):
    """Who sits where. `player` is None for bots of the house, and where an account is gone."""

    seat: int
    player: str | None
    name: str | None
    bot: str | None
    autopilot: bool
    wants_pause: bool


class ShownGame(FoundGame):
    """A game for the operator's eyes."""

    ruleset: str
    private: bool
    started_at: str | None
    finished_at: str | None
    ply: int
    """As spectators see it."""
    to_move: int | None
    has_clock: bool
    deadline: str | None
    paused_at: str | None
    held: bool
    bot_due: str | None
    """Since when a bot's turn is due."""
    waiting_mails: int
    seats: list[SeatOfGame]


_GAME = f"""
    SELECT {TITLE}, g.id, g.status, g.created_at, g.ruleset, g.private, g.started_at, g.finished_at, g.public_ply,
        g.to_move, g.clock IS NOT NULL, g.deadline, g.paused_at, g.held,
        (SELECT due_at FROM bot_turn b WHERE b.game_id = g.id),
        (SELECT count(*) FROM mail m WHERE m.game_id = g.id AND m.state IN ('pending', 'sending', 'dead'))
    FROM game g WHERE g.id = ?"""  # noqa: S608
_SEATS = "SELECT seat, player_id, name, bot, autopilot, wants_pause FROM seat WHERE game_id = ? ORDER BY seat"


def game(store: Store, game_id: str) -> ShownGame:
    """A game. Raises `NotFound`."""
    with store.read():
        found = sql.row(store, _GAME, game_id)
        seats = sql.rows(store, _SEATS, game_id)
    if found is None:
        raise NotFound(f"there is no game {game_id}; `ulm admin find` looks for a part of its name")
    title, (number, status, created_at, ruleset, private, started_at, finished_at, *clock, due, mails) = (
        found[:5],
        found[5:],
    )
    ply, to_move, has_clock, deadline, paused_at, held = clock
    return {
        "id": number,
        "name": title_of(*title)[1],
        "status": status,
        "created_at": created_at,
        "ruleset": ruleset,
        "private": bool(private),
        "started_at": started_at,
        "finished_at": finished_at,
        "ply": ply,
        "to_move": to_move,
        "has_clock": bool(has_clock),
        "deadline": deadline,
        "paused_at": paused_at,
        "held": bool(held),
        "bot_due": due,
        "waiting_mails": mails,
        "seats": [
            {
                "seat": seat,
                "player": player,
                "name": name,
                "bot": bot,
                "autopilot": bool(autopilot),
                "wants_pause": bool(wants_pause),
            }
            for seat, player, name, bot, autopilot, wants_pause in seats
        ],
    }


class ShownAccount(FoundAccount):
    """An account for the operator's eyes."""

    confirmed_at: str | None
    mail_stopped_at: str | None
    mail_stopped_why: str | None
    owner: str | None
    """Of a bot's account, whose it is."""
    bots: list[str]
    """The handles of its bots."""
    tokens: int
    sessions: int
    games: list[tuple[str, str, int]]
    """Those that are not over: id, status, seat."""


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


def account(store: Store, player_id: str) -> ShownAccount:
    """An account. Raises `NotFound`."""
    with store.read():
        found = sql.dicts(store, _ACCOUNT, player_id)
        bots = [handle for (handle,) in sql.rows(store, _BOTS, player_id)]
        games = [(game_id, status, seat) for game_id, status, seat in sql.rows(store, _PLAYING, player_id)]
    if not found:
        raise NotFound(f"there is no account {player_id}; `ulm admin find` looks for its name or address")
    return cast("ShownAccount", {**found[0], "bots": bots, "games": games})
