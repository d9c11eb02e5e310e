"""Vacations: times in which no clock of a player runs, so many days a year as a game's clock says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, TypedDict

from server.engine.ulm1.shapes import UtcTime
from server.language import gettext as _
from server.service.accounts import bot_accounts
from server.service.accounts.players import Player, require_in
from server.service.common import checks, idempotency
from server.service.common.errors import Conflict, NotFound, bad_field
from server.service.common.quotas import DAY
from server.service.play import timeouts
from server.storage import sql
from server.storage.database import Store
from server.storage.times import utc

AHEAD = timedelta(days=366)  # How far ahead a vacation may begin, and how long it may last
VACATIONS_MAX = 30  # How many of a player's vacations may be to come, or have ended within a day


class ShownVacation(TypedDict):
    """A vacation."""

    id: str
    starts_at: Annotated[UtcTime, "When it begins."]
    ends_at: Annotated[UtcTime, "When it ends."]
    under_way: bool


def listing(store: Store, player: Player, now: datetime) -> list[ShownVacation]:
    """The player's vacations of this year (UTC) and later, in order."""
    since = datetime(now.astimezone(UTC).year, 1, 1, tzinfo=UTC)
    with store.read():
        return [_shown(row, now) for row in _ending_after(store, player, utc(since))]


def add(
    store: Store,
    player: Player,
    starts_at: object,
    ends_at: object,
    now: datetime,
    asked: idempotency.Asked | None = None,
) -> ShownVacation:
    """Enter a vacation from `starts_at` (None: now) to `ends_at`, times with their zones, and move deadlines with it.
    Returns it as `listing` does, also when it was `asked` for before. Raises `Unprocessable` for times that are past,
    in no order or too far off, `Conflict` for one that overlaps with another or is one too many."""
    present = now.astimezone(UTC).replace(microsecond=0)
    begins = present if starts_at is None else checks.moment("starts_at", starts_at).replace(microsecond=0)
    ends = checks.moment("ends_at", ends_at).replace(microsecond=0)
    if not present <= begins <= present + AHEAD:
        raise bad_field(
            "starts_at", _("give a time within the next %(days)s days, or leave it out to begin now", days=AHEAD.days)
        )
    if not begins < ends <= begins + AHEAD:
        raise bad_field("ends_at", _("give a time after the beginning, at most %(days)s days later", days=AHEAD.days))
    with store.write():
        require_in(store, player)
        bot_accounts.require_person(store, player)
        told = idempotency.before(store, asked)
        if told is not None:
            row = _require(store, player, str(told.kept["id"]), utc(present))
        else:
            row = _enter(store, player, present, begins, ends)
            idempotency.keep(store, asked, {"id": row["id"]}, now)
    _move_deadlines(store, player, now)  # also those that a killed request has left
    return _shown(row, now)


def _enter(store: Store, player: Player, present: datetime, begins: datetime, ends: datetime) -> sql.ByName:
    """Write the vacation down in the running transaction. Raises `Conflict`."""
    if len(_ending_after(store, player, utc(present - DAY))) >= VACATIONS_MAX:
        raise Conflict(
            _("you have entered %(number)s vacations already: remove one first, or wait a day", number=VACATIONS_MAX),
            kind="limit-reached",
        )
    rows = _ending_after(store, player, utc(present))
    if any(row["starts_at"] < utc(ends) and utc(begins) < row["ends_at"] for row in rows):
        raise Conflict(_("you have a vacation at that time already: remove it or choose other days"))
    row = {"starts_at": utc(begins), "ends_at": utc(ends)}
    number = sql.insert_numbered(store, "vacation", player_id=player.id, created_at=utc(present), **row)
    return {"id": number, **row}


def end(store: Store, player: Player, vacation_id: str, now: datetime) -> None:
    """Remove a vacation to come, or end the one under way now; deadlines move with it. Raises `NotFound`."""
    present = utc(now)
    with store.write():
        require_in(store, player)
        row = _require(store, player, vacation_id, present)
        if row["starts_at"] >= present:
            sql.execute(store, "DELETE FROM vacation WHERE id = ?", row["id"])
        else:
            sql.execute(store, "UPDATE vacation SET ends_at = ? WHERE id = ?", present, row["id"])
    _move_deadlines(store, player, now)


_IS_ON = "SELECT 1 FROM vacation WHERE player_id = ? AND starts_at <= ? AND ends_at = ?"
_TO_MOVE = """
    SELECT count(*) FROM game g JOIN seat s ON s.game_id = g.id AND s.seat = g.to_move
    WHERE s.player_id = ? AND g.status = 'running'"""


def waiting_for(store: Store, player_id: str, since: str, ends_at: str) -> int | None:
    """How many games wait for a player on vacation; None when it was not on at `since`, or ends at another time."""
    with store.read():
        if sql.row(store, _IS_ON, player_id, since, ends_at) is None:
            return None
        return sql.value(store, _TO_MOVE, player_id) or 0


def _ending_after(store: Store, player: Player, time: str) -> list[sql.ByName]:
    """The player's vacations that end after that time, in order."""
    statement = "SELECT id, starts_at, ends_at FROM vacation WHERE player_id = ? AND ends_at > ? ORDER BY starts_at"
    return sql.dicts(store, statement, player.id, time)


def _require(store: Store, player: Player, vacation_id: str, present: str) -> sql.ByName:
    found = [row for row in _ending_after(store, player, present) if str(row["id"]) == vacation_id]
    if not found:
        raise NotFound(_("you have no such vacation ahead; GET /api/v1/players/me/vacations lists them"))
    return found[0]


_GAMES = """
    SELECT g.id FROM game g JOIN seat s ON s.game_id = g.id
    WHERE s.player_id = ? AND g.status = 'running' AND g.clock IS NOT NULL ORDER BY g.id"""


def _move_deadlines(store: Store, player: Player, now: datetime) -> None:
    """Reckon the deadlines anew, each in a transaction of its own, so that others move in between. All games of the
    player are locked for that: a turn that begins at this moment has seen the vacation, or is waited for. What is left
    undone in the midst is done before a deadline is carried out."""
    games = [game_id for (game_id,) in sql.rows(store, _GAMES, player.id)]
    for game_id in games:
        timeouts.guarded(timeouts.refresh, store, game_id, now)


def _shown(row: sql.ByName, now: datetime) -> ShownVacation:
    return {
        "id": str(row["id"]),
        "starts_at": row["starts_at"],
        "ends_at": row["ends_at"],
        "under_way": row["starts_at"] <= utc(now) < row["ends_at"],
    }
