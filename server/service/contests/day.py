"""The deal of the day: one for each day in UTC, which everybody plays once, at the first seat, against the journeyman.

Whoever has not played theirs to its end is told how many have, and nothing of how they did. When the day is over, the
deal is revealed, and who has beaten how much of the field is kept with the games: months are made of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, NamedTuple, TypedDict

import orjson

from replays import deals as rule
from server.engine import rulesets
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
AHEAD = timedelta(minutes=5)
"""So long before its day a deal is made, so that there is one at midnight."""
TODAY = "today"
SUNDAY = 6


class FieldLine(TypedDict):
    """How somebody did in a deal of the day."""

    place: Annotated[int, "Shared by who has the same points."]
    player: Annotated[str | None, "Id; null for bots, and for who has gone."]
    name: str
    bot: str | None
    game: Annotated[str | None, "Id of the game; of others once the deal is revealed."]
    points: int
    beaten: Annotated[int, "How much of the field has fewer points, in percent; who is level counts half."]


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
    closes_at: Annotated[UtcTime, "What is not played to its end by then is given up."]
    begun: Annotated[int, "Games that were begun."]
    done: Annotated[int, "Games played to their end, but for those resigned at once."]
    game: Annotated[str | None, "Id of the caller's own game."]
    field: Annotated[list[FieldLine] | None, "From the best on; null for who has not played theirs to its end."]
    previous: Annotated[str | None, "The day before it that had a deal."]


class MonthLine(NamedTuple):
    """How somebody did in the days of a month that are over; `beaten` is the sum of those of the days."""

    place: int
    player: str | None
    name: str
    bot: str | None
    days: int
    beaten: int


# Made and ended by a job


def look_after(store: Store, now: datetime, deal: bool = True) -> int:
    """Make the deals of today and, shortly before it, of tomorrow where they are to be had (`deal`), and reveal those
    that are over; how many were made or revealed. Where there is nothing to do it only reads. Several processes may do
    it at once. The newest are first: one that cannot end, by rules that are gone, keeps no other from it."""
    days = {now.astimezone(UTC).date(), (now + AHEAD).astimezone(UTC).date()} if deal else ()
    made = [_make(store, day, now) for day in sorted(days) if deals.find(store, day.isoformat()) is None]
    over = [deal_id for (deal_id,) in sql.rows(store, _OVER, utc(now))]
    return sum(made) + sum(deals.reveal(store, deal_id, now, _keep_beaten) for deal_id in over)


_OVER = "SELECT id FROM deal WHERE revealed_at IS NULL AND day IS NOT NULL AND closes_at <= ? ORDER BY closes_at DESC"


def _make(store: Store, day: date, now: datetime) -> bool:
    """Make the deal of a day, and let the bots of `FIELD` begin with it; whether nobody else was faster."""
    large = day.weekday() == SUNDAY
    options: Options = {"rotate_start": False, "tower": large}
    seats, rules = 3 if large else 2, rulesets.for_new_games()
    end = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    try:
        with changing(store):
            if deals.find(store, day.isoformat()) is not None:
                return False
            deal = deals.make(store, options, seats, rules, now, end, day=day.isoformat())
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


def _keep_beaten(store: Store, deal_id: str) -> None:
    for line in _field(store, deal_id):
        sql.execute(store, _KEEP, line["beaten"], line["game"])


# Played


def play(store: Store, player: Player, now: datetime, most: int | None = None) -> str:
    """Begin the deal of today; the id of the game, which is the same whenever it is asked again. `most` is how many
    unfinished games a player may sit in. Raises `NotFound`, `Forbidden` (a bot), `Conflict` (too many games)."""
    with changing(store):
        bot_accounts.require_person(store, player)
        deal = _required(store, TODAY, now, locked=True)
        if deal.revealed_at is not None:
            raise Conflict(_("the deal of this day is over"))
        own = _own(store, deal, player)
        if own is not None:
            return own
        seating.require_room(store, player, most)
        seat = Seat(0, player.id, None, player.name, "")
        seating.note_preferences(seat, seating.present_preferences(store, player))
        return _begin(store, deal, seat, now)


_OWN = "SELECT g.id FROM game g JOIN seat s ON s.game_id = g.id WHERE g.deal_id = ? AND s.seat = 0 AND s.player_id = ?"


def _own(store: Store, deal: Deal, player: Player | None) -> str | None:
    """The player's own game of the deal."""
    return None if player is None else sql.value(store, _OWN, deal.id, player.id)


