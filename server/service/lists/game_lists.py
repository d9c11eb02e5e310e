"""Lists of games, those of the first page among them, and which of them a caller may see."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Annotated, NamedTuple, TypedDict, cast

from server.engine.ulm1.shapes import JsonSchema, Options, Result, UtcTime
from server.language import gettext as _
from server.service.accounts import contacts
from server.service.accounts.players import Player
from server.service.common import checks
from server.service.common.errors import NotFound, bad_field
from server.service.common.naming import TITLE, seat_name, with_name
from server.service.games import clock as clocks
from server.service.games import listing_keys
from server.service.games.clock import DEADLINE
from server.service.games.model import SANDBOX, ClockForm, Origin
from server.service.lists import list_pages
from server.service.lists.list_pages import (
    LAST_OVER,
    NEWEST,
    PUBLIC,
    PUBLIC_VALUES,
    STATUSES,
    After,
    Status,
    Total,
    Where,
)
from server.service.outbox.pauses import BY_OPERATOR
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

_LISTED = f"""
    SELECT g.id, {TITLE}, g.status, g.ruleset, g.options, g.private, g.seats, g.ply, g.public_ply, g.to_move, g.origin,
        g.created_at, g.started_at, g.finished_at, g.result, g.clock, g.start_by, {DEADLINE} AS deadline,
        g.paused_at, g.rating_min, g.rating_max, g.deal_id AS deal
    FROM game g WHERE g.id IN """  # noqa: S608


class SeatedPlayer(TypedDict):
    """Who sits on a seat."""

    seat: int
    player: Annotated[str | None, "Id; null without an account."]
    name: str
    bot: Annotated[str | None, "By which name it is seated; with @ a bot that has an account, null for people."]
    bot_of: Annotated[str | None, "What the owner of a bot with an account is called."]
    autopilot: Annotated[bool, "The player was late twice in a row: the server plays until they come back."]


class RatingRange(TypedDict):
    """Between which ratings."""

    min: Annotated[int | None, "So many points at least; null: no limit."]
    max: Annotated[int | None, "So many at most; null: no limit."]


def rating_range(least: int | None, most: int | None) -> RatingRange | None:
    """Between which ratings, as it is told; None for no limit at all."""
    return None if least is None and most is None else {"min": least, "max": most}


class GameSummary(TypedDict):
    """What is said of a game everywhere."""

    id: str
    name: Annotated[str, JsonSchema(type=["string", "null"])]
    status: Status
    ruleset: str
    options: Options
    private: bool
    seats: int
    players: Annotated[list[SeatedPlayer | None], "By seat; null is free."]
    seat: Annotated[int | None, "The caller's own."]
    ply: Annotated[int, JsonSchema(type=["integer", "null"])]
    to_move: Annotated[int | None, "Seat that has to move."]
    clock: Annotated[ClockForm | None, "null: no deadlines."]
    start_by: Annotated[UtcTime | None, "An open game is given up when it has not started by then."]
    deadline: Annotated[UtcTime | None, "When the turn has to be over; null without clock, and while it stands still."]
    paused: Annotated[bool, "By agreement of all its players, or by the operator."]
    rating: Annotated[
        RatingRange | None,
        "Between which ratings somebody is who takes a seat without being invited by name; null: everybody may.",
    ]
    origin: Origin
    created_at: Annotated[UtcTime, "When it was made.", JsonSchema(type=["string", "null"])]
    started_at: Annotated[UtcTime | None, "When the last seat was taken."]
    finished_at: Annotated[UtcTime | None, "When it ended."]
    result: Result | None
    deal: Annotated[str | None, "Id of the deal that this game and others are played by."]


class ListedGame(GameSummary):
    """A game in a list."""

    free_seats: int


def listing(
    store: Store,
    player: Player | None,
    status: str | None = None,
    member: str | None = None,
    page: int = 1,
    page_size: int = 20,
    after: str | None = None,
    to_move: str | None = None,
    by_deadline: bool = False,
) -> tuple[list[ListedGame], Total]:
    """The games that the caller may see, newest first, and how many there are on all pages; imported ones are among the
    replays. `member` is the id of a player who sits in them, `to_move` that of the caller who is to move there; `after`
    names the game that the page follows (`list_pages.after_text` of `created_at`). `by_deadline`: those of one player,
    what runs out first coming first. Raises `Unprocessable`."""
    if status is not None and status not in STATUSES:
        known = f"one of {', '.join(STATUSES)}"
        raise bad_field("status", known)
    where = visible(
        player,
        None if member is None else checks.text("player", member, 64),
        statuses=STATUSES if status is None else (status,),
        kinds=(listing_keys.PLAYED, listing_keys.SANDBOX),
    )
    if to_move is not None:
        where = where.also("g.status = 'running'").also(MEMBER, to_move).also(_MY_TURN, to_move)
    if by_deadline and where.member is None:
        raise bad_field("sort", _("give player, too: deadlines are sorted for the games of one player"))
    if by_deadline and after is not None:
        raise bad_field("after", _("leave it out: a list by deadline is read page by page"))
    order = _URGENT if by_deadline else NEWEST
    return selected(store, player, where, order, page, page_size, list_pages.read_after(after))


class Standing(NamedTuple):
    """Where one of somebody's own games stands, as far as they see it."""

    game: str
    status: str
    ply: int
    to_move: int | None
    free_seats: int
    deadline: str | None
    unread: int


