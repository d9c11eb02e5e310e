"""The deal of the day: one for each day in UTC, which everybody plays once, at the first seat, against the journeyman.

Whoever has not played theirs to its end is told how many have, and nothing of how they did. When the day is over, the
deal is revealed, and who has beaten how much of the field is kept with the games: months are made of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, NamedTuple, TypedDict

import orjson

from replays import deals as rule
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.shapes import Options, UtcTime
from server.language import gettext as _
from server.service.accounts import bot_accounts
from server.service.accounts.players import Player
from server.service.common.errors import Conflict, NotFound
from server.service.common.naming import OF_DAY, Title, seat_name, server_name
from server.service.contests import deals
from server.service.contests.deals import Deal
from server.service.games import loading, move_log
from server.service.games.model import Seat
from server.service.games.saving import changing
from server.service.seating import seats as seating
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

OPPONENT = "journeyman"
FIELD = ("apprentice", "journeyman", "master")
"""The bots that play each deal of the day at the first seat, so that there is a field."""
TODAY = "today"
SUNDAY = 6


class FieldLine(TypedDict):
    """How somebody did in a deal of the day."""

    place: Annotated[int, "Shared by who has the same points and the same margin."]
    player: Annotated[str | None, "Id; null for bots, and for who has gone."]
    name: str
    bot: str | None
    game: Annotated[str | None, "Id of the game; of others once the deal is revealed."]
    points: int
    margin: Annotated[int, "Points more than the best of the others at the table."]
    beaten: Annotated[int, "How much of the field stands behind, in percent; who is level counts half."]


class DayDeal(TypedDict):
    """A deal of the day."""

    day: Annotated[str, "In UTC."]
    id: str
    ruleset: str
    options: Options
    seats: int
    opponent: Annotated[str, "The bot at all seats but the first."]
    commitment: Annotated[str, "SHA-256 of the deal's secret, in hex."]
    server_seed: Annotated[str | None, "The secret, in hex; null until the deal is revealed."]
    opens_at: UtcTime
    closes_at: Annotated[UtcTime, "What is not played to its end by then is given up."]
    revealed_at: UtcTime | None
    begun: Annotated[int, "Games that were begun."]
    done: Annotated[int, "Games played to their end, but for those resigned at once."]
    game: Annotated[str | None, "Id of the caller's own game."]
    field: Annotated[list[FieldLine] | None, "From the best on; null for who has not played theirs to its end."]


class PastDay(TypedDict):
    """A day of which the deal is revealed."""

    day: str
    seats: int
    done: Annotated[int, "Games played to their end."]


class MonthLine(TypedDict):
    """How somebody did in the days of a month that are over."""

    place: Annotated[int, "Shared by who has beaten as much."]
    player: Annotated[str | None, "Id; null for bots."]
    name: str
    bot: str | None
    days: Annotated[int, "Days on which they have played to the end."]
    beaten: Annotated[int, "The sum of what they have beaten of each day's field, in percent."]


# Made and ended by a job


def look_after(store: Store, now: datetime, deal: bool = True) -> int:
    """Make the deal of today where there is none, if one is to be had (`deal`), and reveal those that are over; how
    many were made or revealed. Where there is nothing to do it only reads. Several processes may do it at once. The
    newest are first: one that cannot end, by rules that are gone, keeps no other from it."""
    made = deal and _today(store, now) is None and _make(store, now)
    over = [deal_id for (deal_id,) in sql.rows(store, _OVER, utc(now))]
    revealed = [deals.reveal(store, deal_id, now, lambda deal: _keep_beaten(store, deal)) for deal_id in over]
    return sum(one is not None for one in revealed) + made


_OVER = "SELECT id FROM deal WHERE revealed_at IS NULL AND day IS NOT NULL AND closes_at <= ? ORDER BY closes_at DESC"
_BY_DAY = f"SELECT {deals.COLUMNS} FROM deal d WHERE d.day = ?"  # noqa: S608 - of ours


def _of_day(store: Store, day: str, locked: bool = False) -> Deal | None:
    found = sql.row(store, sql.locking(store, _BY_DAY) if locked else _BY_DAY, day)
    return None if found is None else deals.of(found)


def _today(store: Store, now: datetime) -> Deal | None:
    return _of_day(store, now.astimezone(UTC).date().isoformat())


def _make(store: Store, now: datetime) -> bool:
    """Make the deal of today, and let the bots of `FIELD` begin with it; whether nobody else was faster."""
    day = now.astimezone(UTC).date()
    opens = datetime(day.year, day.month, day.day, tzinfo=UTC)
    large = day.weekday() == SUNDAY
    options: Options = {"rotate_start": False, "tower": large}
    try:
        with changing(store):
            if _today(store, now) is not None:
                return False
            text = day.isoformat()
            deal = deals.make(store, options, 3 if large else 2, now, opens, opens + timedelta(days=1), day=text)
            for bot in FIELD:
                _begin(store, deal, Seat(0, None, bot, server_name(bot), ""), now)
    except Conflict:
        return False
    return True


def _begin(store: Store, deal: Deal, first: Seat, now: datetime) -> str:
    """Begin a game of a deal of the day with somebody at the first seat, in the running transaction; its id."""
    seats = [first]
    for number in range(1, deal.seats):
        name = seating.free_name(server_name(OPPONENT), [seat.name or "" for seat in seats])
        seats.append(Seat(number, None, OPPONENT, name, ""))
    return deals.start_game(store, deal, Title(deal.day or "", OF_DAY), seats, now, creator=first.player).id


_KEEP = "UPDATE game SET beaten = ? WHERE id = ?"


def _keep_beaten(store: Store, deal: Deal) -> None:
    for line in _field(store, deal):
        sql.execute(store, _KEEP, line["beaten"], line["game"])


# Played


def play(store: Store, player: Player, now: datetime, most: int | None = None, *, deal: bool = True) -> str:
    """Begin the deal of today; the id of the game, which is the same whenever it is asked again. `most` is how many
    unfinished games a player may sit in. Raises `NotFound` where none is dealt (`deal`, as in `look_after`),
    `Forbidden` (a bot), `Conflict` (too many games)."""
    if deal and _today(store, now) is None:  # the job has not come to it yet
        _make(store, now)
    with changing(store):
        bot_accounts.require_person(store, player)
        today = _of_day(store, now.astimezone(UTC).date().isoformat(), locked=True)
        if today is None:
            raise _no_deal()
        if today.revealed_at is not None:
            raise Conflict(_("the deal of this day is over"))
        own = _own(store, today, player)
        if own is not None:
            return own[0]
        seating.require_room(store, player, most)
        seat = Seat(0, player.id, None, player.name, "")
        seating.note_preferences(seat, seating.present_preferences(store, player))
        return _begin(store, today, seat, now)


_DONE = "g.status = 'finished' AND NOT g.unplayed"
_OWN = f"""
    SELECT g.id, CASE WHEN {_DONE} THEN 1 ELSE 0 END FROM game g JOIN seat s ON s.game_id = g.id
    WHERE g.deal_id = ? AND s.seat = 0 AND s.player_id = ?"""  # noqa: S608 - of ours


def _own(store: Store, deal: Deal, player: Player | None) -> tuple[str, bool] | None:
    """The player's own game of the deal, and whether it was played to its end."""
    found = None if player is None else sql.row(store, _OWN, deal.id, player.id)
    return None if found is None else (found[0], bool(found[1]))


