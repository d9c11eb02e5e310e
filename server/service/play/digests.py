"""The daily digest: which players are due one, and what is in it, which is found when it is sent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from server.service.common import preferences
from server.service.common.naming import TITLE, with_name
from server.service.games import turn_notices
from server.service.games.running_time import instant
from server.service.outbox import enqueuing
from server.service.outbox.addressees import REACHED
from server.service.outbox.news import Kind, News
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

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
    """Write the notice of every digest whose hour has come, one for each player and local day; how many are new. May
    run in several processes at once."""
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
                day, at = newest(wanted["digest_hour"], wanted["time_zone"], now)
                if now - at <= LATE:
                    due.append(News("digest", player, f"digest:{player}:{day}", data={"at": utc(at)}))
            known = enqueuing.known(store, [news.key for news in due])
        for news in due:
            if news.key not in known:
                with store.write():
                    if enqueuing.tell(store, [news], now):
                        written += 1
                        for (game_id,) in sql.rows(store, _THEIR_TURN, news.player, '%"mail": "digest"%'):
                            turn_notices.await_later_mail(store, game_id, news.key)


def newest(hour: int, zone: str, now: datetime) -> tuple[date, datetime]:
    """The newest local day whose digest hour is past, and when that was, in UTC: the hour after one that is left out
    where clocks are put forward, the first of one that comes twice."""
    here = ZoneInfo(zone)
    day = now.astimezone(here).date()
    at = instant(datetime.combine(day, time(hour)), here)
    if at > now:
        day -= timedelta(days=1)
        at = instant(datetime.combine(day, time(hour)), here)
    return day, at


@dataclass(frozen=True, slots=True)
class Game:
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


def contents(store: Store, player_id: str, mode: str, at: datetime) -> list[Game]:
    """The games of which a player wants the digest of `at`: those that run, and those that ended in the day before it.
    `mode` is the wish for games without one of their own."""
    since = utc(at - timedelta(days=1))
    with store.read():
        games = [with_name(game) for game in sql.dicts(store, _GAMES, player_id, since)]
        news = {
            (game, kind): number for game, kind, number in sql.rows(store, _NEWS, player_id, since, utc(at), *COUNTED)
        }
    return [
        Game(
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
