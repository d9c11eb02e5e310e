"""Storing a game: its rows when it is made, and what a transaction did to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import peewee

from server import metering
from server.engine.canonical import canonical_json
from server.engine.ulm1.notation import format_move
from server.language import gettext as _
from server.service.common import change_signal, naming
from server.service.common.errors import Conflict
from server.service.games import listing_keys
from server.service.games.model import OPEN_FOR, PLAYED, SANDBOX, Game, Seat
from server.storage import sql
from server.storage.database import Store
from server.storage.times import parse_utc, utc

_NAME = "SELECT name FROM player WHERE id = ?"


def insert(store: Store, game: Game) -> None:
    """Store the rows of a new game and its seats; note in `game` its name and by when it has to start."""
    game.name = game.title.called(game.title.player and sql.value(store, _NAME, game.title.player))
    game.start_by = None if game.clock is None else game.clock["start_by"]
    if game.start_by is None and game.origin == PLAYED:
        game.start_by = utc(parse_utc(game.created_at) + OPEN_FOR)
    sql.insert(
        store,
        "game",
        id=game.id,
        **game.title.columns(),
        ply=0,
        public_ply=0,
        version=0,
        status=game.status,
        ruleset=game.ruleset,
        options=canonical_json(game.options),
        tower=game.options["tower"],
        rotate_start=game.options["rotate_start"],
        seats=game.seat_count,
        creator_id=game.creator,
        private=game.private,
        hints=game.hints,
        invitation=game.invitation,
        server_seed=game.server_seed,
        commitment=game.commitment,
        origin=game.origin,
        created_at=game.created_at,
        clock=None if game.clock is None else canonical_json(game.clock),
        start_by=game.start_by,
        rematch_of=game.rematch_of,
        deal_id=game.deal,
        rating_min=game.rating_min,
        rating_max=game.rating_max,
    )
    for seat in game.seats:
        sql.insert(
            store,
            "seat",
            game_id=game.id,
            seat=seat.number,
            player_id=seat.player,
            bot=seat.bot,
            name=seat.name,
            name_kind=naming.kind_of(seat.name),
            named_after_id=seat.named_after,
            client_seed=seat.client_seed,
            listed=listing_keys.listed(game.status, game.origin),
            created_at=game.created_at,
        )


@contextmanager
def changing(store: Store) -> Iterator[None]:
    """A write transaction on a game. What the database's own guards refuse (a doubled move or seat) is a `Conflict`."""
    try:
        with store.write():
            yield
    except peewee.IntegrityError:
        raise Conflict(_("somebody else was faster: look at the game again and try again")) from None


_INSERT_MOVE = "INSERT INTO move (game_id, ply, seat, move, played_at, automatic) VALUES "
_MARK_WINNER = "UPDATE seat SET won = ? WHERE game_id = ? AND seat = ?"
# A job counts it for statistics (service/archive/statistics.py).
_TO_COUNT = "INSERT INTO tally (game_id, version, rows) VALUES (?, 0, '[]') ON CONFLICT DO NOTHING"
_PUT_SNAPSHOT = """
    INSERT INTO snapshot (game_id, ply, state, "before") VALUES (?, ?, ?, ?)
    ON CONFLICT (game_id) DO UPDATE SET ply = excluded.ply, state = excluded.state, "before" = excluded."before" """
_MOVES_PER_STATEMENT = 100


def save(store: Store, game: Game) -> None:
    """Store the noted moves, the game's row and the snapshot, then wake who waits after the commit."""
    for first in range(0, len(game.entries), _MOVES_PER_STATEMENT):
        part = game.entries[first : first + _MOVES_PER_STATEMENT]
        values: list[object] = []
        for entry in part:
            values += (game.id, entry.ply, entry.seat, format_move(entry.move), entry.at, entry.automatic)
        sql.execute(store, _INSERT_MOVE + ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(part)), *values)
    _count(store, game)
    game.entries = []
    game.ply = game.position.ply
    game.public_ply = game.ply if game.before is None else game.before.ply
    _save_row(store, game)
    before = None if game.before is None else game.before.canonical_json()
    sql.execute(store, _PUT_SNAPSHOT, game.id, game.ply, game.position.canonical_json(), before)
    change_signal.game_changes(store, game.id)


