"""The rounds of tournaments: the next one begins by itself when the last table of one is done.

Each round has the same deals at every table (`deals`), sealed until all have played them. Who meets whom and what
places follow, `replays.pairing` and `replays.standings` say, from what is stored here alone.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Annotated, NamedTuple, TypedDict, cast

import orjson

from replays import pairing
from replays import standings as places
from replays.pairing import KINDS, Kind, Table
from replays.standings import Played, Sat
from server.engine import rulesets
from server.engine.canonical import canonical_json
from server.engine.ulm1.shapes import JsonSchema, Options, UtcTime
from server.service.accounts.players import player_by_id
from server.service.common.naming import Title, seat_name
from server.service.contests import deals
from server.service.games import bots, loading, notices
from server.service.games import clock as clocks
from server.service.games.model import OPEN_FOR, ClockForm, Seat
from server.service.games.saving import changing
from server.service.outbox import pauses
from server.service.outbox.enqueuing import tell
from server.service.seating import seats, taking_over
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

log = logging.getLogger("ulm.tournaments")

_TITLE = 48
"""So much of a tournament's name stands in those of its games."""


class Tournament(TypedDict):
    """A tournament, as it is stored and told."""

    id: str
    name: str
    kind: Annotated[Kind, JsonSchema(type="string", enum=list(KINDS))]
    status: Annotated[str, JsonSchema(enum=["open", "running", "over"])]
    seats: Annotated[int, "Of each table."]
    ruleset: str
    options: Options
    clock: ClockForm | None
    boards: Annotated[int, "How many deals each table plays in a round; seats move on between them."]
    round: Annotated[int, "The one under way, or the last; 0 before the first."]
    rounds: Annotated[int | None, "null: as many as are usual, which is known when it starts."]
    round_hours: Annotated[int | None, "So long a round takes at most: then bots play on."]
    round_ends_at: Annotated[UtcTime | None, "Later by what all clocks stand still before it."]
    guests: Annotated[bool, "Guests may enter."]
    organiser: Annotated[str | None, "Id of who made it; null: the operator, or somebody who is gone."]
    league_id: Annotated[str | None, "Id of the first tournament of its league; null: of none."]
    season: int | None
    division: Annotated[int | None, "1 is the highest."]
    created_at: UtcTime
    started_at: UtcTime | None
    finished_at: UtcTime | None


COLUMNS = """t.id, t.name, t.kind, t.status, t.seats, t.ruleset, t.options, t.clock, t.boards, t.round, t.rounds,
    t.round_hours, t.round_ends_at, t.guests, t.organiser_id AS organiser, t.league_id, t.season, t.division,
    t.created_at, t.started_at, t.finished_at"""
"""The columns of a tournament `t` that `of` takes."""
_FIND = f"SELECT {COLUMNS} FROM tournament t WHERE t.id = ?"  # noqa: S608 - of ours


def of(row: sql.ByName) -> Tournament:
    """The tournament of a row with these columns; what else is in the row stays."""
    read = {name: row[name] and orjson.loads(row[name]) for name in ("options", "clock")}
    return cast("Tournament", {**row, **read, "guests": bool(row["guests"])})


def find(store: Store, tournament_id: str, locked: bool = False) -> Tournament | None:
    """A tournament, inside a transaction; `locked` in one that writes."""
    found = sql.dicts(store, sql.locking(store, _FIND) if locked else _FIND, tournament_id)
    return of(found[0]) if found else None


class Entry(TypedDict):
    """Who is in a tournament: a person, a bot of the house, or neither when the account is gone."""

    number: int
    name: str
    player: Annotated[str | None, "Id of the player; null for a bot of the house and for who is gone."]
    bot: Annotated[str | None, "Which bot of the house plays."]
    left: Annotated[bool, "A person has left the place; whoever enters now has it from the next round on."]


FILLS = Entry(number=0, name=bots.seat_name(bots.STAND_IN), player=None, bot=bots.STAND_IN, left=False)
"""Who fills tables, without a place."""


class Standing(Entry):
    """Who is in a tournament, and the place so far. It counts the rounds that are over."""

    place: int
    points: Annotated[int, "At the own tables: 2 for each other with a worse rank, 1 for each with the same."]
    duplicate: Annotated[int, "Against the same seat of the same deal at other tables, counted likewise by points."]
    margin: Annotated[int, "Own points less those of each other at the own tables."]
    last_round: Annotated[int, "The last one played that is over; 0: none."]


_ENTRIES = """
    SELECT number, player_id, bot, name, name_kind, left_at FROM tournament_entry
    WHERE tournament_id = ? ORDER BY number"""


def entries(store: Store, tournament_id: str) -> list[Entry]:
    """All of a tournament, by number."""
    return [
        Entry(number=number, name=seat_name(words, kind, 0) or "", player=player, bot=bot, left=left_at is not None)
        for number, player, bot, words, kind, left_at in sql.rows(store, _ENTRIES, tournament_id)
    ]