# Looked at


def find(store: Store, which: str, player: Player | None, now: datetime) -> DayDeal:
    """The deal of a day (`TODAY`, or in UTC) as `player` may see it. Raises `NotFound`."""
    with store.read():
        deal = _required(store, which, now)
        own = _own(store, deal, player)
        begun, done = sql.rows(store, _COUNTS, deal.id)[0]
        shown = deal.revealed_at is not None or (own is not None and own[1])
        field = _field(store, deal) if shown else None
    if field is not None and deal.revealed_at is None:
        for line in field:
            line["game"] = line["game"] if own is not None and line["game"] == own[0] else None
    return {
        "day": deal.day or "",
        "id": deal.id,
        "ruleset": deal.ruleset,
        "options": deal.options,
        "seats": deal.seats,
        "opponent": OPPONENT,
        "commitment": deal.commitment,
        "server_seed": deal.seed,
        "opens_at": deal.opens_at,
        "closes_at": deal.closes_at or "",
        "revealed_at": deal.revealed_at,
        "begun": begun,
        "done": done,
        "game": None if own is None else own[0],
        "field": field,
    }


def _required(store: Store, which: str, now: datetime) -> Deal:
    found = _today(store, now) if which == TODAY else _of_day(store, which)
    if found is None:
        raise _no_deal()
    return found