_TURN = (
    "turn_began_at",
    "turn_zone",
    "deadline",
    "paused_at",
    "turn_notice",
    "lost_since",
    "lost_until",
    "granted_seconds",
    "extra_seconds",
)
_CHANGING = ("status", "ply", "public_ply", "to_move", "started_at", "finished_at", *_TURN)


def columns(game: Game) -> dict[str, object]:
    """Return the columns of a game's row that moves and clocks change, as they are stored."""
    result = None if game.result is None else canonical_json(game.result)
    return {"result": result, **{name: getattr(game, name) for name in _CHANGING}}


def turn_columns(game: Game) -> dict[str, object]:
    """Return those of them that tell of the turn under way and its time."""
    return {name: getattr(game, name) for name in _TURN}


def _save_row(store: Store, game: Game) -> None:
    """Store what differs from the game's row as it was read or last stored: SQLite writes the pages of every index
    whose columns a statement names, and all of them were eight of the thirteen pages of a move."""
    present, before = columns(game), game.stored
    changed = {name: value for name, value in present.items() if name not in before or before[name] != value}
    if "result" in changed or "status" in changed:
        result = game.result
        changed["unplayed"] = _is_unplayed(store, game)
        changed["winner_total"] = None if result is None else result["scores"][result["winners"][0]]["total"]
        for seat in range(game.seat_count if result is not None else 0):
            sql.execute(store, _MARK_WINNER, result is not None and seat in result["winners"], game.id, seat)
        if result is not None and game.origin != SANDBOX and not game.private and not changed["unplayed"]:
            sql.execute(store, _TO_COUNT, game.id)
    game.stored = present
    _update(store, game.id, changed)


def _count(store: Store, game: Game) -> None:
    """Count the noted moves when they are committed."""
    by = Counter(
        "server" if entry.automatic else "player" if game.seats[entry.seat].bot is None else "bot"
        for entry in game.entries
    )

    def count() -> None:
        for who, number in by.items():
            metering.meters().moves.labels(who).inc(number)

    store.after_commit(count)


def change_row(store: Store, game_id: str, **columns: object) -> None:
    """Store some columns of a game's row (or none) where nothing was moved, and wake who waits for the game."""
    _update(store, game_id, columns)
    change_signal.game_changes(store, game_id)


def save_proposal(store: Store, game: Game) -> None:
    """Store what is proposed in a game, or that nothing is, and wake who waits for it."""
    change_row(store, game.id, proposal=None if game.proposal is None else canonical_json(game.proposal))


def _update(store: Store, game_id: str, columns: Mapping[str, object]) -> None:
    changes = "".join(f"{name} = ?, " for name in columns)
    statement = f"UPDATE game SET {changes}version = version + 1 WHERE id = ?"  # noqa: S608 - the callers' own words
    sql.execute(store, statement, *columns.values(), game_id)
    if not listing_keys.CHANGING.isdisjoint(columns):
        listing_keys.follow(store, game_id)


_SAVE_SEAT = "UPDATE seat SET reserve_seconds = ?, timeouts = ?, autopilot = ?, wants_pause = ? WHERE id = ?"


def save_seat(store: Store, seat: Seat) -> None:
    """Store what a clock changes of a seat."""
    values = (seat.reserve_seconds, seat.timeouts, seat.autopilot, seat.wants_pause, seat.row)
    sql.execute(store, _SAVE_SEAT, *values)


_TURNS_ENDED = "SELECT COUNT(*) FROM move WHERE game_id = ? AND undone_at IS NULL AND move = 'end'"


def _is_unplayed(store: Store, game: Game) -> bool:
    """Whether a game is finished before as many turns were ended as there are seats: then it was resigned at once."""
    if game.status != "finished" or game.origin == SANDBOX:
        return False
    return (sql.value(store, _TURNS_ENDED, game.id) or 0) < game.seat_count
