"""One game as a transaction holds it: its row, its seats and where it stands; loading and storing it.

The log is the truth. The snapshot is taken when it is there and of the right ply; otherwise the state is recomputed.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import orjson
import peewee

from server.engine import game, setup
from server.engine import record as records
from server.engine.errors import UlmError
from server.engine.events import Event
from server.engine.notation import Move, format_move, parse_move
from server.engine.state import RULESET, State, canonical_json
from server.engine.tables import MAX_PLAYERS
from server.engine.turn import DRAW, END, RESIGN
from server.engine.view import hidden_behind, told_order, visible_state
from server.language import gettext as _
from server.service import preferences, sql
from server.service.accounts import Player
from server.service.called import TITLE, Title, seat_name, title_of
from server.service.editions import edition
from server.service.errors import Conflict, Forbidden, NotFound
from server.storage.database import Store
from server.storage.models import utc

SANDBOX = "sandbox"
"""The origin of games that somebody plays alone, from a position of another game on."""


@dataclass(slots=True)
class Place:
    """One seat: a player, a bot, or still free."""

    seat: int
    player: str | None
    bot: str | None
    name: str | None
    client_seed: str
    auto_draw: bool = False
    time_zone: str = "UTC"
    reserve_seconds: int | None = None  # None: the whole reserve of the clock
    timeouts: int = 0  # in a row
    autopilot: bool = False  # the server plays until the player comes back
    wants_pause: bool = False
    row: int | None = None  # the key of the stored seat
    named_after: str | None = None  # in a sandbox: whose name the seat bears

    @property
    def free(self) -> bool:
        return self.name is None


@dataclass(slots=True)
class Entry:
    """A move that stands, or is about to be stored."""

    ply: int
    seat: int
    move: Move
    at: str | None
    automatic: bool = False


@dataclass(slots=True)
class Table:
    """A game. `before` is the state without the newest `draw` while that is hidden from all but the active seat, else
    None: the one before it, in which others may have resigned since.

    Loaded for a reader, `state` is the newest one that this reader may see, and nothing is left to be hidden. Loaded
    for a change, `state` is the newest of all; `unread` says that the one without a hidden `draw` is stored, unread.
    """

    id: str
    name: str
    status: str
    options: dict[str, bool]
    seats: int
    server_seed: str
    commitment: str
    origin: str
    created_at: str
    ruleset: str = RULESET
    creator: str | None = None
    private: bool = False
    invitation: str | None = None
    ply: int = 0
    public_ply: int = 0
    to_move: int | None = None
    version: int = 0
    result: dict[str, Any] | None = None
    started_at: str | None = None
    finished_at: str | None = None
    clock: dict[str, Any] | None = None
    turn_began_at: str | None = None
    deadline: str | None = None
    paused_at: str | None = None
    title: Title | None = None  # None: `name` is what somebody called it
    places: list[Place] = field(default_factory=list)
    state: State | None = None
    before: State | None = None
    unread: bool = False
    entries: list[Entry] = field(default_factory=list)  # to be stored

    def seat_of(self, player: Player | None) -> int | None:
        """Where the player sits, None when nowhere."""
        if player is not None:
            for place in self.places:
                if place.player == player.id:
                    return self.eyes(place.seat)
        return None

    def eyes(self, seat: int) -> int:
        """Through whose eyes the player of `seat` looks: in a sandbox they play every seat that is to move."""
        return self.to_move if self.origin == SANDBOX and self.to_move is not None else seat

    def require_seat(self, player: Player | None) -> int:
        """Where the player sits. Raises `Forbidden`."""
        seat = self.seat_of(player)
        if seat is None:
            raise no_seat()
        return seat

    def require_room(self) -> None:
        """Raises `Conflict` unless somebody could sit down now."""
        if self.status != "open" or not any(place.free for place in self.places):
            raise Conflict(_("this game takes no more players: it has started, is full or was given up"),
                           kind="not-open")

    def author(self, seat: int, player: str | None) -> str | None:
        """The name of `player`, who wrote from `seat`; None when they have left, whoever sits there now."""
        place = self.places[seat]
        return place.name if still_there(place.player, place.bot, player) else None

    def require_running(self) -> State:
        """The newest state. Raises `Conflict` when the game is not running."""
        if self.status != "running" or self.state is None:
            hints = {
                "open": _("the game has not started: it starts when all seats are taken"),
                "finished": _("the game is over: no more moves are taken"),
                "abandoned": _("the game was given up before it started") if self.started_at is None
                else _("the game was given up: nobody was left to play it"),
            }
            raise Conflict(hints[self.status], kind="not-running")
        return self.state

    @property
    def position(self) -> State:
        """The newest state of a game that has started."""
        if self.state is None:
            raise RuntimeError(f"game {self.id} has no position: it has not started")
        return self.state

    def require_visible(self, player: Player | None, invitation: str | None = None) -> None:
        """Raises `NotFound` when this is a private game and the caller neither sits in it nor holds its invitation."""
        if not self.private or self.seat_of(player) is not None:
            return
        if invitation is not None and self.invitation is not None and _same(invitation, self.invitation):
            return
        raise no_such_game()

    @property
    def names(self) -> list[str]:
        """The names at the table by seat, "" for a free one."""
        return [place.name or "" for place in self.places]

    @property
    def edition(self) -> str:
        """What must stand in the address of an answer with these names in it, if that is to be kept (`editions`)."""
        return edition(self.name, self.names)

    @property
    def seed(self) -> bytes:
        """The seed of the game. Secret while it runs."""
        return setup.game_seed(bytes.fromhex(self.server_seed), [place.client_seed for place in self.places])

    def seen_by(self, seat: int | None) -> State:
        """The newest state that `seat` (None: a spectator) may see; only while or after the game is played."""
        if self.unread and seat != self.to_move:
            raise RuntimeError(f"game {self.id} was loaded to be changed: load it for the reader")
        newest = DRAW if self.before is not None else None
        return visible_state(self.position, self.before, newest, seat)

    def seen_ply(self, seat: int | None) -> int:
        """The ply that `seat` may see."""
        return self.ply if seat is not None and seat == self.to_move else self.public_ply

    def same_turn(self, before: int | None) -> bool:
        """Whether no turn has begun since the transaction did, when `before` was to move (None: the game begins)."""
        return before == self.to_move and all(entry.move != END for entry in self.entries)

    def start(self, now: datetime) -> None:
        """All seats are taken: lay out ply 0."""
        self.status, self.started_at = "running", utc(now)
        self.state = setup.new_game(self.seed, self.seats, self.options)
        self.to_move = self.state.active

    def take(self, seat: int, move: Move, state: State, at: str, automatic: bool = False) -> None:
        """Note `move`, which led from the present state to `state`, as one to be stored.

        Before a resignation out of turn what is hidden has to be read (`read_hidden`).
        """
        if self.unread and move == RESIGN and seat != self.to_move:
            raise RuntimeError(f"game {self.id}: what others see was not read")
        self.before, self.unread = hidden_behind(self.before, self.position, seat, move, state), False
        self.state = state
        self.entries.append(Entry(state.ply, seat, move, at, automatic))
        self.to_move = state.active
        if state.active is None:
            self.status, self.finished_at = "finished", at
            self.result = records.result_of(state)

    def abandon(self, at: str) -> None:
        """Give the game up: nobody plays on. Where it stands stays to be seen."""
        self.status, self.finished_at = "abandoned", at


@contextmanager
def changing(store: Store) -> Iterator[None]:
    """A write transaction on a game. What the database's own guards refuse (a doubled move or seat) is a `Conflict`."""
    try:
        with store.write():
            yield
    except peewee.IntegrityError:
        raise Conflict(_("somebody else was faster: look at the game again and repeat")) from None