class Board(NamedTuple):
    """A game of a tournament."""

    entrants: Table
    outcome: list[tuple[int, int, bool]] | None
    """For each seat total, rank, and whether it resigned; None while the round is played, or when it was given up."""
    game: str
    round: int
    board: int
    place: int
    status: str
    deal: str


_BOARDS = """
    SELECT x.entrants, x.outcome, x.game_id, x.round, x.board, x.place, g.status, g.deal_id
    FROM tournament_game x JOIN game g ON g.id = x.game_id
    WHERE x.tournament_id = ? ORDER BY x.round, x.board, x.place"""


def boards(store: Store, tournament_id: str) -> list[Board]:
    """All games of a tournament, round by round."""
    return [
        Board(tuple(orjson.loads(entrants)), outcome and orjson.loads(outcome), *columns)
        for entrants, outcome, *columns in sql.rows(store, _BOARDS, tournament_id)
    ]


def tournament_of(store: Store, game_id: str) -> str | None:
    """The id of the tournament that a game is of; None of none."""
    return sql.value(store, "SELECT tournament_id FROM tournament_game WHERE game_id = ?", game_id)


def table(tournament: Tournament, played: Sequence[Board], there: Sequence[Entry]) -> list[Standing]:
    """The places of all who are there, the best first: they follow from the games whose rounds are over."""
    counted = [
        Played(one.round, one.deal, [Sat(who, *came) for who, came in zip(one.entrants, one.outcome, strict=True)])
        for one in played
        if one.outcome is not None
    ]
    who: dict[int | str, Entry] = {one["number"]: one for one in there}
    return [
        cast("Standing", {**who[one.entrant], "place": one.place, **one.measure._asdict(), "last_round": one.rounds})
        for one in places.standings(counted, tournament["kind"] == "knock-out", who)
    ]


# A round


_BEGIN = """
    UPDATE tournament SET status = 'running', started_at = COALESCE(started_at, ?), rounds = ?, round = ?,
        round_ends_at = ? WHERE id = ?"""
_END = "UPDATE tournament SET status = 'over', finished_at = ?, round_ends_at = NULL WHERE id = ?"


def end(store: Store, tournament_id: str, now: datetime) -> None:
    """No round of a tournament follows any more, in the running transaction."""
    sql.execute(store, _END, utc(now), tournament_id)


def go_on(store: Store, tournament: Tournament, now: datetime) -> None:
    """Begin the next round, or end the tournament behind the last, in the running transaction, which has locked it."""
    there, played = entries(store, tournament["id"]), boards(store, tournament["id"])
    number, size = tournament["round"] + 1, tournament["seats"]
    before = [[one.entrants for one in of_it if not one.board] for _, of_it in groupby(played, lambda one: one.round)]
    order = [one["number"] for one in table(tournament, played, there)]
    if tournament["kind"] == "knock-out" and before:
        order = places.going_on(order, before[-1], size)
    if number > (tournament["rounds"] or 0) or not order:
        end(store, tournament["id"], now)
        return
    tables = pairing.pair(tournament["kind"], size, order, before)
    rules, who = rulesets.rules_for(tournament["ruleset"]), {one["number"]: one for one in there}
    for board in range(tournament["boards"]):
        deal = deals.make(store, tournament["options"], size, rules, now)
        for place, entrants in enumerate(tables):
            turned = entrants[board % size :] + entrants[: board % size]
            title = Title(f"{tournament['name'][:_TITLE].strip()} \N{MIDDLE DOT} {number}.{place + 1}")
            sitting = _seated(store, [FILLS if one is None else who[one] for one in turned])
            clock = tournament["clock"] if any(seat.player for seat in sitting) else None
            game = deals.start_game(store, deal, title, sitting, now, clock=clock)
            sql.insert(
                store,
                "tournament_game",
                game_id=game.id,
                tournament_id=tournament["id"],
                round=number,
                board=board,
                place=place,
                entrants=canonical_json(list(turned)),
            )
    hours = tournament["round_hours"]
    ends = None if hours is None else utc(now + timedelta(hours=hours))
    sql.execute(store, _BEGIN, utc(now), tournament["rounds"], number, ends, tournament["id"])


def _seated(store: Store, entrants: Sequence[Entry]) -> list[Seat]:
    """The seats of a table, taken; for whom is gone by the stand-in."""
    taken: list[Seat] = []
    for number, entry in enumerate(entrants):
        player = None if entry["player"] is None else player_by_id(store, entry["player"])
        called = entry["name"] if player or entry["bot"] else FILLS["name"]
        name = seats.free_name(called, [other.name or "" for other in taken])
        bot = entry["bot"] or bots.STAND_IN
        taken.append(Seat(number, player.id if player else None, None if player else bot, name, ""))
        if player:
            seats.note_preferences(taken[-1], player.preferences)
    return taken


# The job


