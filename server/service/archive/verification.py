"""Recomputing every stored game from its log alone, and comparing with everything that was kept beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from replays import positions
from server.engine import record as records
from server.engine import rulesets, seeds
from server.engine.canonical import canonical_json
from server.engine.errors import IllegalMoveError, InvalidMoveError, RecordError, UlmError
from server.engine.record import MoveEntry
from server.engine.replaying import play_log
from server.engine.ulm1.shapes import Options
from server.engine.ulm1.state import State
from server.service.archive import archived_logs, tallies
from server.service.games import listing_keys, stored_log
from server.service.games.model import SANDBOX, dump
from server.service.games.stored_log import LoggedMove
from server.storage import sql
from server.storage.database import Store
from server.storage.sql import Row

Progress = Callable[[int, int], None]
"""Called with the number of games done and of all games."""

GAMES_PER_QUERY = 100


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not fit: in which game, at the first ply that differs, in what (log, head, result, snapshot,
    commitment, record), and in words. No secret of a game is in it."""

    game_id: str
    ply: int
    what: str
    message: str


@dataclass(slots=True)
class _Stored:
    """What is kept of one game."""

    id: str
    status: str
    ruleset: str
    options: Options
    seats: int
    server_seed: str
    commitment: str
    ply: int
    public_ply: int
    to_move: int | None
    result: str | None
    origin: str
    client_seeds: list[str]
    moves: list[tuple[int, int, str]]
    snapshot: tuple[int, str, str | None] | None
    text: str | None
    position: str | None = field(default=None, kw_only=True)
    fault: str | None = field(default=None, kw_only=True)
    """What is wrong with where the log lies."""
    listed: bool
    """Whether the seats repeat what lists ask for as the game has it."""
    started: bool


def verify_all(store: Store, progress: Progress | None = None) -> Iterator[Finding]:
    """Yield what differs, game by game in the order of their ids; nothing when all is well.

    Each game is read in a transaction of its own, so games may go on meanwhile; one at a time is held in memory.
    """
    with store.read():
        counted = sql.row(store, "SELECT COUNT(*) FROM game")
    total, done, last = counted[0] if counted else 0, 0, ""
    while True:
        with store.read():
            ids = sql.rows(store, "SELECT id FROM game WHERE id > ? ORDER BY id LIMIT ?", last, GAMES_PER_QUERY)
        if not ids:
            break
        for (game_id,) in ids:
            stored = _read(store, game_id)
            if stored is not None:
                yield from _findings(stored)
                if not tallies.counts_as_kept(store, game_id):
                    yield Finding(game_id, 0, "statistics", "it counts otherwise now: run `ulm verify --recount`")
            done += 1
            if progress is not None:
                progress(done, max(total, done))
        last = ids[-1][0]
    for game_id, message in tallies.differences(store):
        yield Finding(game_id, 0, "statistics", message)


def verify_game(store: Store, game_id: str) -> list[Finding]:
    """The findings of one game; none when it is not there."""
    stored = _read(store, game_id)
    return [] if stored is None else list(_findings(stored))


_GAME = """
    SELECT id, status, ruleset, options, seats, server_seed, commitment, ply, public_ply, to_move, result, origin,
        archived, started_at IS NOT NULL
    FROM game WHERE id = ?"""


_UNLISTED = f"""
    SELECT 1 FROM seat s JOIN game g ON g.id = s.game_id
    WHERE g.id = ? AND NOT (s.listed = {listing_keys.LISTED} AND COALESCE(s.created_at, '') = g.created_at
        AND COALESCE(s.finished_at, '') = COALESCE(g.finished_at, ''))"""  # noqa: S608 - of ours


def _read(store: Store, game_id: str) -> _Stored | None:
    with store.read():
        found = sql.row(store, _GAME, game_id)
        if found is None:
            return None
        seeds = sql.rows(store, "SELECT client_seed FROM seat WHERE game_id = ? ORDER BY seat", game_id)
        logged, fault = _log(store, game_id, found[-2], found[1])
        snapshot = sql.row(store, 'SELECT ply, state, "before" FROM snapshot WHERE game_id = ?', game_id)
        unlisted = sql.row(store, _UNLISTED, game_id)
        text = sql.row(store, "SELECT text FROM imported_record WHERE game_id = ?", game_id)
        position = sql.row(store, "SELECT position FROM sandbox WHERE game_id = ?", game_id)
    values, started = list(found[:-2]), bool(found[-1])
    moves = sorted((row.ply, row.seat, row.move) for row in logged if row.undone_at is None)
    values[3] = json.loads(values[3])
    kept: Row | None = None if snapshot is None else (snapshot[0], snapshot[1], snapshot[2])
    given = None if text is None else text[0]
    values += ([seed for (seed,) in seeds], moves, kept, given, unlisted is None, started)
    return _Stored(*values, position=None if position is None else position[0], fault=fault)


def _log(store: Store, game_id: str, archived: int, status: str) -> tuple[list[LoggedMove], str | None]:
    """The rows of the log, wherever they lie, and what is wrong with where they do."""
    rows = stored_log.in_rows(store, game_id)
    try:
        packed = stored_log.archived(store, game_id)
    except RecordError as error:
        return rows, error.message
    if (archived == archived_logs.PACKED) != (packed is not None):
        return rows or packed or [], "the game's row and the archive differ on whether the log is archived"
    if packed is None:
        return rows, None
    if rows:
        return packed, "the log lies both in rows and in the archive"
    return packed, None if status == "finished" else f"the log is archived but the game is {status}"