def still_there(seated: str | None, bot: str | None, player: str | None) -> bool:
    """Whether `player` (None: one whose account is gone) is who sits where now `seated`, or a `bot`, does: a bot has no
    account either."""
    return seated == player and bot is None


def no_such_game() -> NotFound:
    """The one answer for games that are not there and games that are not for the caller's eyes."""
    return NotFound(_("there is no such game; a private one is shown to its players, and to who has its invitation"))


def no_seat() -> Forbidden:
    """The refusal for who does not sit at the table."""
    return Forbidden(_("you have no seat in this game: only its players may do this"), kind="no-seat")


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8"))


_GAME = f"""
    SELECT g.id, g.name, g.status, g.options, g.seats, g.server_seed, g.commitment, g.origin, g.created_at, g.ruleset,
        g.creator_id, g.private, g.invitation, g.ply, g.public_ply, g.to_move, g.version, g.result, g.started_at,
        g.finished_at, g.clock, g.turn_began_at, g.deadline, g.paused_at, {TITLE}
    FROM game g WHERE g.id = ?"""  # noqa: S608
_TITLE = 5


class _Nobody:
    """Stands for no reader: the game is loaded to be changed."""


NOBODY = _Nobody()

# The snapshot rides along on the row of seat 0. It is read by a statement of its own, after the game's row is locked:
# PostgreSQL would join a locked row with a snapshot from before the wait for the lock.
_PLACES = """
    SELECT s.seat, s.player_id, s.bot, s.name, s.client_seed, p.preferences, n.ply, n."before" IS NOT NULL, {state},
        s.reserve_seconds, s.timeouts, s.autopilot, s.wants_pause, s.name_kind, s.named_after_id, s.id
    FROM seat s LEFT JOIN player p ON p.id = s.player_id
    LEFT JOIN snapshot n ON n.game_id = s.game_id AND s.seat = 0
    WHERE s.game_id = ? ORDER BY s.seat"""
