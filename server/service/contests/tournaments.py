"""Tournaments as people and programs have them: made, entered, begun, left and looked at. How they go on: `rounds`."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated, TypedDict, cast

from replays import pairing
from replays.pairing import KINDS
from replays.standings import next_season as next_division
from server.engine import rulesets
from server.engine.canonical import Json, canonical_json
from server.engine.ulm1.shapes import JsonSchema
from server.language import gettext as _
from server.service.accounts import bot_accounts, contacts
from server.service.accounts.players import Player
from server.service.archive import replays
from server.service.common import audit_log, checks, idempotency, naming
from server.service.common.errors import Conflict, Forbidden, NotFound, ServiceError, bad_field
from server.service.common.ids import random_id
from server.service.common.quotas import TOURNAMENT_BOTS, TOURNAMENTS
from server.service.contests import deals, rounds
from server.service.contests.rounds import Board, Entry, Standing, Tournament
from server.service.games import bots, loading
from server.service.games import clock as clocks
from server.service.games.clock import HOURS_MAX
from server.service.games.saving import changing
from server.service.seating import creating, seats
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

ENTRANTS_MAX = 64
ROUNDS_MAX = 40
BOARDS_MAX = 4
DIVISION_LEAST = 4
LISTED = 50
"""So many tournaments are listed, the newest."""


class TournamentSummary(Tournament):
    """A tournament in a list."""

    entrants: Annotated[int, "How many are in it."]
    entered: Annotated[bool, "The caller is in it."]


class TournamentTable(TypedDict):
    """A game of a tournament."""

    round: int
    board: Annotated[int, "Which of the round's deals, from 1 on."]
    table: Annotated[int, "Which of the round's tables, from 1 on."]
    entrants: Annotated[list[int | None], "Their numbers by seat; null is a bot that fills the table."]
    names: Annotated[list[str], "By seat."]
    game: Annotated[str | None, "Id of the game; while the round is played, told to those alone who sit there."]
    status: Annotated[str, JsonSchema(enum=["running", "finished", "abandoned"])]
    totals: Annotated[list[int] | None, "Points by seat; null while the round is played, or when it was given up."]


class TournamentDeal(TypedDict):
    """A deal of a round, the same at every table."""

    round: int
    board: int
    commitment: Annotated[str, "SHA-256 of the seed, shown before anybody plays."]
    seed: Annotated[str | None, "null until the last table of the round is done."]


class Division(TypedDict):
    """A tournament of a league."""

    id: str
    season: int
    division: Annotated[int, "1 is the highest."]


class TournamentPage(TournamentSummary):
    """A tournament as the caller sees it."""

    standings: Annotated[list[Standing], "The best first."]
    tables: list[TournamentTable]
    deals: list[TournamentDeal]
    league: Annotated[list[Division], "All tournaments of the same league, the newest season first."]
    number: Annotated[int | None, "The caller's; null: not in it."]
    may: Annotated[
        list[str], "What the caller may do now.", JsonSchema(items={"enum": ["enter", "leave", "organise", "go_on"]})
    ]


_UNFINISHED = "SELECT COUNT(*) FROM tournament WHERE organiser_id = ? AND status <> 'over'"


def make(
    store: Store,
    player: Player | None,
    name: str,
    kind: str,
    seats: int,
    now: datetime,
    *,
    options: Mapping[str, object] | None = None,
    clock: Mapping[str, object] | None = None,
    boards: int = 1,
    rounds: int | None = None,
    round_hours: int | None = None,
    guests: bool = True,
    asked: idempotency.Asked | None = None,
) -> str:
    """Open a tournament for others to enter; its id. `player` is its organiser, None the operator. What was `asked`
    before is the one that was opened then. Raises `Unprocessable`, `Forbidden` for a bot, `Conflict` for who has
    too many."""
    if kind not in KINDS:
        raise bad_field("kind", _("one of %(names)s", names=", ".join(KINDS)))
    rules = rulesets.for_new_games()
    row = {
        "name": checks.name("name", name),
        "kind": kind,
        "seats": checks.whole("seats", seats, 2, 4),
        "boards": checks.whole("boards", boards, 1, BOARDS_MAX),
        "rounds": None if rounds is None else checks.whole("rounds", rounds, 1, ROUNDS_MAX),
        "round_hours": None if round_hours is None else checks.whole("round_hours", round_hours, 1, HOURS_MAX),
        "guests": checks.flag("guests", guests),
        "ruleset": rules.name,
        "options": canonical_json(creating.check_options(options, rules)),
    }
    checked = clocks.check(clock, now)
    if checked is not None and checked["start_by"] is not None:
        raise bad_field("clock.start_by", _("the rounds of a tournament start by themselves: leave it out"))
    row["clock"] = None if checked is None else canonical_json(checked)
    made = random_id(secrets.token_bytes, 12)
    with store.write():
        told = idempotency.before(store, asked)
        if told is not None:
            return str(told.kept["id"])
        if player is not None:
            bot_accounts.require_person(store, player)
            if (sql.value(store, _UNFINISHED, player.id) or 0) >= TOURNAMENTS:
                why = _(
                    "%(number)s tournaments of yours are not over: wait for one to end, or call one off",
                    number=TOURNAMENTS,
                )
                raise Conflict(why, kind="limit-reached")
            row["organiser_id"] = player.id
        sql.insert(store, "tournament", id=made, status="open", round=0, created_at=utc(now), **row)
        idempotency.keep(store, asked, {"id": made}, now)
    return made


def enter(store: Store, player: Player, tournament_id: str, now: datetime) -> TournamentPage:
    """Enter a tournament that has not begun; or one under way where somebody has left a place: it is the player's from
    the next round on. Raises `NotFound`, `Forbidden` (a bot; a guest where they may not; kept away by somebody there),
    `Conflict`."""
    with changing(store):
        found, there = _found(store, tournament_id)
        number = _place_for(store, found, there, player)
        _put(store, tournament_id, there, number, player.name, now, player_id=player.id)
        return _page(store, tournament_id, player)


_IN_IT = """
    SELECT 1 FROM tournament_entry e JOIN tournament t ON t.id = e.tournament_id
    WHERE e.player_id = ? AND (t.id = ? OR (t.league_id = ? AND t.season = ?))"""
_LOWER = "SELECT 1 FROM tournament WHERE league_id = ? AND season = ? AND division > ?"


def _place_for(store: Store, found: Tournament, there: list[Entry], player: Player | None) -> int:
    """The number that `player` (None: a stranger, who becomes a guest) has who enters: a new one, or of somebody who
    has left and would play in the next round, too. Raises as `enter`."""
    if player is not None:
        bot_accounts.require_person(store, player)
        if sql.row(store, _IN_IT, player.id, found["id"], found["league_id"], found["season"]):
            raise Conflict(_("you are in it already, or in another division"))
        contacts.require_welcome(store, player, [found["organiser"], *(one["player"] for one in there)])
    if not found["guests"] and (player is None or player.is_guest):
        raise Forbidden(_("this tournament is for players with an email address: give yours first"))
    left = [one for one in there if one["left"]]
    if left and found["status"] == "running" and found["round"] != found["rounds"]:
        tables = [one.entrants for one in rounds.boards(store, found["id"]) if one.round == found["round"]]
        for one in left:
            if any(one["number"] in table for table in tables):
                return one["number"]
    _require_open(found, there)
    if sql.row(store, _LOWER, found["league_id"], found["season"], found["division"]):
        raise Conflict(_("whoever is new in a league begins in its lowest division"))
    return _next_number(there)


def add_bot(store: Store, player: Player | None, tournament_id: str, bot: str, now: datetime) -> TournamentPage:
    """Let a bot of the house enter; its organiser may (None: the operator). Raises `NotFound`, `Forbidden`, `Conflict`,
    `Unprocessable` for a bot that is not there."""
    if bot not in bots.names():
        raise bad_field("bot", _("one of %(names)s", names=", ".join(bots.names())))
    with changing(store):
        found, there = _found(store, tournament_id)
        _require_organiser(found, player)
        _require_open(found, there)
        if player is not None and sum(one["bot"] is not None for one in there) >= TOURNAMENT_BOTS:
            raise Conflict(
                _("at most %(number)s bots of the house enter a tournament", number=TOURNAMENT_BOTS),
                kind="limit-reached",
            )
        _put(store, tournament_id, there, _next_number(there), bots.seat_name(bot), now, bot=bot)
        return _page(store, tournament_id, player)


_WITHDRAW = "DELETE FROM tournament_entry WHERE tournament_id = ? AND number = ?"


def _put(
    store: Store, tournament_id: str, there: list[Entry], number: int, name: str, now: datetime, **who: str | None
) -> None:
    """Give somebody a place, in the stead of whoever has it."""
    called = seats.free_name(name, [one["name"] for one in there if one["number"] != number])
    named = {"name": called, "name_kind": naming.kind_of(called), "entered_at": utc(now)}
    sql.execute(store, _WITHDRAW, tournament_id, number)
    sql.insert(store, "tournament_entry", tournament_id=tournament_id, number=number, **named, **who)


def _next_number(there: list[Entry]) -> int:
    return max((one["number"] for one in there), default=0) + 1


def leave(store: Store, player: Player, tournament_id: str, number: int, now: datetime) -> TournamentPage:
    """Take an entrant out: oneself, or as the organiser anybody before the start. Behind it the stand-in plays on, here
    and at the tables of the round. Raises `NotFound`, `Forbidden`, `Conflict` when it is over."""
    with changing(store):
        found, there = _found(store, tournament_id)
        entry = next((one for one in there if one["number"] == number), None)
        if entry is None:
            raise NotFound(_("nobody has that number in this tournament"))
        if found["status"] == "over":
            raise Conflict(_("this tournament is over"))
        if found["status"] == "open":
            if entry["player"] != player.id:
                _require_organiser(found, player)
            sql.execute(store, _WITHDRAW, tournament_id, number)
        elif entry["player"] != player.id:
            raise Forbidden(_("when a player does not come, propose at the table that a bot takes the seat"))
        else:
            left = {"bot": bots.STAND_IN, "left_at": utc(now)}
            _put(store, tournament_id, there, number, bots.seat_name(bots.STAND_IN), now, **left)
    if found["status"] == "running":
        rounds.stand_in(store, tournament_id, found["round"], player.id, now)
    return page(store, tournament_id, player)


def start(store: Store, player: Player | None, tournament_id: str, now: datetime) -> TournamentPage:
    """Begin the first round; its organiser may (None: the operator). Raises `NotFound`, `Forbidden`, `Conflict`."""
    with changing(store):
        found, there = _organised(store, player, tournament_id)
        if len(there) < 2:
            raise Conflict(_("a tournament needs two entrants at least: let bots enter, or wait for others"))
        if found["rounds"] is None or found["kind"] == "knock-out":
            found["rounds"] = pairing.usual_rounds(found["kind"], len(there), found["seats"])
        rounds.go_on(store, found, now)
        return _page(store, tournament_id, player)


def call_off(store: Store, player: Player, tournament_id: str, now: datetime) -> TournamentPage:
    """End a tournament that has not begun; its organiser may. Raises `NotFound`, `Forbidden`, `Conflict`."""
    with changing(store):
        _organised(store, player, tournament_id)
        rounds.end(store, tournament_id, now)
        return _page(store, tournament_id, player)


def _organised(store: Store, player: Player | None, tournament_id: str) -> tuple[Tournament, list[Entry]]:
    """A tournament that has not begun, for its organiser. Raises `NotFound`, `Forbidden`, `Conflict`."""
    found, there = _found(store, tournament_id)
    _require_organiser(found, player)
    if found["status"] != "open":
        raise Conflict(_("this tournament has begun already"))
    return found, there


def _found(store: Store, tournament_id: str, locked: bool = True) -> tuple[Tournament, list[Entry]]:
    """A tournament, and who is in it; `locked` to be changed. Raises `NotFound`."""
    found = rounds.find(store, tournament_id, locked)
    if found is None:
        raise NotFound(_("there is no such tournament"))
    return found, rounds.entries(store, tournament_id)


def _require_organiser(found: Tournament, player: Player | None) -> None:
    if player is not None and found["organiser"] != player.id:
        raise Forbidden(_("only whoever made this tournament may do that"))


def _require_open(found: Tournament, there: list[Entry]) -> None:
    if found["status"] != "open":
        raise Conflict(_("this tournament has begun: nobody enters any more"))
    if len(there) >= ENTRANTS_MAX:
        raise Conflict(_("this tournament is full: it has %(number)s entrants", number=ENTRANTS_MAX))


_SEASON = f"""
    SELECT {rounds.COLUMNS} FROM tournament t WHERE t.league_id = ? AND t.season = ? ORDER BY t.division"""  # noqa: S608
_NEXT = "SELECT 1 FROM tournament WHERE league_id = ? AND season > ?"
_FOUND = "UPDATE tournament SET league_id = id, season = 1, division = 1 WHERE id = ? AND league_id IS NULL"
_OPEN_DIVISION = """
    INSERT INTO tournament (id, name, kind, seats, ruleset, options, clock, boards, rounds, round_hours, guests, status,
        round, organiser_id, league_id, season, division, created_at)
    SELECT ?, name, kind, seats, ruleset, options, clock, boards, rounds, round_hours, guests, 'open', 0, organiser_id,
        league_id, season + 1, ?, ? FROM tournament WHERE id = ?"""


def next_season(store: Store, player: Player | None, tournament_id: str, size: int, now: datetime) -> TournamentPage:
    """Open the next season of a league from the places of the last, in divisions of `size`, for their organiser to
    start; a round robin that is over becomes the first season of one. All who are still in it enter. Returns the
    highest division. Raises `NotFound`, `Forbidden`, `Unprocessable`, `Conflict` (not over, or begun)."""
    size = checks.whole("size", size, DIVISION_LEAST, ENTRANTS_MAX)
    with changing(store):
        found, _there = _found(store, tournament_id)
        _require_organiser(found, player)
        _require_next_season(store, found)
        sql.execute(store, _FOUND, tournament_id)
        league, season = found["league_id"] or tournament_id, found["season"] or 1
        divisions = []
        for one in map(rounds.of, sql.dicts(store, _SEASON, league, season)):
            if one["status"] != "over":
                raise Conflict(_("another division of this season is not over yet"))
            last = rounds.table(one, rounds.boards(store, one["id"]), rounds.entries(store, one["id"]))
            divisions.append([line for line in last if not line["left"] and (line["player"] or line["bot"])])
        made = []
        for division, lines in enumerate(next_division(divisions, size), 1):
            made.append(random_id(secrets.token_bytes, 12))
            sql.execute(store, _OPEN_DIVISION, made[-1], division, utc(now), tournament_id)
            for line in lines:
                there = rounds.entries(store, made[-1])
                who = {"player_id": line["player"], "bot": line["bot"]}
                _put(store, made[-1], there, _next_number(there), line["name"], now, **who)
        return _page(store, made[0], player)


def _require_next_season(store: Store, found: Tournament) -> None:
    """Raise `Conflict` unless the next season can be opened now."""
    played = found["round"] > 0 or found["season"] is not None
    if found["kind"] != "round-robin" or found["status"] != "over" or not played:
        raise Conflict(_("a league goes on from a round robin that is over"))
    if sql.row(store, _NEXT, found["league_id"], found["season"]):
        raise Conflict(_("the next season is open already"))


_UNNAME = """
    UPDATE game SET name = 'Tournament', version = version + 1
    WHERE id IN (SELECT game_id FROM tournament_game WHERE tournament_id = ?)"""


def remove_as_operator(store: Store, tournament_id: str, now: datetime) -> str:
    """Delete one on behalf of the operator; returns its name. What is still played is given up; games stay, without
    the name. Raises `NotFound`."""
    with store.write():
        found, _there = _found(store, tournament_id)
        rounds.end(store, tournament_id, now)
        dealt = {one.deal for one in rounds.boards(store, tournament_id)}
    for deal_id in sorted(dealt):
        deals.reveal(store, deal_id, now)
    with store.write():
        sql.execute(store, _UNNAME, tournament_id)
        sql.execute(store, "DELETE FROM tournament WHERE id = ?", tournament_id)
        audit_log.note(store, "operator_removed_tournament", now, found["organiser"], tournament=tournament_id)
    return found["name"]


# To be looked at


_LISTED = f"""
    SELECT {rounds.COLUMNS},
        (SELECT COUNT(*) FROM tournament_entry e WHERE e.tournament_id = t.id) AS entrants,
        EXISTS (SELECT 1 FROM tournament_entry e WHERE e.tournament_id = t.id AND e.player_id = ?) AS entered
    FROM tournament t
    ORDER BY t.status = 'over', t.status = 'running', t.created_at DESC, t.id LIMIT {LISTED}"""  # noqa: S608


def listing(store: Store, player: Player | None) -> list[TournamentSummary]:
    """The newest tournaments, those first that can be entered, then those under way."""
    with store.read():
        found = sql.dicts(store, _LISTED, "" if player is None else player.id)
    return [cast("TournamentSummary", {**rounds.of(one), "entered": bool(one["entered"])}) for one in found]


def page(store: Store, tournament_id: str, player: Player | None) -> TournamentPage:
    """A tournament as `player` (None: a stranger, or the operator) sees it. Raises `NotFound`."""
    with store.read():
        return _page(store, tournament_id, player)


_DEALS = """
    SELECT x.round, x.board + 1 AS board, d.commitment,
        CASE WHEN d.revealed_at IS NULL THEN NULL ELSE d.server_seed END AS seed
    FROM tournament_game x JOIN game g ON g.id = x.game_id JOIN deal d ON d.id = g.deal_id
    WHERE x.tournament_id = ? AND x.place = 0 ORDER BY x.round, x.board"""
_SITS = """
    SELECT x.game_id FROM tournament_game x JOIN seat s ON s.game_id = x.game_id
    WHERE x.tournament_id = ? AND s.player_id = ?"""
_LEAGUE = "SELECT id, season, division FROM tournament WHERE league_id = ? ORDER BY season DESC, division"


def _page(store: Store, tournament_id: str, player: Player | None) -> TournamentPage:
    found, there = _found(store, tournament_id, locked=False)
    played, dealt = rounds.boards(store, tournament_id), sql.dicts(store, _DEALS, tournament_id)
    asker = "" if player is None else player.id
    own = next((one["number"] for one in there if one["player"] == asker), None)
    sits = {game for (game,) in sql.rows(store, _SITS, tournament_id, asker)}
    names: dict[int | None, str] = {None: rounds.FILLS["name"], **{one["number"]: one["name"] for one in there}}
    revealed = {one["round"] for one in dealt if one["seed"] is not None}
    page = {
        **found,
        "entrants": len(there),
        "entered": own is not None,
        "standings": rounds.table(found, played, there),
        "tables": [_table(one, names, one.round in revealed or one.game in sits) for one in played],
        "deals": dealt,
        "league": sql.dicts(store, _LEAGUE, found["league_id"]),
        "number": own,
        "may": _may(store, found, there, player),
    }
    return cast("TournamentPage", page)


def _table(one: Board, names: Mapping[int | None, str], shown: bool) -> TournamentTable:
    return {
        "round": one.round,
        "board": one.board + 1,
        "table": one.place + 1,
        "entrants": list(one.entrants),
        "names": [names[number] for number in one.entrants],
        "game": one.game if shown else None,
        "status": one.status,
        "totals": None if one.outcome is None else [came[0] for came in one.outcome],
    }


def _may(store: Store, found: Tournament, there: list[Entry], player: Player | None) -> list[str]:
    going, organises = found["status"] != "over", player is not None and player.id == found["organiser"]
    can = {
        "leave": going and player is not None and any(one["player"] == player.id for one in there),
        "organise": organises and going,
    }
    may = [what for what, holds in can.items() if holds]
    if organises:
        with suppress(Conflict):
            _require_next_season(store, found)
            may.append("go_on")
    with suppress(ServiceError):
        _place_for(store, found, there, player)
        may.insert(0, "enter")
    return may


def records(store: Store, tournament_id: str) -> Iterator[dict[str, Json]]:
    """The records of all games that count, round by round: whoever has them computes the places. Raises `NotFound`."""
    with store.read():
        _found(store, tournament_id, locked=False)
        games = [one.game for one in rounds.boards(store, tournament_id) if one.outcome is not None]

    def each() -> Iterator[dict[str, Json]]:
        for game_id in games:
            with store.read():
                yield replays.make_record(store, loading.for_reader(store, game_id, None)).to_dict()

    return each()