def _findings(stored: _Stored) -> Iterator[Finding]:
    if stored.fault is not None:
        yield Finding(stored.id, 0, "log", stored.fault)
    if not stored.listed:
        yield Finding(
            stored.id, 0, "head", "the seats do not repeat the game's status and times, which lists are found by"
        )
    if stored.fault is None or stored.moves:
        yield from _verify(stored)


def _verify(stored: _Stored) -> Iterator[Finding]:
    def finding(ply: int, what: str, message: str) -> Finding:
        return Finding(stored.id, ply, what, message)

    try:
        server_seed = bytes.fromhex(stored.server_seed)
    except ValueError:
        yield finding(0, "commitment", "the server's seed is not 64 hex digits")
        return
    if seeds.commitment(server_seed) != stored.commitment:
        yield finding(0, "commitment", "the commitment does not match the server's seed")
    if stored.status == "open" or (stored.status == "abandoned" and not stored.started):
        if stored.moves or stored.ply or stored.snapshot is not None:
            yield finding(0, "head", f"the game is {stored.status} but has moves or a position")
        return
    try:
        state = _first(stored, seeds.game_seed(server_seed, stored.client_seeds))
    except (ValueError, UlmError) as error:
        yield finding(0, "log", f"ply 0 cannot be laid out: {error}")
        return
    before: State | None = None
    whole = next((gap for gap, (ply, _, _) in enumerate(stored.moves) if ply != gap + 1), len(stored.moves))
    try:
        log = [MoveEntry(text, seat) for _, seat, text in stored.moves[:whole]]
        for step in play_log(state, log, refused=_refuse):
            state, before = step.state, step.hidden
    except RecordError as error:
        yield finding(error.ply, "log", error.message)
        return
    if whole < len(stored.moves):
        yield finding(whole + 1, "log", f"the log goes on with ply {stored.moves[whole][0]}")
        return
    if before is not None and stored.public_ply == state.ply and stored.moves[-1][2] == "resign":
        before = None  # as versions stored it that showed a hidden draw when somebody resigned
    yield from _verify_head(stored, state, before)
    yield from _verify_snapshot(stored, state, before)
    if stored.origin == "imported":
        yield from _verify_import(stored)


def _refuse(ply: int, entry: MoveEntry, error: InvalidMoveError | IllegalMoveError) -> None:
    raise RecordError(ply, f"{entry.text!r} of seat {entry.seat}: {error}") from error


def _first(stored: _Stored, seed: bytes) -> State:
    """Ply 0. Raises `ValueError` where the position of a sandbox is not one that can be played on."""
    rules = rulesets.of(stored.ruleset)
    if stored.origin != SANDBOX:
        return rules.new_game(seed, stored.seats, stored.options)
    if stored.position is None:
        raise ValueError("the position that this sandbox begins with is missing")
    state = rules.state_from_dict(json.loads(stored.position), seed)
    positions.check(state)
    if dump(state) != stored.position or state.ply or len(state.players) != stored.seats:
        raise ValueError("the position is not the beginning of this sandbox")
    return state


def _verify_head(stored: _Stored, state: State, before: State | None) -> Iterator[Finding]:
    """The game's row: where it says that the game stands, and how it ended."""
    public_ply = state.ply if before is None else before.ply
    over = "finished" if state.active is None or stored.origin == "imported" else "running"
    if stored.status == "abandoned" and over == "running":
        over = "abandoned"  # which no log can tell
    for name, kept, computed in (
        ("ply", stored.ply, state.ply),
        ("public ply", stored.public_ply, public_ply),
        ("seat to move", stored.to_move, state.active),
        ("status", stored.status, over),
    ):
        if kept != computed:
            yield Finding(stored.id, state.ply, "head", f"{name}: stored is {kept}, the log gives {computed}")
    result = records.result_of(state)
    if stored.result != (None if result is None else canonical_json(result)):
        yield Finding(stored.id, state.ply, "result", "the stored result is not the one that the log gives")


def _verify_snapshot(stored: _Stored, state: State, before: State | None) -> Iterator[Finding]:
    """The cache. It may be missing; what is there has to be right."""
    if stored.snapshot is None:
        return
    ply, kept, kept_before = stored.snapshot
    if ply != state.ply:
        message = f"the snapshot is of ply {ply}, the log ends at ply {state.ply}"
        yield Finding(stored.id, min(ply, state.ply), "snapshot", message)
        return
    if kept_before != (None if before is None else dump(before)):
        message = "the snapshot's state before the newest move differs from the log's"
        yield Finding(stored.id, max(ply - 1, 0), "snapshot", message)
    elif kept != dump(state):
        yield Finding(stored.id, ply, "snapshot", "the snapshot's state differs from the log's")


def _verify_import(stored: _Stored) -> Iterator[Finding]:
    """The record as it was given: it still verifies and holds the same moves."""
    if stored.text is None:
        yield Finding(stored.id, 0, "record", "the record of this imported game is missing")
        return
    try:
        given = records.loads(stored.text)
        records.verify(given)
    except RecordError as error:
        yield Finding(stored.id, error.ply, "record", error.message)
        return
    same = [(ply, entry.seat, entry.text) for ply, entry in enumerate(given.moves, 1)]
    if same != stored.moves:
        pairs = zip(same, stored.moves, strict=False)
        ply = next((one[0] for one, other in pairs if one != other), min(len(same), len(stored.moves)) + 1)
        yield Finding(stored.id, ply, "record", "the log differs from the imported record")
