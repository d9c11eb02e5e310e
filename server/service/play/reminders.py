"""Reminders at chosen fractions of a turn and before a vacation ends, and the daily digests. Jobs for the scheduler."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from server.service.common import preferences
from server.service.common.naming import TITLE, with_name
from server.service.games import clock as clocks
from server.service.games import late_mail, loading
from server.service.games.running_time import instant
from server.service.games.saving import change_row, changing, turn_columns
from server.service.outbox import enqueuing, pauses
from server.service.outbox.addressees import HEARS, REACHED
from server.service.outbox.news import Kind, News
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

VACATION_ENDS = timedelta(days=1)  # How long before the end of a vacation its player is told
GAMES_PER_QUERY = 200

# A turn is known by the `end` before it (0: none) and the seat: neither pauses nor vacations change that.
_RUNNING = f"""
    SELECT g.id, g.clock, g.turn_began_at, s.player_id, p.preferences, g.lost_since, g.lost_until, s.mail,
        (SELECT COALESCE(MAX(m.ply), 0) FROM move m
            WHERE m.game_id = g.id AND m.move = 'end' AND m.undone_at IS NULL), g.turn_zone,
        g.extra_seconds
    FROM game g JOIN seat s ON s.game_id = g.id AND s.seat = g.to_move JOIN player p ON p.id = s.player_id
    WHERE g.status = 'running' AND g.deadline > ? AND g.id > ? AND {HEARS}
    ORDER BY g.id LIMIT ?"""  # noqa: S608
_ENDING = f"""
    SELECT v.id, v.player_id, v.ends_at FROM vacation v JOIN player p ON p.id = v.player_id
    WHERE v.starts_at <= ? AND v.ends_at > ? AND v.ends_at <= ? AND {HEARS}
    ORDER BY v.id"""  # noqa: S608


class _Due(NamedTuple):
    """A reminder that is due: the newest one of its turn. `alone`: the player wants no other mail."""

    key: str
    game_id: str
    turn_began_at: str
    player_id: str
    fraction: float
    alone: bool


def run_reminders(store: Store, now: datetime) -> int:
    """Write the reminders that are due, and the notices of vacations that end soon; how many are new. Each fraction of
    a turn is reminded of once, whatever moves the deadline; of several that are due only the last. None while the
    operator has paused all mail. May run in several processes at once."""
    if pauses.by_operator(store) is not None:
        return 0
    return sum(_remind(store, due, now) for due in list(_due(store, now))) + _vacations_ending(store, now)


def _due(store: Store, now: datetime) -> Iterator[_Due]:
    last = ""
    while True:
        with store.read():
            games = sql.rows(store, _RUNNING, utc(now), last, GAMES_PER_QUERY)
            if not games:
                return
            last = games[-1][0]
            candidates = [found for row in games if (found := _begun(row, now)) is not None]
            stops = clocks.suspensions(store, sorted({row[3] for row, _ in candidates}), now)
            reminders = []
            for row, clock in candidates:
                # Suspensions only make the turn longer, so `_begun` has left none out.
                lost = [(parse_utc(row[5]), parse_utc(row[6]))] if row[5] and row[6] else []
                player, wishes = row[3], preferences.read(row[4])
                days, began = clocks.calendar(clock, row[9], player, stops, lost), parse_utc(row[2])
                spent, length = days.elapsed(began, now), clocks.turn_length(clock, days, began, row[10])
                passed = [fraction for fraction in clock.reminders if length * fraction <= spent]
                if passed:
                    key = f"reminder:{row[0]}:{row[8]}:{player}:{passed[-1]}"
                    alone = (row[7] or wishes["mail"]) == "reminders"
                    reminders.append(_Due(key, row[0], row[2], player, passed[-1], alone))
            known = enqueuing.known(store, [reminder.key for reminder in reminders])
        yield from (reminder for reminder in reminders if reminder.key not in known)


def _begun(row: sql.Row, now: datetime) -> tuple[sql.Row, clocks.Clock] | None:
    """The game with its clock, None when no reminder can be due yet."""
    _, stored, turn_began_at, *_ = row
    clock = clocks.read(json.loads(stored))
    if not clock.reminders or parse_utc(turn_began_at) + clock.turn * clock.reminders[0] > now:
        return None
    return row, clock


def _remind(store: Store, due: _Due, now: datetime) -> bool:
    """Write the reminder, unless the player has moved on meanwhile."""
    with changing(store):
        game = loading.for_change(store, due.game_id)
        seat = game.to_move
        if game.status != "running" or seat is None or game.deadline is None:
            return False
        if game.turn_began_at != due.turn_began_at or game.seats[seat].player != due.player_id:
            return False
        deadline = game.deadline
        if game.turn_notice is not None and clocks.refresh(store, game, now):
            change_row(store, game.id, **turn_columns(game))
        if game.deadline != deadline:
            return False  # time was lost: what is left of it is another matter now
        data = {"deadline": deadline, "fraction": due.fraction}
        news = News("reminder", due.player_id, due.key, due.game_id, game.seen_ply(seat), data)
        written = enqueuing.tell(store, [news], now) == 1
        if written and due.alone:
            late_mail.await_later_mail(store, due.game_id, due.key)
        return written


def _vacations_ending(store: Store, now: datetime) -> int:
    with store.read():
        ending = sql.rows(store, _ENDING, utc(now), utc(now), utc(now + VACATION_ENDS))
        due = [
            News("vacation_ending", player, f"vacation_ending:{vacation}", data={"ends_at": ends_at})
            for vacation, player, ends_at in ending
        ]
        known = enqueuing.known(store, [news.key for news in due])
    written = 0
    for news in due:
        if news.key not in known:
            with store.write():
                written += enqueuing.tell(store, [news], now)
    return written


LATE = timedelta(hours=6)
"""A digest that could not be written by then (the server stood still) is left out: the next one has it all."""
PLAYERS_PER_QUERY = 500

# Those who have a game on, or had one a day ago, and want a digest of it or of everything.
_PLAYERS = f"""
    SELECT p.id, p.preferences FROM player p
    WHERE p.id > ? AND {REACHED}
        AND EXISTS (
            SELECT 1 FROM seat s JOIN game g ON g.id = s.game_id
            WHERE s.player_id = p.id AND (g.status = 'running' OR g.finished_at > ?)
                AND (s.mail = 'digest' OR (s.mail IS NULL AND p.preferences LIKE ?))
        )
    ORDER BY p.id LIMIT ?"""  # noqa: S608


# In the order in which all lock several games. By the seats of the player: SQLite follows a CROSS JOIN from left to
# right, and would go through all games that run otherwise.
_THEIR_TURN = """
    SELECT g.id FROM player p CROSS JOIN seat s CROSS JOIN game g
    WHERE p.id = ? AND s.player_id = p.id AND g.id = s.game_id AND g.to_move = s.seat
        AND g.status = 'running' AND g.deadline IS NOT NULL AND g.turn_notice IS NULL
        AND (s.mail = 'digest' OR (s.mail IS NULL AND p.preferences LIKE ?))
    ORDER BY g.id"""


def run_digests(store: Store, now: datetime) -> int:
    """Write the notice of every digest whose hour has come, one a player and local day; how many are new."""
    written, last = 0, ""
    while True:
        with store.read():
            found = sql.rows(
                store, _PLAYERS, last, utc(now - timedelta(days=2)), '%"mail": "digest"%', PLAYERS_PER_QUERY
            )
            if not found:
                return written
            last = found[-1][0]
            due = []
            for player, wishes in found:
                wanted = preferences.read(wishes)
                day, at = newest_digest(wanted["digest_hour"], wanted["time_zone"], now)
                if now - at <= LATE:
                    due.append(News("digest", player, f"digest:{player}:{day}", data={"at": utc(at)}))
            known = enqueuing.known(store, [news.key for news in due])
        for news in due:
            if news.key not in known:
                with store.write():
                    if enqueuing.tell(store, [news], now):
                        written += 1
                        for (game_id,) in sql.rows(store, _THEIR_TURN, news.player, '%"mail": "digest"%'):
                            late_mail.await_later_mail(store, game_id, news.key)


def newest_digest(hour: int, zone: str, now: datetime) -> tuple[date, datetime]:
    """The newest local day whose digest hour is past, and when that was, in UTC: the hour after one that is left out
    where clocks are put forward, the first of one that comes twice."""
    here = ZoneInfo(zone)
    day = now.astimezone(here).date()
    at = instant(datetime.combine(day, time(hour)), here)
    if at > now:
        day -= timedelta(days=1)
        at = instant(datetime.combine(day, time(hour)), here)
    return day, at


class DigestGame(NamedTuple):
    """A game of a digest, with how much was written and played for its reader since the one before."""

    id: str
    name: str
    seat: int
    status: str
    to_move: int | None
    deadline: str | None
    has_started: bool  # since then
    public_ply: int
    messages: int
    played: int


_GAMES = f"""
    SELECT g.id, {TITLE}, s.seat, g.status, g.to_move, g.deadline, g.started_at, g.public_ply, s.mail
    FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.player_id = ? AND (g.status = 'running' OR g.finished_at > ?)
    ORDER BY g.deadline IS NULL, g.deadline, g.created_at, g.id"""  # noqa: S608
COUNTED: tuple[Kind, Kind] = ("message", "played_for_you")
"""What is counted in the outbox, for each game; whose turn it is, and what has begun or ended, the games tell."""
_NEWS = """
    SELECT game_id, kind, count(*) FROM mail
    WHERE player_id = ? AND created_at > ? AND created_at <= ? AND kind IN (?, ?)
    GROUP BY game_id, kind"""


def digest_contents(store: Store, player_id: str, mode: str, at: datetime) -> list[DigestGame]:
    """The games of which a player wants the digest of `at`: running ones, and those that ended the day before."""
    since = utc(at - timedelta(days=1))
    with store.read():
        games = [with_name(game) for game in sql.dicts(store, _GAMES, player_id, since)]
        news = {
            (game, kind): number for game, kind, number in sql.rows(store, _NEWS, player_id, since, utc(at), *COUNTED)
        }
    return [
        DigestGame(
            game["id"],
            game["name"],
            game["seat"],
            game["status"],
            game["to_move"],
            game["deadline"],
            bool(game["started_at"]) and game["started_at"] > since,
            game["public_ply"],
            news.get((game["id"], "message"), 0),
            news.get((game["id"], "played_for_you"), 0),
        )
        for game in games
        if (game["mail"] or mode) == "digest"
    ]