_PLACES_TO_CHANGE = _PLACES.format(state="n.state")
# One state is read and decoded, that which the reader may see: with a second one, the time of every answer would tell
# the others that a draw is hidden from them. Who reads is asked first, in either case.
_PLACES_TO_READ = _PLACES.format(
    state="""CASE WHEN EXISTS (SELECT 1 FROM seat m WHERE m.game_id = s.game_id AND m.seat = ? AND m.player_id = ?)
        OR n."before" IS NULL THEN n.state ELSE n."before" END"""
)


def load(store: Store, game_id: str, lock: bool = False, reader: Player | _Nobody | None = NOBODY) -> Table:
    """The game inside the running transaction, with its row locked against other writers when `lock` is set.

    With a `reader` (None: a stranger) it is the game as that reader sees it, for answers; without, it is for changes.
    Raises `NotFound`. Whether the caller may see it is not asked here (`Table.require_visible`).
    """
    found = None
    if isinstance(game_id, str) and 0 < len(game_id) <= 32 and game_id.isascii() and game_id.isalnum():
        found = sql.row(store, sql.locking(store, _GAME) if lock else _GAME, game_id)
    if found is None:
        raise no_such_game()
    table = Table(*found[:-_TITLE])  # the columns come in the order of its fields
    table.title, table.name = title_of(*found[-_TITLE:])
    table.private = bool(table.private)
    table.options, table.result, table.clock = map(_parsed, (table.options, table.result, table.clock))
    if isinstance(reader, _Nobody) or table.origin == SANDBOX:  # its owner moves for all: nothing is hidden from them
        places = sql.rows(store, _PLACES_TO_CHANGE, game_id)
    else:
        places = sql.rows(store, _PLACES_TO_READ, table.to_move, "" if reader is None else reader.id, game_id)
    for seat, player, bot, words, client_seed, stored, *rest in places:
        reserve, timeouts, autopilot, pause, kind, after, row = rest[3:]
        name = seat_name(words, kind, seat)
        wishes = preferences.read(stored)
        auto_draw = player is not None and wishes["auto_draw"]
        place = Place(seat, player, bot, name, client_seed, auto_draw, wishes["time_zone"], reserve, timeouts)
        place.autopilot, place.wants_pause, place.row, place.named_after = bool(autopilot), bool(pause), row, after
        table.places.append(place)
    if table.origin == SANDBOX:  # all seats that people move for are the owner's
        wished = any(place.auto_draw for place in table.places)
        for place in table.places:
            place.auto_draw = wished and place.bot is None
    if table.status in ("running", "finished") or (table.status == "abandoned" and table.started_at is not None):
        ply, drawn, text = places[0][6:9]
        if not _take_snapshot(table, ply, bool(drawn), text):
            recompute(store, table)
            # Where the row and the log disagree, the log is right.
            table.ply, table.to_move = table.position.ply, table.position.active
            table.public_ply = table.ply if table.before is None else table.before.ply
        elif drawn:
            table.unread = True
        if not isinstance(reader, _Nobody):
            table.unread = False
            table.state, table.before = table.seen_by(table.seat_of(reader)), None
    return table


def _parsed(stored: Any) -> Any:
    """What a column holds as JSON, None for an empty one."""
    return json.loads(stored) if stored else None