_NEVER_BEGUN = "SELECT id FROM tournament WHERE status = 'open' AND created_at < ? ORDER BY id"
_PLAYING = """
    SELECT 1 FROM tournament_game x JOIN game g ON g.id = x.game_id
    WHERE x.tournament_id = t.id AND x.round = t.round AND g.status = 'running'"""
_DUE = f"""
    SELECT t.id, t.round, EXISTS ({_PLAYING}) FROM tournament t
    WHERE t.status = 'running' AND (t.round_ends_at <= ? OR NOT EXISTS ({_PLAYING})) ORDER BY t.id"""  # noqa: S608


def run(store: Store, now: datetime) -> int:
    """End the tournaments that nobody has begun, let bots play on where a round's time is over, and end the rounds of
    which all games are; how many rounds ended. What fails at one tournament is logged, and keeps no other from it."""
    for (tournament_id,) in sql.rows(store, _NEVER_BEGUN, utc(now - OPEN_FOR)):
        with store.write():
            sql.execute(store, _END + " AND status = 'open'", utc(now), tournament_id)
    ended = 0
    for tournament_id, number, playing in sql.rows(store, _DUE, utc(now)):
        if store.closing.is_set():
            break
        try:
            (_end_time if playing else _end_round)(store, tournament_id, number, now)
            ended += not playing
        except Exception:
            log.exception("tournament %s: its round could not be ended", tournament_id)
    return ended


_TIME = """
    SELECT t.round_hours, MIN(g.created_at) FROM tournament t
    JOIN tournament_game x ON x.tournament_id = t.id AND x.round = t.round JOIN game g ON g.id = x.game_id
    WHERE t.id = ? AND t.round = ? GROUP BY t.round_hours"""
_PUT_OFF = "UPDATE tournament SET round_ends_at = ? WHERE id = ? AND round = ?"


def _end_time(store: Store, tournament_id: str, number: int, now: datetime) -> None:
    """Let bots play on at all tables of a round whose time is over. As all clocks do, rounds wait while the operator
    has paused all mail or no server is there: they end as much later."""
    found = sql.row(store, _TIME, tournament_id, number)
    if found is None or pauses.by_operator(store) is not None:
        return
    last = clocks.run_for(store, parse_utc(found[1]), timedelta(hours=found[0]), now)
    if last <= now:
        stand_in(store, tournament_id, number, None, now)
    else:
        with store.write():
            sql.execute(store, _PUT_OFF, utc(last), tournament_id, number)


_WITH_PEOPLE = """
    SELECT x.game_id FROM tournament_game x JOIN game g ON g.id = x.game_id
    WHERE x.tournament_id = ? AND x.round = ? AND g.status = 'running'
    AND EXISTS (SELECT 1 FROM seat s WHERE s.game_id = g.id AND s.bot IS NULL) ORDER BY x.game_id"""


def stand_in(store: Store, tournament_id: str, number: int, player_id: str | None, now: datetime) -> None:
    """Let the stand-in play on for a player (None: for all people) at the tables of a round, and tell them; in
    transactions of its own."""
    for (game_id,) in sql.rows(store, _WITH_PEOPLE, tournament_id, number):
        with changing(store):
            game = loading.for_change(store, game_id)
            for seat in game.seats:
                gone = game.status != "running" or game.position.players[seat.number].resigned
                if seat.bot is None and not gone and player_id in (None, seat.player):
                    before = seat.player
                    taking_over.give_seat(store, game, seat.number, bots.STAND_IN, now)
                    tell(store, notices.of_replacement(game, seat.number, before), now)


_DEALS = """
    SELECT DISTINCT g.deal_id FROM tournament_game x JOIN game g ON g.id = x.game_id
    WHERE x.tournament_id = ? AND x.round = ? ORDER BY g.deal_id"""
_UNCOUNTED = """
    SELECT x.game_id, x.entrants FROM tournament_game x JOIN game g ON g.id = x.game_id
    WHERE x.tournament_id = ? AND x.round = ? AND x.outcome IS NULL AND g.status = 'finished'"""
_COUNT = "UPDATE tournament_game SET outcome = ? WHERE game_id = ?"


def _end_round(store: Store, tournament_id: str, number: int, now: datetime) -> None:
    """Reveal the deals of a round whose games are all over; then count them, and go on. What a process that dies has
    not done, the next look does."""
    for (deal_id,) in sql.rows(store, _DEALS, tournament_id, number):
        deals.reveal(store, deal_id, now)
    with changing(store):
        tournament = find(store, tournament_id, locked=True)
        if not tournament or tournament["status"] != "running" or tournament["round"] != number:
            return  # somebody was faster
        for game_id, entrants in sql.rows(store, _UNCOUNTED, tournament_id, number):
            state = loading.for_reader(store, game_id, None).position
            outcome = [one[1:] for one in places.seats_of(state, orjson.loads(entrants))]
            sql.execute(store, _COUNT, canonical_json(outcome), game_id)
        go_on(store, tournament, now)
