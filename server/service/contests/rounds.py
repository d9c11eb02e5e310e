"""The rounds of tournaments: the next one begins by itself when the last table of one is done.

Each round has the same deals at every table (`deals`), sealed until all have played them. Who meets whom and what
places follow, `replays.pairing` and `replays.standings` say, from what is stored here alone.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

import orjson

from replays import pairing
from replays import standings as places
from replays.pairing import Kind, Table
from replays.standings import Line, Played, Sat
from server.engine import rulesets
from server.engine.canonical import canonical_json
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import Options
from server.service.accounts.players import player_by_id
from server.service.common.naming import Title, seat_name
from server.service.contests import deals
from server.service.games import bots, loading, notices
from server.service.games.model import OPEN_FOR, ClockForm, Seat
from server.service.games.saving import changing
from server.service.outbox import pauses
from server.service.outbox.enqueuing import tell
from server.service.seating import seats, taking_over
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

log = logging.getLogger("ulm.tournaments")

_TITLE = 48
"""So much of a tournament's name stands in those of its games."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament, as it is stored."""

    id: str
    name: str
    kind: Kind
    seats: int
    ruleset: str
    options: Options
    clock: ClockForm | None
    boards: int
    rounds: int | None
    round_hours: int | None
    guests: bool
    status: str
    round: int
    round_ends_at: str | None
    organiser: str | None
    league: str | None
    season: int | None
    division: int | None
    created_at: str
    started_at: str | None
    finished_at: str | None

    @property
    def rules(self) -> Rules:
        """What it is played by. Raises `UnknownRulesetError`."""
        return rulesets.rules_for(self.ruleset)


COLUMNS = """t.id, t.name, t.kind, t.seats, t.ruleset, t.options, t.clock, t.boards, t.rounds, t.round_hours, t.guests,
    t.status, t.round, t.round_ends_at, t.organiser_id, t.league_id, t.season, t.division, t.created_at, t.started_at,
    t.finished_at"""
"""The columns of a tournament `t` that `of` takes."""
_FIND = f"SELECT {COLUMNS} FROM tournament t WHERE t.id = ?"  # noqa: S608 - of ours


def of(row: Sequence[object]) -> Tournament:
    """The tournament of a row with these columns."""
    found = Tournament(*row)  # type: ignore[arg-type]
    clock = None if found.clock is None else orjson.loads(found.clock)  # type: ignore[arg-type]
    return replace(found, options=orjson.loads(found.options), clock=clock, guests=bool(found.guests))  # type: ignore[arg-type]


def find(store: Store, tournament_id: str, locked: bool = False) -> Tournament | None:
    """A tournament, inside a transaction; `locked` in one that writes."""
    found = sql.row(store, sql.locking(store, _FIND) if locked else _FIND, tournament_id)
    return None if found is None else of(found)


class Entry(NamedTuple):
    """Who is in a tournament: a person, a bot of the house, or neither when the account is gone."""

    number: int
    player: str | None
    bot: str | None
    name: str
    left_at: str | None


_ENTRIES = """
    SELECT number, player_id, bot, name, name_kind, left_at FROM tournament_entry
    WHERE tournament_id = ? ORDER BY number"""


def entries(store: Store, tournament_id: str) -> list[Entry]:
    """All of a tournament, by number."""
    found = sql.rows(store, _ENTRIES, tournament_id)
    return [Entry(one[0], one[1], one[2], seat_name(one[3], one[4], 0) or "", one[5]) for one in found]


class Board(NamedTuple):
    """A game of a tournament."""

    game: str
    round: int
    board: int
    place: int
    entrants: Table
    outcome: list[tuple[int, int, bool]] | None
    status: str
    deal: str


_BOARDS = """
    SELECT x.game_id, x.round, x.board, x.place, x.entrants, x.outcome, g.status, g.deal_id
    FROM tournament_game x JOIN game g ON g.id = x.game_id
    WHERE x.tournament_id = ? ORDER BY x.round, x.board, x.place"""