_UNREAD = f"""
    SELECT s.game_id, COUNT(*) FROM seat s JOIN message m ON m.game_id = s.game_id AND m.id > s.read_message
    WHERE s.player_id = ? AND (m.player_id IS NULL OR m.player_id <> s.player_id) AND {contacts.HEARD}
        AND s.game_id IN """  # noqa: S608


def unread(store: Store, player_id: str, game_ids: list[str]) -> dict[str, int]:
    """How much of what others wrote and did at these tables the player has not read, by game; none is left out."""
    statement = _UNREAD + sql.marks(game_ids) + " GROUP BY s.game_id"
    rows = sql.rows(store, statement, player_id, player_id, *game_ids) if game_ids else []
    return dict.fromkeys(game_ids, 0) | dict(rows)


_STANDINGS = f"""
    SELECT g.id, g.status, g.ply, g.public_ply, g.to_move, {DEADLINE} AS deadline, g.origin, s.seat,
        (SELECT COUNT(*) FROM seat f WHERE f.game_id = g.id AND f.name IS NULL)
    FROM game g JOIN seat s ON s.game_id = g.id AND s.player_id = ? WHERE g.id IN """  # noqa: S608


def standings(store: Store, player: Player, most: int) -> list[Standing]:
    """The newest of the games that a player sits in, as `listing` has them: at most so many, and no more of each."""
    where = visible(player, player.id, kinds=(listing_keys.PLAYED, listing_keys.SANDBOX))
    with store.read():
        found, _total = list_pages.page(store, where, NEWEST, 1, most)
        rows = sql.rows(store, _STANDINGS + sql.marks(found), player.id, *found)
        new = unread(store, player.id, found)
    games = {}
    for game, status, ply, public_ply, to_move, deadline, origin, sits, free in rows:
        seat = to_move if origin == SANDBOX and to_move is not None else sits
        shown = None if status == "abandoned" else to_move
        seen = ply if seat == to_move else public_ply
        games[game] = Standing(game, status, seen, shown, free, deadline, new[game])
    return [games[game] for game in found]


def selected(
    store: Store, player: Player | None, where: Where, order: str, page: int, page_size: int, after: After | None = None
) -> tuple[list[ListedGame], Total]:
    """One page of a list of games that `player` may see (`visible`), and how many there are on all pages."""
    with store.read():
        found, total = list_pages.page(store, where, order, page, page_size, after)
        games = {game["id"]: game for game in sql.dicts(store, _LISTED + sql.marks(found), *found)}
        seated = seats_of(store, found)
    return [_listed(games[game], seated[game], player) for game in found], total


def these(store: Store, player: Player | None, games: list[str]) -> list[ListedGame]:
    """Games that `player` may see, by their ids, in this order."""
    if not games:
        return []
    where = Where([f"g.id IN {sql.marks(games)}"], [*games])
    found, _total = selected(store, player, where, NEWEST, 1, len(games))
    return sorted(found, key=lambda game: games.index(game["id"]))


_LAST_TURNS = """
    SELECT game_id, MAX(played_at) FROM move WHERE game_id IN {marks} AND move = 'end' AND undone_at IS NULL
    GROUP BY game_id"""