def _take_snapshot(table: Table, ply: int | None, drawn: bool, text: str | None) -> bool:
    """Take the state of the snapshot; False when it does not fit the game's row or cannot be read."""
    if ply != table.ply or text is None or drawn != (table.public_ply != table.ply):
        return False
    try:
        table.state = State.from_dict(orjson.loads(text), table.seed)
    except (ValueError, UlmError):
        return False  # a cache that cannot be read is no cache
    return True


def recompute(store: Store, table: Table, last: int | None = None) -> None:
    """Set the state (and the one without a hidden `draw`) from the log alone, up to ply `last` or to its end."""
    state, before = follow(first_state(store, table), log(store, table.id, last=last))
    table.state, table.before, table.unread = state, before, False


def follow(state: State, entries: Iterable[Entry]) -> tuple[State, State | None]:
    """The state after stored moves, and what all but the active seat see of it (`hidden_behind`). `state` is used up.

    The moves may come in the log's order or in that of a reader (`told_log`).
    """
    hidden: State | None = None
    for entry in entries:
        before = state.copy() if entry.move == DRAW else state
        state = step(state, entry)
        hidden = hidden_behind(hidden, before, entry.seat, entry.move, state)
    return state, hidden


_HIDDEN = 'SELECT COALESCE("before", state) FROM snapshot WHERE game_id = ? AND ply = ?'


def read_hidden(store: Store, table: Table) -> None:
    """Read the state without a hidden `draw` into a table that was loaded for a change, before somebody resigns.

    It is as much work when nothing is hidden: how long a resignation takes must not tell who has drawn.
    """
    found = sql.row(store, _HIDDEN, table.id, table.ply)
    try:
        read = None if found is None else State.from_dict(orjson.loads(found[0]), table.seed)
    except (ValueError, UlmError):
        read = None
    if not table.unread:
        if read is not None and table.before is None:
            dump(read)
    elif read is None:
        recompute(store, table)
    else:
        table.before, table.unread = read, False


def newest_row(store: Store, table: Table) -> int:
    """The number of the newest move that stands, in the log of all games; 0 when there is none."""
    found = sql.row(store, "SELECT id FROM move WHERE game_id = ? AND ply = ? AND undone_at IS NULL", table.id,
                    table.ply)
    return 0 if found is None else int(found[0])


_LOG_THEN = "SELECT ply, seat, move, played_at, automatic FROM move WHERE game_id = ? AND id <= ? ORDER BY id"


def go_back(store: Store, table: Table, row: int) -> None:
    """Set a game that was loaded to be changed to what it was when `row` (see `newest_row`) was its newest move,
    whatever was taken back since."""
    then: dict[int, Entry] = {}
    ply = 0
    for ply, seat, move, at, automatic in sql.rows(store, _LOG_THEN, table.id, row):
        then[ply] = Entry(ply, seat, parse_move(move), at, bool(automatic))
    # A ply that was taken back and played again has the newer move; what lay beyond it does not count any more.
    table.state, table.before = follow(first_state(store, table), [then[number] for number in range(1, ply + 1)])
    table.unread = False
    table.ply, table.to_move = ply, table.position.active
    table.public_ply = ply if table.before is None else table.before.ply


def first_state(store: Store, table: Table) -> State:
    """Ply 0: laid out by the seed, or the stored position that a sandbox begins with."""
    if table.origin != SANDBOX:
        return setup.new_game(table.seed, table.seats, table.options)
    found = sql.row(store, "SELECT position FROM sandbox WHERE game_id = ?", table.id)
    if found is None:
        raise RuntimeError(f"the sandbox {table.id} has lost its position")
    return State.from_dict(json.loads(found[0]), table.seed)


def step(state: State, entry: Entry, events: list[Event] | None = None) -> State:
    """Play a stored move, trusted; `state` may be changed on the way. What follows from it is added to `events`."""
    events = [] if events is None else events
    if entry.move == RESIGN:  # also out of turn
        applied = game.apply(state, entry.seat, entry.move)
        events += applied.events
        return applied.state
    game.advance(state, entry.move, events)
    return state


_LOG = """
    SELECT ply, seat, move, played_at, automatic FROM move
    WHERE game_id = ? AND undone_at IS NULL AND ply > ? AND ply <= ? ORDER BY ply"""