def boards(store: Store, tournament_id: str) -> list[Board]:
    """All games of a tournament, round by round."""
    found = [Board(*one) for one in sql.rows(store, _BOARDS, tournament_id)]
    return [
        one._replace(
            entrants=tuple(orjson.loads(one.entrants)),  # type: ignore[arg-type]
            outcome=None if one.outcome is None else orjson.loads(one.outcome),  # type: ignore[arg-type]
        )
        for one in found
    ]


def tournament_of(store: Store, game_id: str) -> str | None:
    """The id of the tournament that a game is of; None of none."""
    return sql.value(store, "SELECT tournament_id FROM tournament_game WHERE game_id = ?", game_id)


def table(tournament: Tournament, there: Sequence[Board], numbers: Sequence[int] = ()) -> list[Line]:
    """The places that follow from games whose rounds are over; `numbers`: of who has one in any case."""
    played = [
        Played(one.round, one.deal, [Sat(who, *came) for who, came in zip(one.entrants, one.outcome, strict=True)])
        for one in there
        if one.outcome is not None
    ]
    return places.standings(played, tournament.kind == "knock-out", numbers)


# A round


_BEGIN = "UPDATE tournament SET round = ?, round_ends_at = ?, status = 'running' WHERE id = ?"
_END = "UPDATE tournament SET status = 'over', finished_at = ?, round_ends_at = NULL WHERE id = ?"


def go_on(store: Store, tournament: Tournament, now: datetime) -> None:
    """Begin the next round, or end the tournament behind the last, in the running transaction, which has locked it."""
    there, played = entries(store, tournament.id), boards(store, tournament.id)
    number = tournament.round + 1
    before = [[one.entrants for one in played if one.round == past and one.board == 0] for past in range(1, number)]
    order = [one.number for one in there]
    if tournament.kind == "swiss":
        order = [line.entrant for line in table(tournament, played, order) if isinstance(line.entrant, int)]
    elif tournament.kind == "knock-out" and before:
        last = [one for one in played if one.round == tournament.round]
        in_it = [one for entrants in before[-1] for one in entrants if one is not None]
        order = places.going_on(table(tournament, last, in_it), before[-1], tournament.seats)
    if tournament.rounds is None or number > tournament.rounds or not order:
        sql.execute(store, _END, utc(now), tournament.id)
        return
    tables = pairing.pair(tournament.kind, tournament.seats, order, before)
    who = {one.number: one for one in there}
    for board in range(tournament.boards):
        deal = deals.make(store, tournament.options, tournament.seats, tournament.rules, now)
        for place, entrants in enumerate(tables):
            turned = entrants[board % tournament.seats :] + entrants[: board % tournament.seats]
            _seat(store, tournament, deal, (number, board, place), turned, who, now)
    ends = None if tournament.round_hours is None else utc(now + timedelta(hours=tournament.round_hours))
    sql.execute(store, _BEGIN, number, ends, tournament.id)


def _seat(
    store: Store,
    tournament: Tournament,
    deal: deals.Deal,
    where: tuple[int, int, int],
    entrants: Table,
    who: dict[int, Entry],
    now: datetime,
) -> None:
    """Begin the game of one table."""
    number, board, place = where
    taken: list[Seat] = []
    for seat, one in enumerate(entrants):
        entry = None if one is None else who[one]
        player = None if entry is None or entry.player is None else player_by_id(store, entry.player)
        bot = (entry and entry.bot) or bots.STAND_IN
        called = bots.seat_name(bot) if entry is None or not (player or entry.bot) else entry.name
        name = seats.free_name(called, [other.name or "" for other in taken])
        taken.append(Seat(seat, None if player is None else player.id, bot if player is None else None, name, ""))
        if player is not None:
            seats.note_preferences(taken[-1], player.preferences)
    title = f"{tournament.name[:_TITLE].strip()} \N{MIDDLE DOT} {number}.{place + 1}"
    game = deals.start_game(store, deal, Title(title), taken, now, clock=tournament.clock)
    sql.insert(
        store,
        "tournament_game",
        game_id=game.id,
        tournament_id=tournament.id,
        round=number,
        board=board,
        place=place,
        entrants=canonical_json(list(entrants)),
    )


