"""Tournaments as people and programs have them: made, entered, begun, left and looked at. How they go on: `rounds`."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, TypedDict, cast

from replays import pairing
from replays.pairing import KINDS
from replays.standings import next_season as next_division
from server.engine import rulesets
from server.engine.canonical import Json, canonical_json
from server.engine.rulesets import Rules
from server.engine.ulm1.shapes import JsonSchema, Options, UtcTime
from server.language import gettext as _
from server.service.accounts import bot_accounts, contacts
from server.service.accounts.players import Player
from server.service.archive import replays
from server.service.common import checks, idempotency, naming
from server.service.common.errors import Conflict, Forbidden, NotFound, bad_field
from server.service.common.ids import random_id
from server.service.common.quotas import TOURNAMENT_BOTS, TOURNAMENTS
from server.service.contests import rounds
from server.service.contests.rounds import Board, Entry, Tournament
from server.service.games import bots, loading
from server.service.games import clock as clocks
from server.service.games.clock import HOURS_MAX
from server.service.games.model import ClockForm
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

KindName = Annotated[str, JsonSchema(enum=list(KINDS))]
StatusName = Annotated[str, JsonSchema(enum=["open", "running", "over"])]


class TournamentSummary(TypedDict):
    """A tournament in a list."""

    id: str
    name: str
    kind: KindName
    status: StatusName
    seats: Annotated[int, "Of each table."]
    entrants: Annotated[int, "How many are in it."]
    round: Annotated[int, "The one under way, or the last; 0 before the first."]
    rounds: Annotated[int | None, "null: as many as are usual, which is known when it starts."]
    created_at: UtcTime
    entered: Annotated[bool, "The caller is in it."]


class Standing(TypedDict):
    """Who is in a tournament, and the place so far. It counts the rounds that are over."""

    number: int
    name: str
    player: Annotated[str | None, "Id of the player; null for a bot of the house and for who is gone."]
    bot: Annotated[str | None, "Which bot of the house plays."]
    left: Annotated[bool, "A person has left the place; whoever enters now has it from the next round on."]
    place: int
    points: Annotated[int, "At the own tables: 2 for each other with a worse rank, 1 for each with the same."]
    duplicate: Annotated[int, "Against the same seat of the same deal at other tables, counted likewise by points."]
    margin: Annotated[int, "Own points less those of each other at the own tables."]
    last_round: Annotated[int, "The last one played that is over; 0: none."]


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

    ruleset: str
    options: Options
    clock: ClockForm | None
    boards: Annotated[int, "How many deals each table plays in a round; seats move on between them."]
    round_hours: Annotated[int | None, "So long a round takes at most: then bots play on."]
    round_ends_at: UtcTime | None
    guests: Annotated[bool, "Guests may enter."]
    organiser: Annotated[str | None, "Id of who made it; null: the operator, or somebody who is gone."]
    started_at: UtcTime | None
    finished_at: UtcTime | None
    standings: Annotated[list[Standing], "The best first."]
    tables: list[TournamentTable]
    deals: list[TournamentDeal]
    season: Annotated[int | None, "Of a league; null: of none."]
    division: int | None
    league: Annotated[list[Division], "All tournaments of the same league, the newest season first."]
    number: Annotated[int | None, "The caller's; null: not in it."]
    may: Annotated[
        list[str], "What the caller may do now.", JsonSchema(items={"enum": ["enter", "leave", "organise", "go_on"]})
    ]


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
    rules: Rules | None = None,
    asked: idempotency.Asked | None = None,
) -> str:
    """Open a tournament for others to enter; its id. `player` is its organiser, None the operator. What was `asked`
    before is the one that was opened then. Raises `Unprocessable`, `Forbidden` for a bot, `Conflict` for who has
    too many."""
    if kind not in KINDS:
        raise bad_field("kind", _("one of %(names)s", names=", ".join(KINDS)))
    rules = rules or rulesets.for_new_games()
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
            _require_room(store, player)
            row["organiser_id"] = player.id
        sql.insert(store, "tournament", id=made, status="open", round=0, created_at=utc(now), **row)
        idempotency.keep(store, asked, {"id": made}, now)
    return made


_UNFINISHED = "SELECT COUNT(*) FROM tournament WHERE organiser_id = ? AND status <> 'over'"


def _require_room(store: Store, player: Player) -> None:
    if (sql.value(store, _UNFINISHED, player.id) or 0) >= TOURNAMENTS:
        raise Conflict(
            _("%(number)s tournaments of yours are not over: wait for one to end", number=TOURNAMENTS),
            kind="limit-reached",
        )


_TAKE = """
    UPDATE tournament_entry SET player_id = ?, bot = NULL, name = ?, name_kind = NULL, left_at = NULL
    WHERE tournament_id = ? AND number = ?"""


def enter(store: Store, player: Player, tournament_id: str, now: datetime) -> TournamentPage:
    """Enter a tournament that has not begun; or one under way where somebody has left a place: it is the player's from
    the next round on. Raises `NotFound`, `Forbidden` (a bot; a guest where they may not; kept away by somebody there),
    `Conflict`."""
    with changing(store):
        found, there = _found(store, tournament_id)
        bot_accounts.require_person(store, player)
        if any(one.player == player.id for one in there):
            raise Conflict(_("you are in this tournament already"))
        if player.is_guest and not found.guests:
            raise Forbidden(_("this tournament is for players with an email address: give yours first"))
        contacts.require_welcome(store, player, [found.organiser, *(one.player for one in there)])
        left = next((one for one in there if one.left_at is not None), None)
        if found.status == "running" and left is not None:
            name = seats.free_name(player.name, [one.name for one in there if one is not left])
            sql.execute(store, _TAKE, player.id, name, found.id, left.number)
        else:
            _require_open(found, there)
            if found.division is not None and sql.row(store, _LOWER, found.league, found.season, found.division):
                raise Conflict(_("whoever is new in a league begins in its lowest division"))
            _add(store, found, there, player.id, None, player.name, now)
        return _page(store, found.id, player)


_LOWER = "SELECT 1 FROM tournament WHERE league_id = ? AND season = ? AND division > ?"


def add_bot(store: Store, player: Player | None, tournament_id: str, bot: str, now: datetime) -> TournamentPage:
    """Let a bot of the house enter; its organiser may (None: the operator). Raises `NotFound`, `Forbidden`, `Conflict`,
    `Unprocessable` for a bot that is not there."""
    if bot not in bots.names():
        raise bad_field("bot", _("one of %(names)s", names=", ".join(bots.names())))
    with changing(store):
        found, there = _found(store, tournament_id)
        _require_organiser(found, player)
        _require_open(found, there)
        if player is not None and sum(one.bot is not None for one in there) >= TOURNAMENT_BOTS:
            raise Conflict(
                _("at most %(number)s bots of the house enter a tournament", number=TOURNAMENT_BOTS),
                kind="limit-reached",
            )
        _add(store, found, there, None, bot, bots.seat_name(bot), now)
        return _page(store, found.id, player)


def _add(
    store: Store, found: Tournament, there: list[Entry], player: str | None, bot: str | None, name: str, now: datetime
) -> None:
    called = seats.free_name(name, [one.name for one in there])
    sql.insert(
        store,
        "tournament_entry",
        tournament_id=found.id,
        number=max((one.number for one in there), default=0) + 1,
        player_id=player,
        bot=bot,
        name=called,
        name_kind=naming.kind_of(called),
        entered_at=utc(now),
    )


_WITHDRAW = "DELETE FROM tournament_entry WHERE tournament_id = ? AND number = ?"
_LEAVE = """
    UPDATE tournament_entry SET player_id = NULL, bot = ?, name = ?, name_kind = ?, left_at = ?
    WHERE tournament_id = ? AND number = ?"""
_PLAYING = """
    SELECT x.game_id FROM tournament_game x JOIN seat s ON s.game_id = x.game_id JOIN game g ON g.id = x.game_id
    WHERE x.tournament_id = ? AND s.player_id = ? AND g.status = 'running' ORDER BY x.game_id"""


def leave(store: Store, player: Player | None, tournament_id: str, number: int, now: datetime) -> TournamentPage:
    """Take an entrant out: oneself, or as the organiser (None: the operator) anybody but who sits at the same table.
    Before the start the place is gone; after it the stand-in plays on, here and at the tables of the round. Raises
    `NotFound`, `Forbidden`, `Conflict` when it is over."""
    with changing(store):
        found, there = _found(store, tournament_id)
        entry = next((one for one in there if one.number == number), None)
        if entry is None:
            raise NotFound(_("nobody has that number in this tournament"))
        if player is None or entry.player != player.id:
            _require_organiser(found, player)
            _require_elsewhere(store, found, there, player, number)
        if found.status == "over":
            raise Conflict(_("this tournament is over"))
        if found.status == "open":
            sql.execute(store, _WITHDRAW, found.id, number)
        elif entry.bot is not None:
            raise Conflict(_("a bot has this place already"))
        else:
            name = seats.free_name(bots.seat_name(bots.STAND_IN), [one.name for one in there if one is not entry])
            kind = naming.kind_of(name)
            sql.execute(store, _LEAVE, bots.STAND_IN, name, kind, utc(now), found.id, number)
    if found.status == "running" and entry.player is not None:
        for (game_id,) in sql.rows(store, _PLAYING, found.id, entry.player):
            with changing(store):
                rounds.hand_over(store, game_id, entry.player, now)
    return page(store, tournament_id, player)


def _require_elsewhere(store: Store, found: Tournament, there: list[Entry], player: Player | None, number: int) -> None:
    """Raise `Forbidden` where `player` plays against an entrant, of whom they would make a bot."""
    own = next((one.number for one in there if player is not None and one.player == player.id), None)
    for one in rounds.boards(store, found.id):
        if one.status == "running" and own in one.entrants and number in one.entrants:
            raise Forbidden(
                _("you sit at one table: propose there that a bot takes the seat, when its player does not come")
            )


_START = "UPDATE tournament SET started_at = ?, rounds = ? WHERE id = ?"


def start(store: Store, player: Player | None, tournament_id: str, now: datetime) -> TournamentPage:
    """Begin the first round; its organiser may (None: the operator). Raises `NotFound`, `Forbidden`, `Conflict`."""
    with changing(store):
        found, there = _found(store, tournament_id)
        _require_organiser(found, player)
        if found.status != "open":
            raise Conflict(_("this tournament has begun already"))
        if len(there) < 2:
            raise Conflict(_("a tournament needs two entrants at least: let bots enter, or wait for others"))
        usual = pairing.usual_rounds(found.kind, len(there), found.seats)
        number = found.rounds if found.rounds is not None and found.kind != "knock-out" else usual
        sql.execute(store, _START, utc(now), number, found.id)
        began = rounds.find(store, found.id)
        if began is not None:
            rounds.go_on(store, began, now)
        return _page(store, found.id, player)


def _found(store: Store, tournament_id: str) -> tuple[Tournament, list[Entry]]:
    """A tournament to be changed, and who is in it. Raises `NotFound`."""
    found = rounds.find(store, tournament_id, locked=True)
    if found is None:
        raise _no_such()
    return found, rounds.entries(store, found.id)


def _no_such() -> NotFound:
    return NotFound(_("there is no such tournament"))


def _require_organiser(found: Tournament, player: Player | None) -> None:
    if player is not None and found.organiser != player.id:
        raise Forbidden(_("only whoever made this tournament may do that"))


def _require_open(found: Tournament, there: list[Entry]) -> None:
    if found.status != "open":
        raise Conflict(_("this tournament has begun: nobody enters any more"))
    if len(there) >= ENTRANTS_MAX:
        raise Conflict(_("this tournament is full: it has %(number)s entrants", number=ENTRANTS_MAX))


_SEASON = f"""
    SELECT {rounds.COLUMNS} FROM tournament t WHERE t.league_id = ? AND t.season = ? ORDER BY t.division"""  # noqa: S608
_FOUND = "UPDATE tournament SET league_id = id, season = 1, division = 1 WHERE id = ?"


def _goes_on(found: Tournament) -> bool:
    return found.kind == "round-robin" and found.status == "over"


def next_season(store: Store, player: Player | None, tournament_id: str, size: int, now: datetime) -> TournamentPage:
    """Open the next season of a league from the places of the last, in divisions of `size`, for their organiser (None:
    the operator) to start; a round robin that is over becomes the first season of one. All who are still in it enter.
    Returns the highest division. Raises `NotFound`, `Forbidden`, `Unprocessable`, `Conflict` (not over, or begun)."""
    size = checks.whole("size", size, DIVISION_LEAST, ENTRANTS_MAX)
    with changing(store):
        found, _there = _found(store, tournament_id)
        _require_organiser(found, player)
        if not _goes_on(found):
            raise Conflict(_("a league goes on from a round robin that is over"))
        league, season = found.league or found.id, (found.season or 1) + 1
        if found.league is None:
            sql.execute(store, _FOUND, found.id)
        last = [rounds.of(row) for row in sql.rows(store, _SEASON, league, season - 1)]
        if any(one.status != "over" for one in last):
            raise Conflict(_("another division of this season is not over yet"))
        who: dict[int, Entry] = {}
        divisions = []
        for one in last:
            there = {entry.number: entry for entry in rounds.entries(store, one.id)}
            lines = rounds.table(one, rounds.boards(store, one.id), list(there))
            stays = [there[line.entrant] for line in lines if isinstance(line.entrant, int)]
            stays = [entry for entry in stays if entry.left_at is None and (entry.player or entry.bot)]
            divisions.append(list(range(len(who), len(who) + len(stays))))
            who.update(zip(divisions[-1], stays, strict=True))
        made = []
        for division, numbers in enumerate(next_division(divisions, size), 1):
            made.append(random_id(secrets.token_bytes, 12))
            sql.execute(store, _OPEN_DIVISION, made[-1], season, division, utc(now), found.id)
            for number in numbers:
                new, entered = _found(store, made[-1])
                _add(store, new, entered, who[number].player, who[number].bot, who[number].name, now)
        return _page(store, made[0], player)


_OPEN_DIVISION = """
    INSERT INTO tournament (id, name, kind, seats, ruleset, options, clock, boards, rounds, round_hours, guests, status,
        round, organiser_id, league_id, season, division, created_at)
    SELECT ?, name, kind, seats, ruleset, options, clock, boards, rounds, round_hours, guests, 'open', 0, organiser_id,
        league_id, ?, ?, ? FROM tournament WHERE id = ?"""


# To be looked at


_LISTED = f"""
    SELECT t.id, t.name, t.kind, t.status, t.seats, t.round, t.rounds, t.created_at,
        (SELECT COUNT(*) FROM tournament_entry e WHERE e.tournament_id = t.id) AS entrants,
        EXISTS (SELECT 1 FROM tournament_entry e WHERE e.tournament_id = t.id AND e.player_id = ?) AS entered
    FROM tournament t ORDER BY t.created_at DESC, t.id LIMIT {LISTED}"""  # noqa: S608


def listing(store: Store, player: Player | None) -> list[TournamentSummary]:
    """The newest tournaments, those first that can be entered."""
    with store.read():
        found = sql.dicts(store, _LISTED, "" if player is None else player.id)
    found.sort(key=lambda one: ("open", "running", "over").index(one["status"]))
    return [cast("TournamentSummary", {**one, "entered": bool(one["entered"])}) for one in found]


def page(store: Store, tournament_id: str, player: Player | None) -> TournamentPage:
    """A tournament as `player` (None: a stranger, or the operator) sees it. Raises `NotFound`."""
    with store.read():
        return _page(store, tournament_id, player)


_DEALS = """
    SELECT x.round, x.board + 1, d.commitment, CASE WHEN d.revealed_at IS NULL THEN NULL ELSE d.server_seed END
    FROM tournament_game x JOIN game g ON g.id = x.game_id JOIN deal d ON d.id = g.deal_id
    WHERE x.tournament_id = ? AND x.place = 0 ORDER BY x.round, x.board"""


_LEAGUE = "SELECT id, season, division FROM tournament WHERE league_id = ? ORDER BY season DESC, division"


def _page(store: Store, tournament_id: str, player: Player | None) -> TournamentPage:
    found = rounds.find(store, tournament_id)
    if found is None:
        raise _no_such()
    there, played = rounds.entries(store, found.id), rounds.boards(store, found.id)
    dealt = [
        TournamentDeal(round=one[0], board=one[1], commitment=one[2], seed=one[3])
        for one in sql.rows(store, _DEALS, found.id)
    ]
    own = next((one for one in there if player is not None and one.player == player.id), None)
    who = {one.number: one for one in there}
    open_rounds = {one["round"] for one in dealt if one["seed"] is not None}
    return {
        "id": found.id,
        "name": found.name,
        "kind": found.kind,
        "status": found.status,
        "seats": found.seats,
        "entrants": len(there),
        "round": found.round,
        "rounds": found.rounds,
        "created_at": found.created_at,
        "entered": own is not None,
        "ruleset": found.ruleset,
        "options": found.options,
        "clock": found.clock,
        "boards": found.boards,
        "round_hours": found.round_hours,
        "round_ends_at": found.round_ends_at,
        "guests": found.guests,
        "organiser": found.organiser,
        "started_at": found.started_at,
        "finished_at": found.finished_at,
        "standings": _standings(found, played, who),
        "tables": [_table(one, who, own, one.round in open_rounds) for one in played],
        "deals": dealt,
        "season": found.season,
        "division": found.division,
        "league": [] if found.league is None else cast("list[Division]", sql.dicts(store, _LEAGUE, found.league)),
        "number": None if own is None else own.number,
        "may": _may(found, there, own, player),
    }


def _standings(found: Tournament, played: list[Board], who: dict[int, Entry]) -> list[Standing]:
    lines = []
    for line in rounds.table(found, played, list(who)):
        one = who.get(line.entrant) if isinstance(line.entrant, int) else None
        if one is not None:
            lines.append(
                Standing(
                    number=one.number,
                    name=one.name,
                    player=one.player,
                    bot=one.bot,
                    left=one.left_at is not None,
                    place=line.place,
                    points=line.measure.points,
                    duplicate=line.measure.duplicate,
                    margin=line.measure.margin,
                    last_round=line.rounds,
                )
            )
    return lines


def _table(one: Board, who: dict[int, Entry], own: Entry | None, revealed: bool) -> TournamentTable:
    sits = own is not None and own.number in one.entrants
    return {
        "round": one.round,
        "board": one.board + 1,
        "table": one.place + 1,
        "entrants": list(one.entrants),
        "names": [bots.seat_name(bots.STAND_IN) if number is None else who[number].name for number in one.entrants],
        "game": one.game if sits or revealed else None,
        "status": one.status,
        "totals": None if one.outcome is None else [came[0] for came in one.outcome],
    }


def _may(found: Tournament, there: list[Entry], own: Entry | None, player: Player | None) -> list[str]:
    room = found.status == "open" and len(there) < ENTRANTS_MAX
    place = found.status == "running" and any(one.left_at is not None for one in there)
    can = {
        "enter": own is None and (room or place),
        "leave": own is not None and found.status != "over",
        "organise": player is not None and player.id == found.organiser and found.status != "over",
        "go_on": player is not None and player.id == found.organiser and _goes_on(found),
    }
    return [what for what, holds in can.items() if holds]


def records(store: Store, tournament_id: str) -> Iterator[dict[str, Json]]:
    """The records of all games that count, round by round: whoever has them computes the places. Raises `NotFound`."""
    with store.read():
        if rounds.find(store, tournament_id) is None:
            raise _no_such()
        games = [one.game for one in rounds.boards(store, tournament_id) if one.outcome is not None]

    def each() -> Iterator[dict[str, Json]]:
        for game_id in games:
            with store.read():
                yield replays.make_record(store, loading.for_reader(store, game_id, None)).to_dict()

    return each()
