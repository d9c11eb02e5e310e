"""What a player's page says: of the finished games that its reader may see, and of no others.

Who keeps their page `private` is nobody to strangers; who has sat with them reads what they played together. A bot of
the house has a page under its name, with what its reader has played against it."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Annotated, NamedTuple, TypedDict
from zoneinfo import ZoneInfo

import orjson

from server.engine.ulm1.shapes import JsonSchema
from server.language import gettext as _
from server.service.accounts import contacts
from server.service.accounts.bot_rules import VARIANTS
from server.service.accounts.contacts import ContactKind
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.errors import bad_field
from server.service.games import bots, listing_keys
from server.service.lists import game_lists, list_pages
from server.storage import sql
from server.storage.database import Store

NEWEST = 5000
"""Of so many of somebody's newest games the results are counted."""
HOURS = 3
"""So many hours of the day are one in `hours`."""
_LATELY = 50  # games whose moves tell when somebody plays
_FEW = 10  # hours in which they have moved, at least: of fewer it is not told
FOUND = 20
SHORTEST = 2
AGAINST = ("people", "bots")


class FoundPlayer(TypedDict):
    """Somebody with an account."""

    player: Annotated[str, "Id."]
    name: str
    bot_of: Annotated[str | None, "What the owner of a bot is called; null for people."]


class Results(TypedDict):
    """What games of one kind came to."""

    seats: int
    variant: Annotated[str, JsonSchema(enum=VARIANTS)]
    against: Annotated[str, "Whether other people played, too.", JsonSchema(enum=AGAINST)]
    games: int
    won: Annotated[int, "Shared wins count."]


class Together(TypedDict):
    """What the games of the caller and the player came to."""

    games: int
    won: Annotated[int, "By the caller; shared wins count for both."]
    lost: Annotated[int, "Won by the player."]


class PlayerPage(TypedDict):
    """A player, as far as the caller may know."""

    player: Annotated[str, "Id; of a bot of the house its name."]
    name: str
    bot: Annotated[str | None, "By which name it is seated, with @ one that has an account; null for people."]
    bot_of: Annotated[str | None, "What the owner of a bot with an account is called."]
    private: Annotated[bool, "The page is shown to those who have sat with the player, and tells of these games alone."]
    contact: Annotated[ContactKind | None, "What the player is to the caller, who alone knows it."]
    results: Annotated[list[Results], "Of the finished games that the caller may see; none of a bot of the house."]
    together: Annotated[Together | None, "null where there is no game, and of the caller."]
    hours: Annotated[
        list[int] | None,
        "When the player usually moves: for each three hours of the day, from midnight on, in how many hours they did "
        "so lately, in percent of all. null where too little is known.",
    ]
    time_zone: Annotated[str, "In which these hours are: the caller's."]


_PLAYER = f"""
    SELECT p.id, p.name, b.handle, o.name, p.found_as IS NULL FROM player p
    LEFT JOIN bot_account b ON b.player_id = p.id LEFT JOIN player o ON o.id = b.owner_id
    WHERE p.id = ? AND (p.id = ? OR {contacts.KNOWN})"""  # noqa: S608


def page(store: Store, player_id: str, reader: Player | None) -> PlayerPage:
    """The page of a player, or of a bot of the house by its name, for `reader` (None: a stranger). Raises `NotFound`,
    also of who wishes not to be found."""
    own = "" if reader is None else reader.id
    zone = "UTC" if reader is None else reader.preferences["time_zone"]
    with store.read():
        if player_id in bots.names():
            together = _together(store, own, "o.bot = ?", player_id)
            return PlayerPage(
                player=player_id, name=bots.seat_name(player_id), bot=player_id, bot_of=None, private=False,
                contact=None, results=[], together=together, hours=None, time_zone=zone,
            )  # fmt: skip
        found = sql.row(store, _PLAYER, checks.text("player", player_id, 32), own, own)
        if found is None:
            raise contacts.no_such_player()
        number, name, handle, owner, private = found
        return {
            "player": number,
            "name": name,
            "bot": None if handle is None else f"@{handle}",
            "bot_of": owner,
            "private": bool(private),
            "contact": contacts.kind_of(store, own, number),
            "results": _results(store, number, reader),
            "together": None if own == number else _together(store, own, "o.player_id = ?", number),
            "hours": None if handle is not None else _hours(store, number, reader, ZoneInfo(zone)),
            "time_zone": zone,
        }


_RESULTS = f"""
    SELECT k.seats, k.tower, k.people, COUNT(*), SUM(k.won) FROM (
        SELECT g.seats, g.tower, CASE WHEN m.won THEN 1 ELSE 0 END AS won,
            CASE WHEN EXISTS (
                SELECT 1 FROM seat o LEFT JOIN bot_account b ON b.player_id = o.player_id
                WHERE o.game_id = g.id AND o.seat <> m.seat AND o.bot IS NULL AND b.handle IS NULL
            ) THEN 1 ELSE 0 END AS people
        FROM (
            SELECT s.game_id, s.seat, s.won FROM seat s WHERE s.player_id = ? AND s.listed = 'finished'
            ORDER BY s.finished_at DESC, s.game_id LIMIT {NEWEST}) m
        CROSS JOIN game g WHERE g.id = m.game_id AND g.unplayed = ? AND {{seen}}) k
    GROUP BY k.seats, k.tower, k.people ORDER BY k.seats, k.tower, k.people DESC"""  # noqa: S608