_NO_LIMIT = 2**31 - 1
# Of what lies beyond the reader's ply only resignations are theirs to know: they stand behind a hidden draw.
_TOLD = """
    SELECT ply, seat, move, played_at, automatic FROM move
    WHERE game_id = ? AND undone_at IS NULL AND ply > ? AND (ply <= ? OR (ply <= ? AND move = 'resign'))
    ORDER BY ply"""
_MOVED_BY = MAX_PLAYERS - 2  # so many can resign behind a draw before the game is over


def log(store: Store, game_id: str, since: int = 0, last: int | None = None) -> list[Entry]:
    """The moves that stand, from the one after ply `since` to ply `last`, in order."""
    found = sql.rows(store, _LOG, game_id, since, _NO_LIMIT if last is None else last)
    return [Entry(ply, seat, parse_move(move), at, bool(automatic)) for ply, seat, move, at, automatic in found]


def told_log(store: Store, table: Table, seat: int | None, since: int = 0) -> list[Entry]:
    """The moves after ply `since` as `seat` (None: a spectator) reads them, up to the ply that it may see.

    While the game is not over that is the order of `told_order`, and each entry bears the ply that it has there. The
    log of a finished game is that of its record.
    """
    seen = table.seen_ply(seat)
    first = max(0, since - _MOVED_BY)
    found = sql.rows(store, _TOLD, table.id, first, seen, table.ply)
    entries = [Entry(ply, mover, parse_move(move), at, bool(automatic)) for ply, mover, move, at, automatic in found]
    if table.status != "finished":
        order = told_order([(entry.seat, entry.move) for entry in entries], seat)
        entries = [replace(entries[index], ply=ply) for ply, index in enumerate(order, first + 1)]
    return [entry for entry in entries if since < entry.ply <= seen]


_INSERT_MOVE = "INSERT INTO move (game_id, ply, seat, move, played_at, automatic) VALUES "
_UPDATE_GAME = """
    UPDATE game SET status = ?, ply = ?, public_ply = ?, to_move = ?, version = version + 1, result = ?,
        started_at = ?, finished_at = ?, turn_began_at = ?, deadline = ?, paused_at = ?,
        unplayed = ?
    WHERE id = ?"""
_PUT_SNAPSHOT = """
    INSERT INTO snapshot (game_id, ply, state, "before") VALUES (?, ?, ?, ?)
    ON CONFLICT (game_id) DO UPDATE SET ply = excluded.ply, state = excluded.state, "before" = excluded."before" """
_MOVES_PER_STATEMENT = 100


def save(store: Store, table: Table) -> None:
    """Store the noted moves, the game's row and the snapshot; the caller's transaction commits them together."""
    for first in range(0, len(table.entries), _MOVES_PER_STATEMENT):
        part = table.entries[first : first + _MOVES_PER_STATEMENT]
        values: list[Any] = []
        for entry in part:
            values += (table.id, entry.ply, entry.seat, format_move(entry.move), entry.at, entry.automatic)
        sql.execute(store, _INSERT_MOVE + ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(part)), *values)
    table.entries = []
    table.ply = table.position.ply
    table.public_ply = table.ply if table.before is None else table.before.ply
    sql.execute(
        store,
        _UPDATE_GAME,
        table.status,
        table.ply,
        table.public_ply,
        table.to_move,
        None if table.result is None else canonical_json(table.result),
        table.started_at,
        table.finished_at,
        table.turn_began_at,
        table.deadline,
        table.paused_at,
        _is_unplayed(store, table),
        table.id,
    )
    before = None if table.before is None else dump(table.before)
    sql.execute(store, _PUT_SNAPSHOT, table.id, table.ply, dump(table.position), before)


_TURNS_ENDED = "SELECT COUNT(*) FROM move WHERE game_id = ? AND undone_at IS NULL AND move = 'end'"


def _is_unplayed(store: Store, table: Table) -> bool:
    """Whether a game is finished before as many turns were ended as there are seats: then it was resigned at once."""
    if table.status != "finished" or table.origin == SANDBOX:
        return False
    ended = sql.row(store, _TURNS_ENDED, table.id)
    return ended is not None and ended[0] < table.seats


def dump(state: State) -> str:
    """The state as canonical JSON, as snapshots hold it."""
    return state.canonical_json()