# The job


_OF_ROUND = """
    SELECT x.game_id FROM tournament_game x JOIN game g ON g.id = x.game_id
    WHERE x.tournament_id = t.id AND x.round = t.round AND g.status = 'running'"""
_DONE = f"SELECT t.id FROM tournament t WHERE t.status = 'running' AND NOT EXISTS ({_OF_ROUND}) ORDER BY t.id"  # noqa: S608
_LATE = """
    SELECT x.game_id FROM tournament t JOIN tournament_game x ON x.tournament_id = t.id AND x.round = t.round
    JOIN game g ON g.id = x.game_id
    WHERE t.status = 'running' AND t.round_ends_at <= ? AND g.status = 'running'
    AND EXISTS (SELECT 1 FROM seat s WHERE s.game_id = g.id AND s.bot IS NULL) ORDER BY x.game_id"""


_NEVER_BEGUN = "SELECT id FROM tournament WHERE status = 'open' AND created_at < ? ORDER BY id"


def run(store: Store, now: datetime) -> int:
    """Let bots play on where a round's time is over, end the rounds of which all games are, and the tournaments that
    nobody has begun; how many rounds ended. One that cannot end is logged. As all clocks do, rounds wait while the
    operator has paused all mail."""
    for (tournament_id,) in sql.rows(store, _NEVER_BEGUN, utc(now - OPEN_FOR)):
        with store.write():
            sql.execute(store, _END + " AND status = 'open'", utc(now), tournament_id)
    late = [] if pauses.by_operator(store) is not None else sql.rows(store, _LATE, utc(now))
    for (game_id,) in late:
        with changing(store):
            hand_over(store, game_id, None, now)
    ended = 0
    for (tournament_id,) in sql.rows(store, _DONE):
        if store.closing.is_set():
            break
        try:
            _end_round(store, tournament_id, now)
            ended += 1
        except Exception:
            log.exception("tournament %s: its round could not be ended", tournament_id)
    return ended


def hand_over(store: Store, game_id: str, player_id: str | None, now: datetime) -> None:
    """Let the stand-in play on for a player (None: for all people) at a table, in a running transaction of `changing`,
    and tell them."""
    game = loading.for_change(store, game_id)
    for seat in game.seats:
        gone = game.status != "running" or game.position.players[seat.number].resigned
        if seat.bot is None and not gone and player_id in (None, seat.player):
            before = seat.player
            taking_over.give_seat(store, game, seat.number, bots.STAND_IN, now)
            tell(store, notices.of_replacement(game, seat.number, before), now)


_UNCOUNTED = """
    SELECT x.game_id, x.entrants FROM tournament_game x JOIN game g ON g.id = x.game_id
    WHERE x.tournament_id = ? AND x.round = ? AND x.outcome IS NULL AND g.status = 'finished'"""
_COUNT = "UPDATE tournament_game SET outcome = ? WHERE game_id = ?"


def _end_round(store: Store, tournament_id: str, now: datetime) -> None:
    """Reveal the deals of a round whose games are all over; then count them, and go on. What a process that dies has
    not done, the next look does."""
    with store.read():
        found = find(store, tournament_id)
        dealt = [] if found is None else [one for one in boards(store, found.id) if one.round == found.round]
    for deal_id in sorted({one.deal for one in dealt}):
        deals.reveal(store, deal_id, now)
    with changing(store):
        tournament = find(store, tournament_id, locked=True)
        if tournament is None or found is None or tournament.status != "running" or tournament.round != found.round:
            return  # somebody was faster
        for game_id, entrants in sql.rows(store, _UNCOUNTED, tournament.id, tournament.round):
            state = loading.for_reader(store, game_id, None).position
            outcome = [one[1:] for one in places.seats_of(state, orjson.loads(entrants))]
            sql.execute(store, _COUNT, canonical_json(outcome), game_id)
        go_on(store, tournament, now)