def _no_deal() -> NotFound:
    return NotFound(_("there is no deal of that day; that of today is there a moment after midnight (UTC)"))


_COUNTS = f"SELECT COUNT(*), COUNT(CASE WHEN {_DONE} THEN 1 END) FROM game g WHERE g.deal_id = ?"  # noqa: S608
_FIELD = f"""
    SELECT g.id, s.player_id, s.bot, s.name, s.name_kind, g.result FROM game g
    JOIN seat s ON s.game_id = g.id AND s.seat = 0
    WHERE g.deal_id = ? AND {_DONE} ORDER BY g.finished_at, g.id"""  # noqa: S608


def _field(store: Store, deal: Deal) -> list[FieldLine]:
    """The table of a deal, inside a transaction, from the best on: from results alone, without a replay."""
    rows = sql.rows(store, _FIELD, deal.id)
    table = rule.standings([orjson.loads(row[-1]) for row in rows])
    found: list[FieldLine] = [
        {
            "place": standing.place,
            "player": player,
            "name": seat_name(words, kind, 0) or "",
            "bot": bot,
            "game": game,
            "points": standing.points,
            "margin": standing.margin,
            "beaten": standing.beaten,
        }
        for standing, (game, player, bot, words, kind, _result) in zip(table, rows, strict=True)
    ]
    return sorted(found, key=lambda line: line["place"])


_DAYS = f"""
    SELECT d.day, d.seats, COUNT(CASE WHEN {_DONE} THEN 1 END) FROM deal d LEFT JOIN game g ON g.deal_id = d.id
    WHERE d.day < ? AND d.revealed_at IS NOT NULL GROUP BY d.day, d.seats ORDER BY d.day DESC LIMIT ?"""  # noqa: S608


def past(store: Store, before: str | None, most: int) -> list[PastDay]:
    """The newest days that are over, newest first; with `before` those before that day."""
    rows = sql.rows(store, _DAYS, before or "9999-99-99", most)
    return [{"day": day, "seats": seats, "done": done} for day, seats, done in rows]


_MONTH = """
    SELECT s.player_id, s.bot, p.name, COUNT(*), SUM(g.beaten) FROM deal d JOIN game g ON g.deal_id = d.id
    JOIN seat s ON s.game_id = g.id AND s.seat = 0 LEFT JOIN player p ON p.id = s.player_id
    WHERE d.day BETWEEN ? AND ? AND g.beaten IS NOT NULL
        AND (s.bot IS NOT NULL OR (p.found_as IS NOT NULL AND p.banned_at IS NULL))
    GROUP BY s.player_id, s.bot, p.name ORDER BY SUM(g.beaten) DESC, COUNT(*), s.player_id, s.bot"""


def month(store: Store, which: str) -> list[MonthLine]:
    """Who has beaten how much in the days of a month (`2026-11`) that are over, from the best on; whoever has gone, or
    wishes not to be found, is left out."""
    rows = sql.rows(store, _MONTH, f"{which}-01", f"{which}-31")
    sums = [int(beaten) for *_, beaten in rows]
    return [
        {
            "place": sums.index(total) + 1,
            "player": player,
            "name": name if bot is None else server_name(bot),
            "bot": bot,
            "days": days,
            "beaten": total,
        }
        for (player, bot, name, days, _beaten), total in zip(rows, sums, strict=True)
    ]


class Compared(NamedTuple):
    """Two games of a deal that is revealed; `parted` is the first ply at which their moves differ, None where one is
    the other to its end."""

    games: tuple[str, str]
    parted: int | None


def compare(store: Store, which: str, game_id: str, other: str | None, now: datetime) -> Compared:
    """A game of a day that is over beside another one: the best, or where it is that the next. Raises `NotFound`."""
    with store.read():
        deal = _required(store, which, now)
        table = [str(line["game"]) for line in _field(store, deal)] if deal.revealed_at is not None else []
        if other is None:
            other = next((one for one in table if one != game_id), None)
        if other is None or game_id not in table or other not in table:
            raise NotFound(_("games are compared that were played to their end, when the deal is revealed"))
        return Compared((game_id, other), rule.parting(_moves(store, game_id), _moves(store, other)))


def _moves(store: Store, game_id: str) -> Sequence[tuple[int, str]]:
    entries = move_log.log(store, loading.for_reader(store, game_id, None))
    return [(entry.seat, format_move(entry.move)) for entry in entries]