def last_turns(store: Store, games: list[str]) -> dict[str, str]:
    """When a turn ended last in those of these games in which one has. Of moves within turns nothing is told."""
    marks = sql.marks(games)
    return dict(store.ask(lambda: sql.rows(store, _LAST_TURNS.format(marks=marks), *games))) if games else {}


def _listed(found: sql.ByName, seated: list[SeatedPlayer | None], player: Player | None) -> ListedGame:
    seat = next((one["seat"] for one in seated if one and player is not None and one["player"] == player.id), None)
    if seat is not None and found["origin"] == SANDBOX and found["to_move"] is not None:
        seat = found["to_move"]
    ply, public_ply, paused_at = found.pop("ply"), found.pop("public_ply"), found.pop("paused_at")
    clock = clocks.shown(json.loads(found["clock"]) if found["clock"] else None, found["start_by"])
    rating = rating_range(found.pop("rating_min"), found.pop("rating_max"))
    told = {
        **with_name(found),
        "options": json.loads(found["options"]),
        "private": bool(found["private"]),
        "result": json.loads(found["result"]) if found["result"] else None,
        "players": seated,
        "free_seats": seated.count(None),
        "seat": seat,
        "ply": ply if seat is not None and seat == found["to_move"] else public_ply,
        "to_move": None if found["status"] == "abandoned" else found["to_move"],
        "clock": clock,
        "start_by": found["start_by"] if found["status"] == "open" else None,
        "paused": paused_at is not None,
        "rating": rating,
    }
    return cast("ListedGame", told)


MEMBER = "EXISTS (SELECT 1 FROM seat m WHERE m.game_id = g.id AND m.player_id = ?)"
"""The SQL condition under which a player, its parameter, sits in game `g`."""


def visible(
    player: Player | None,
    member: str | None = None,
    won: bool = False,
    statuses: tuple[str, ...] = STATUSES,
    kinds: tuple[str, ...] = listing_keys.KINDS,
) -> Where:
    """The games of these statuses and kinds that the caller may see; those in which `member` sits, or `won`: of who
    wishes not to be found those alone in which the caller sits, too."""
    own = None if player is None else player.id
    where = Where(member=member, won=won, player=own, statuses=statuses, kinds=kinds)
    if member is None:
        return where if own is not None else where.public()
    if member == own:
        return where
    where = of_found(where, player, member)
    return (
        where.also(PUBLIC, *PUBLIC_VALUES)
        if own is None
        else where.also(f"({PUBLIC} OR {MEMBER})", *PUBLIC_VALUES, own)
    )


def of_found(where: Where, player: Player | None, member: str) -> Where:
    """Of these games, which were asked for by `member`, those that may be found so: of who wishes not to be found the
    ones in which `player`, who asks, sits too."""
    if player is None:
        return where.also(contacts.FOUND, member)
    return where if member == player.id else where.also(f"({contacts.FOUND} OR {MEMBER})", member, player.id)


def seated(
    seat: int,
    player: str | None,
    name: str | None,
    bot: str | None,
    handle: str | None,
    owner: str | None,
    autopilot: bool,
) -> SeatedPlayer | None:
    """Who sits on a seat; None where it is free."""
    if name is None:
        return None
    called = bot if handle is None else f"@{handle}"
    return {"seat": seat, "player": player, "name": name, "bot": called, "bot_of": owner, "autopilot": bool(autopilot)}


_SEATED = """
    SELECT s.game_id, s.seat, s.player_id, s.name, s.name_kind, s.bot, s.autopilot, b.handle, o.name
    FROM seat s LEFT JOIN bot_account b ON b.player_id = s.player_id LEFT JOIN player o ON o.id = b.owner_id
    WHERE s.game_id IN {marks} ORDER BY s.seat"""


def seats_of(store: Store, game_ids: list[str]) -> dict[str, list[SeatedPlayer | None]]:
    """Who sits in several games, by game and seat; None on a free one."""
    found: dict[str, list[SeatedPlayer | None]] = {game_id: [] for game_id in game_ids}
    rows = sql.rows(store, _SEATED.format(marks=sql.marks(game_ids)), *game_ids) if game_ids else []
    for game_id, seat, player, words, kind, bot, autopilot, handle, owner in rows:
        name = seat_name(words, kind, seat)
        found[game_id].append(seated(seat, player, name, bot, handle, owner, autopilot))
    return found