def _results(store: Store, player_id: str, reader: Player | None) -> list[Results]:
    seen = game_lists.visible(reader, player_id, statuses=("finished",))
    statement = _RESULTS.format(seen=" AND ".join(seen.conditions) or "1 = 1")
    return [
        {"seats": seats, "variant": VARIANTS[bool(tower)], "against": AGAINST[not people], "games": games, "won": won}
        for seats, tower, people, games, won in sql.rows(store, statement, player_id, False, *seen.values)
    ]


_TOGETHER = """
    SELECT COUNT(*), SUM(k.won), SUM(k.lost) FROM (
        SELECT m.game_id, MAX(CASE WHEN m.won THEN 1 ELSE 0 END) AS won, MAX(CASE WHEN o.won THEN 1 ELSE 0 END) AS lost
        FROM seat m JOIN game g ON g.id = m.game_id JOIN seat o ON o.game_id = m.game_id
        WHERE m.player_id = ? AND m.listed = 'finished' AND g.unplayed = ? AND {whose} GROUP BY m.game_id) k"""


def _together(store: Store, own: str, whose: str, other: str) -> Together | None:
    """What the games of two came to, in which seat `o` is the other's."""
    [(games, won, lost)] = sql.rows(store, _TOGETHER.format(whose=whose), own, False, other)
    return {"games": games, "won": won, "lost": lost} if games else None


_MOVED = """
    SELECT DISTINCT substr(v.played_at, 1, 13) FROM move v JOIN seat s ON s.game_id = v.game_id AND s.seat = v.seat
    WHERE s.player_id = ? AND v.automatic = ? AND v.game_id IN """


def _hours(store: Store, player_id: str, reader: Player | None, zone: ZoneInfo) -> list[int] | None:
    """When somebody moved in the newest of the games that the reader sees, whose logs are not packed yet: an hour with
    twenty moves counts as one with a single move does."""
    seen = game_lists.visible(reader, player_id, statuses=("finished",), kinds=(listing_keys.PLAYED,))
    games, _total = list_pages.page(store, seen, list_pages.LAST_OVER, 1, _LATELY)
    moved = [hour for (hour,) in sql.rows(store, _MOVED + sql.marks(games), player_id, False, *games) if hour]
    if len(moved) < _FEW:
        return None
    counts = [0] * (24 // HOURS)
    for hour in moved:
        counts[datetime.fromisoformat(f"{hour}:00+00:00").astimezone(zone).hour // HOURS] += 1
    return [round(100 * count / len(moved)) for count in counts]


class Figures(NamedTuple):
    """What the newest games of a player tell, of those that the reader may see."""

    games: int
    quarters: dict[str, int]
    """In how many of them they had a seal in each quarter in the end, the most frequent first."""
    luck: list[tuple[str, float, float]]
    """Of those that were analysed, oldest first: when it ended, what luck and what own errors did to their chance."""


_ROWS = (
    "SELECT t.rows, s.seat FROM tally t JOIN seat s ON s.game_id = t.game_id WHERE s.player_id = ? AND t.game_id IN "
)
_ANALYSED = """
    SELECT g.finished_at, a.data, s.seat FROM analysis a JOIN seat s ON s.game_id = a.game_id
    JOIN game g ON g.id = a.game_id
    WHERE s.player_id = ? AND a.data IS NOT NULL AND a.game_id IN {marks} ORDER BY g.finished_at, g.id"""


def figures(store: Store, player_id: str, reader: Player | None) -> Figures:
    """The figures of a player whom the reader may know (`page`)."""
    seen = game_lists.visible(reader, player_id, statuses=("finished",), kinds=(listing_keys.PLAYED,))
    with store.read():
        games, _total = list_pages.page(store, seen, list_pages.LAST_OVER, 1, _LATELY)
        counted = [
            row
            for text, seat in sql.rows(store, _ROWS + sql.marks(games), player_id, *games)
            for row in orjson.loads(text)
            if row["seat"] == seat
        ]
        analysed = sql.rows(store, _ANALYSED.format(marks=sql.marks(games)), player_id, *games)
    sealed = Counter(name for row in counted for name in row.get("sealed", ()))
    own = [(ended, orjson.loads(data)["seats"][seat]) for ended, data, seat in analysed]
    return Figures(len(counted), dict(sealed.most_common()), [(at, one["luck"], one["error"]) for at, one in own])


_FIND = f"""
    SELECT p.id AS player, p.name, o.name AS bot_of FROM player p
    LEFT JOIN bot_account b ON b.player_id = p.id LEFT JOIN player o ON o.id = b.owner_id
    WHERE p.found_as >= ? AND p.found_as < ? AND p.banned_at IS NULL AND (
        b.handle IS NOT NULL OR {contacts.TOGETHER} OR EXISTS (
            SELECT 1 FROM seat s JOIN game g ON g.id = s.game_id
            WHERE s.player_id = p.id AND g.origin = 'played' AND {list_pages.PUBLIC}))
    ORDER BY p.found_as, p.id LIMIT {FOUND}"""  # noqa: S608


def find(store: Store, name: object, reader: Player | None) -> list[FoundPlayer]:
    """The first players whose names begin so, whatever its case: bots, those who have played in a game that all may
    see, or with the reader; not who wishes not to be found. Raises `Unprocessable`."""
    wanted = checks.folded(checks.text("name", name, checks.NAME_MAX).strip())
    if len(wanted) < SHORTEST:
        raise bad_field("name", _("give at least %(number)s characters of a name", number=SHORTEST))
    own = "" if reader is None else reader.id
    with store.read():
        found = sql.dicts(store, _FIND, wanted, wanted + "\U0010ffff", own, *list_pages.PUBLIC_VALUES)
    return [FoundPlayer(player=one["player"], name=one["name"], bot_of=one["bot_of"]) for one in found]
