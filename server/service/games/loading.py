"""Loading a game: for a change, a reader, or as it stood. The log is the truth; snapshots can be recomputed."""

from __future__ import annotations

import json

import orjson

from server.engine.canonical import Json
from server.engine.errors import UlmError
from server.engine.replaying import end_of
from server.engine.ulm1.state import State
from server.service.accounts.players import Player
from server.service.common import preferences
from server.service.common.naming import TITLE, seat_name, title_of
from server.service.games import move_log, saving
from server.service.games.model import SANDBOX, Entry, Game, Invited, Seat, no_such_game
from server.service.games.move_log import log
from server.service.outbox.addressees import REACHED
from server.service.outbox.pauses import BY_OPERATOR
from server.storage import sql
from server.storage.database import Store

_GAME = f"""
    SELECT g.id, g.name, g.status, g.options, g.seats, g.server_seed, g.commitment, g.origin, g.created_at, g.ruleset,
        g.creator_id, g.private, g.invitation, g.ply, g.public_ply, g.to_move, g.version, g.result, g.started_at,
        g.finished_at, g.clock, g.turn_began_at, g.deadline, g.paused_at, g.turn_notice, g.lost_since, g.lost_until,
        g.granted_seconds, g.turn_zone, g.start_by, ({BY_OPERATOR}), g.hints, g.held, g.rematch_of,
        (SELECT r.id FROM game r WHERE r.rematch_of = g.id AND r.status IN ('open', 'running')),
        g.extra_seconds, g.proposal, g.taken_back, g.deal_id,
        EXISTS (SELECT 1 FROM deal d WHERE d.id = g.deal_id AND d.revealed_at IS NULL),
        g.rated, g.rating_min, g.rating_max, {TITLE}
    FROM game g WHERE g.id = ?"""  # noqa: S608
_TITLE = 5
_INVITED = f"""
    SELECT i.invited_id, p.name, i.address, i.inviter_id, i.created_at, i.player_id, i.accepted_at IS NOT NULL,
        i.declined_at IS NOT NULL, (i.invited_id IS NULL OR ({REACHED})) AND NOT EXISTS (
            SELECT 1 FROM mail m WHERE m.game_id = i.game_id AND m.state = 'dead'
            AND (m.player_id = i.invited_id OR lower(m.address) = lower(i.address)))
    FROM invitation i LEFT JOIN player p ON p.id = i.invited_id WHERE i.game_id = ? ORDER BY i.id"""  # noqa: S608
# The snapshot rides along on the row of seat 0. It is read by a statement of its own, after the game's row is locked:
# PostgreSQL would join a locked row with a snapshot from before the wait for the lock.
_SEATS = """
    SELECT s.seat, s.player_id, s.bot, s.name, s.client_seed, p.preferences, n.ply, n."before" IS NOT NULL, {state},
        s.reserve_seconds, s.timeouts, s.autopilot, s.wants_pause, s.name_kind, s.named_after_id, s.id,
        p.mail_stopped_at IS NOT NULL, b.handle, o.name, d.seat IS NOT NULL, d.late_ply,
        (SELECT COUNT(*) FROM hint h WHERE h.game_id = s.game_id AND h.seat = s.seat AND h.moves IS NOT NULL)
    FROM seat s LEFT JOIN player p ON p.id = s.player_id
    LEFT JOIN bot_account b ON b.player_id = s.player_id LEFT JOIN player o ON o.id = b.owner_id
    LEFT JOIN bot_turn d ON d.game_id = s.game_id AND d.seat = s.seat
    LEFT JOIN snapshot n ON n.game_id = s.game_id AND s.seat = 0
    WHERE s.game_id = ? ORDER BY s.seat"""
_SEATS_TO_CHANGE = _SEATS.format(state="n.state")
# One state is read and decoded, that which the reader may see: with a second one, the time of every answer would tell
# the others that a draw is hidden from them. Who reads is asked first, in either case.
_SEATS_TO_READ = _SEATS.format(
    state="""CASE WHEN EXISTS (SELECT 1 FROM seat m WHERE m.game_id = s.game_id AND m.seat = ? AND m.player_id = ?)
        OR n."before" IS NULL THEN n.state ELSE n."before" END"""
)


def for_change(store: Store, game_id: str) -> Game:
    """The game inside the running write transaction, its row locked against other writers, with the newest state.
    Whether the caller may see it is not asked here (`Game.require_visible`). Raises `NotFound`."""
    return _with_newest(store, _row(store, game_id, locked=True))


def for_reader(store: Store, game_id: str, reader: Player | None) -> Game:
    """The game as `reader` (None: a stranger) sees it, inside the running transaction. Raises as `for_change` does."""
    game = _row(store, game_id)
    if game.origin == SANDBOX:  # its owner moves for all: nothing is hidden from them
        _with_newest(store, game)
    else:
        reader_id = "" if reader is None else reader.id
        _take_seats(store, game, sql.rows(store, _SEATS_TO_READ, game.to_move, reader_id, game.id))
    if game.state is not None:
        game.unread = False
        game.state, game.before = game.seen_by(game.seat_of(reader)), None
    return game


def for_bot(store: Store, game_id: str) -> Game:
    """The game for the bot that is to move: the newest state is its own to see. Raises as `for_change` does."""
    game = _with_newest(store, _row(store, game_id))
    game.unread = False
    return game