_HAS_FINISHED = """
    SELECT 1 FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.player_id = ? AND g.finished_at IS NOT NULL LIMIT 1"""


def is_beginner(store: Store, player_id: str) -> bool:
    """Whether no game is over in which the player has a seat."""
    return sql.row(store, _HAS_FINISHED, player_id) is None


TURNS, RUNNING, SEATED, SANDBOXES, OVER, OPEN, WATCH = (
    "turns", "running", "seated", "sandboxes", "over", "open", "watch"
)  # fmt: skip
OWN = (TURNS, RUNNING, SEATED, SANDBOXES, OVER)  # Lists of somebody who is signed in
FOR_ALL = (OPEN, WATCH)  # Lists for everybody
LISTS = OWN + FOR_ALL

# In a sandbox its owner, who alone sits there, moves for all seats without a bot.
_MY_TURN = """EXISTS (
    SELECT 1 FROM seat t WHERE t.game_id = g.id AND t.seat = g.to_move
        AND (t.player_id = ? OR (g.origin = 'sandbox' AND t.bot IS NULL)))"""
_PEOPLE = "(SELECT COUNT(*) FROM seat p WHERE p.game_id = g.id AND p.player_id IS NOT NULL)"
_FREE = "EXISTS (SELECT 1 FROM seat f WHERE f.game_id = g.id AND f.name IS NULL)"
# What runs out first comes first; deadlines are known to all who see the game.
_URGENT = "CASE WHEN g.deadline IS NULL THEN 1 ELSE 0 END, g.deadline, g.started_at, g.id"


_WAITING = f"""
    SELECT g.id FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.player_id = ? AND s.listed = 'running' AND g.status = 'running' AND g.to_move = s.seat
    ORDER BY {_URGENT} LIMIT ?"""  # noqa: S608


def waiting_for(store: Store, player_id: str) -> list[str]:
    """The games in which it is the player's turn, the most urgent first; `list_pages.PAGE_SIZE_MAX` at most."""
    return [game for (game,) in sql.rows(store, _WAITING, player_id, list_pages.PAGE_SIZE_MAX)]


def home(
    store: Store, player: Player | None, which: str, now: datetime, page: int = 1, page_size: int = 20
) -> tuple[list[ListedGame], list_pages.Total]:
    """One of `LISTS` for `player` (None: a stranger), and how many games there are: `TURNS` running ones in which the
    player is to move, `RUNNING` the others, `SEATED` open ones they sit in, `OVER`, `SANDBOXES`; `OPEN` public games
    with a free seat, without those of people who keep one another away, and `WATCH` those that several people play,
    without the player's own. Raises `NotFound` for another
    list, or somebody's when nobody asks; `Unprocessable` for a bad page."""
    if which not in LISTS or (player is None and which in OWN):
        raise NotFound(_("there is no such list of games"))
    if player is not None and which in OWN:
        where, order = _own(player, which)
    else:
        where, order = _public(which, now)
        if player is not None:
            where = where.also(f"NOT {MEMBER}", player.id)
            if which == OPEN:
                where = where.also(f"NOT {contacts.KEPT_APART}", player.id, player.id)
    return selected(store, player, where, order, page, page_size)


def _own(player: Player, which: str) -> tuple[Where, str]:
    where = Where(member=player.id, kinds=(listing_keys.PLAYED, listing_keys.IMPORTED))
    if which == SANDBOXES:
        return replace(where, kinds=(listing_keys.SANDBOX,)), NEWEST
    if which == OVER:
        return replace(where, statuses=("finished", "abandoned")), LAST_OVER
    if which == SEATED:
        return replace(where, statuses=("open",)), NEWEST
    turn = _MY_TURN if which == TURNS else f"NOT {_MY_TURN}"
    return replace(where, statuses=("running",)).also(turn, player.id), _URGENT


def _public(which: str, now: datetime) -> tuple[Where, str]:
    where = Where([PUBLIC], [*PUBLIC_VALUES]).also("g.origin = 'played'")
    if which == OPEN:
        still = f"(g.start_by > ? OR EXISTS ({BY_OPERATOR}))"
        return where.also("g.status = 'open'").also(_FREE).also(still, utc(now)), NEWEST
    # Those that somebody plays against bots alone would hide the others: there is one for each newcomer.
    return where.also("g.status = 'running'").also(f"{_PEOPLE} > 1"), "g.started_at DESC, g.id"