def _required(store: Store, which: str, now: datetime, locked: bool = False) -> Deal:
    """The deal of a day. Raises `NotFound`."""
    wanted = now.astimezone(UTC).date().isoformat() if which == TODAY else which
    found = deals.find(store, wanted, locked)
    if found is None or found.day != wanted:
        raise NotFound(_("there is no deal of that day; where it is today’s, ask again in a moment"))
    return found


# Looked at


def find(store: Store, which: str, player: Player | None, now: datetime) -> DayDeal:
    """The deal of a day (`TODAY`, or in UTC) as `player` may see it. Raises `NotFound`."""
    with store.read():
        deal = _required(store, which, now)
        own, begun = _own(store, deal, player), sql.value(store, _BEGUN, deal.id)
        previous = sql.value(store, _PREVIOUS, deal.day)
        field = _field(store, deal.id)
    for line in field if deal.seed is None else ():
        line["game"] = own if line["game"] == own else None
    shown = deal.seed is not None or any(line["game"] for line in field)
    return {
        "day": deal.day or "",
        "id": deal.id,
        "ruleset": deal.ruleset,
        "options": deal.options,
        "seats": deal.seats,
        "opponent": OPPONENT,
        "commitment": deal.commitment,
        "server_seed": deal.seed,
        "closes_at": deal.closes_at or "",
        "begun": begun or 0,
        "done": len(field),
        "game": own,
        "field": field if shown else None,
        "previous": previous,
    }


_BEGUN = "SELECT COUNT(*) FROM game WHERE deal_id = ?"
_PREVIOUS = "SELECT MAX(day) FROM deal WHERE day < ?"
_FIELD = """
    SELECT g.id, s.player_id, s.bot, s.name, s.name_kind, g.result FROM game g
    JOIN seat s ON s.game_id = g.id AND s.seat = 0
    WHERE g.deal_id = ? AND g.status = 'finished' AND NOT g.unplayed ORDER BY g.finished_at, g.id"""


def _field(store: Store, deal_id: str) -> list[FieldLine]:
    """The table of a deal, inside a transaction, from the best on: from results alone, without a replay."""
    rows = sql.rows(store, _FIELD, deal_id)
    table = rule.standings([orjson.loads(row[-1])["scores"][0]["total"] for row in rows])
    found: list[FieldLine] = [
        {
            "place": standing.place,
            "player": player,
            "name": seat_name(words, kind, 0) or "",
            "bot": bot,
            "game": game,
            "points": standing.points,
            "beaten": standing.beaten,
        }
        for standing, (game, player, bot, words, kind, _result) in zip(table, rows, strict=True)
    ]
    return sorted(found, key=lambda line: line["place"])


_MONTH = """
    SELECT RANK() OVER (ORDER BY SUM(g.beaten) DESC), s.player_id, p.name, s.bot, COUNT(*), SUM(g.beaten)
    FROM deal d JOIN game g ON g.deal_id = d.id
    JOIN seat s ON s.game_id = g.id AND s.seat = 0 LEFT JOIN player p ON p.id = s.player_id
    WHERE d.day BETWEEN ? AND ? AND g.beaten IS NOT NULL
        AND (s.bot IS NOT NULL OR (p.found_as IS NOT NULL AND p.banned_at IS NULL))
    GROUP BY s.player_id, s.bot, p.name ORDER BY 1, 5, s.player_id, s.bot LIMIT ?"""


def month(store: Store, which: str, most: int) -> list[MonthLine]:
    """Who has beaten how much in the days of a month (`2026-11`) that are over, the best `most`; whoever has gone, or
    wishes not to be found, is left out."""
    lines = [MonthLine(*row) for row in sql.rows(store, _MONTH, f"{which}-01", f"{which}-31", most)]
    return [line if line.bot is None else line._replace(name=server_name(line.bot)) for line in lines]


def compare(store: Store, which: str, game_id: str, player: Player | None, now: datetime) -> tuple[str, int | None]:
    """Beside what a game of a day that is over stands, the player's own or where it is that (or there is none) the
    best or the next, and the first ply at which their moves differ; None where one is the other to its end. Raises
    `NotFound`."""
    with store.read():
        deal = _required(store, which, now)
        table = [] if deal.seed is None else [str(line["game"]) for line in _field(store, deal.id)]
        own = _own(store, deal, player)
        others = [one for one in sorted(table, key=lambda one: one != own) if one != game_id]
        if not others or game_id not in table:
            raise NotFound(_("games are compared that were played to their end, when the deal is revealed"))
        return others[0], rule.parting(_moves(store, game_id), _moves(store, others[0]))


def _moves(store: Store, game_id: str) -> Sequence[tuple[int, str]]:
    entries = move_log.log(store, loading.for_reader(store, game_id, None))
    return [(entry.seat, format_move(entry.move)) for entry in entries]