def as_it_was(store: Store, game_id: str, row: int) -> Game:
    """The game as when `row` was its newest move, with status, clock and seats of now. Raises as `for_change`."""
    game = _with_newest(store, _row(store, game_id))
    then: dict[int, Entry] = {}
    ply = 0
    for one in move_log.every(store, game.id):
        if one.id <= row:
            ply = one.ply
            then[ply] = Entry(ply, one.seat, game.rules.parse_move(one.move), one.played_at, one.automatic)
    # A ply that was taken back and played again has the newer move; what lay beyond it does not count any more.
    game.state, game.before = end_of(first_state(store, game), [then[number] for number in range(1, ply + 1)])
    game.unread = False
    game.ply, game.to_move = ply, game.position.active
    game.public_ply = ply if game.before is None else game.before.ply
    return game


def _row(store: Store, game_id: str, locked: bool = False) -> Game:
    """The game's row. Raises `NotFound`."""
    found = None
    if isinstance(game_id, str) and 0 < len(game_id) <= 32 and game_id.isascii() and game_id.isalnum():
        found = sql.row(store, sql.locking(store, _GAME) if locked else _GAME, game_id)
    if found is None:
        raise no_such_game()
    game = Game(*found[:-_TITLE])  # the columns come in the order of its fields
    game.title, game.name = title_of(*found[-_TITLE:])
    game.private, game.hints, game.held, game.sealed = map(bool, (game.private, game.hints, game.held, game.sealed))
    game.options, game.result, game.clock = map(_parsed, (game.options, game.result, game.clock))
    game.proposal = _parsed(game.proposal)
    game.stored = saving.columns(game)
    if game.status == "open":
        game.invited = [Invited(*row[:6], *map(bool, row[6:])) for row in sql.rows(store, _INVITED, game.id)]
    return game


def _with_newest(store: Store, game: Game) -> Game:
    """The game with its seats and the newest state of all."""
    _take_seats(store, game, sql.rows(store, _SEATS_TO_CHANGE, game.id))
    return game


def _take_seats(store: Store, game: Game, rows: list[sql.Row]) -> None:
    """Take the seats, and the state that came with them, from the rows of `_SEATS`."""
    for number, player, bot, words, client_seed, stored, *rest in rows:
        reserve, timeouts, autopilot, pause, kind, after, row, stopped, handle, owner, due, late, hints = rest[3:]
        name = seat_name(words, kind, number)
        wishes = preferences.read(stored)
        auto_draw = player is not None and wishes["auto_draw"]
        seat = Seat(number, player, bot, name, client_seed, auto_draw, wishes["time_zone"], reserve, timeouts)
        seat.autopilot, seat.wants_pause, seat.row, seat.named_after = bool(autopilot), bool(pause), row, after
        seat.mail_stopped, seat.handle, seat.bot_of, seat.late_ply = bool(stopped), handle, owner, late
        seat.hints = hints
        game.noted_due = game.noted_due or bool(due)
        game.seats.append(seat)
    if game.origin == SANDBOX:  # all seats that people move for are the owner's
        wished = any(seat.auto_draw for seat in game.seats)
        for seat in game.seats:
            seat.auto_draw = wished and seat.bot is None
    if game.status == "open" or (game.status == "abandoned" and game.started_at is None):
        return  # nothing was laid out
    ply, drawn, text = rows[0][6:9]
    if not _take_snapshot(game, ply, bool(drawn), text):
        recompute(store, game)
        # Where the row and the log disagree, the log is right.
        game.ply, game.to_move = game.position.ply, game.position.active
        game.public_ply = game.ply if game.before is None else game.before.ply
    elif drawn:
        game.unread = True


def _parsed(stored: Json) -> Json:
    """What a column holds as JSON, None for an empty one."""
    return orjson.loads(stored) if stored else None


def _take_snapshot(game: Game, ply: int | None, drawn: bool, text: str | None) -> bool:
    """Take the state of the snapshot; False when it does not fit the game's row or cannot be read."""
    if ply != game.ply or text is None or drawn != (game.public_ply != game.ply):
        return False
    try:
        game.state = game.rules.state_from_dict(orjson.loads(text), game.seed)
    except (ValueError, UlmError):
        return False  # a cache that cannot be read is no cache
    return True


def recompute(store: Store, game: Game, last: int | None = None) -> None:
    """Set the state (and the one without a hidden `draw`) from the log alone, up to ply `last` or to its end."""
    state, before = end_of(first_state(store, game), log(store, game, last=last))
    game.state, game.before, game.unread = state, before, False


_HIDDEN = 'SELECT COALESCE("before", state) FROM snapshot WHERE game_id = ? AND ply = ?'


def read_hidden(store: Store, game: Game) -> None:
    """Read the state without a hidden `draw` into a game loaded for a change, before somebody resigns. It is as much
    work when nothing is hidden: the time of a resignation must not tell who has drawn."""
    found = sql.row(store, _HIDDEN, game.id, game.ply)
    try:
        read = None if found is None else game.rules.state_from_dict(orjson.loads(found[0]), game.seed)
    except (ValueError, UlmError):
        read = None
    if not game.unread:
        if read is not None and game.before is None:
            read.canonical_json()
    elif read is None:
        recompute(store, game)
    else:
        game.before, game.unread = read, False


def newest_row(store: Store, game: Game) -> int:
    """The number of the newest move that stands, in the log of all games; 0 when there is none."""
    found = move_log.standing(store, game.id, game.ply, game.ply)
    return found[0].id if found else 0


def first_state(store: Store, game: Game) -> State:
    """Ply 0: laid out by the seed, or the stored position that a sandbox begins with."""
    if game.origin != SANDBOX:
        return game.rules.new_game(game.seed, game.seat_count, game.options)
    found = sql.row(store, "SELECT position FROM sandbox WHERE game_id = ?", game.id)
    if found is None:
        raise RuntimeError(f"the sandbox {game.id} has lost its position")
    return game.rules.state_from_dict(json.loads(found[0]), game.seed)
