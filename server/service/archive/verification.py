"""Recomputing every stored game from its log alone, and comparing with everything that was kept beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import NamedTuple

from replays import positions
from server.engine import record as records
from server.engine import rulesets, seeds
from server.engine.canonical import canonical_json
from server.engine.errors import RecordError, UlmError
from server.engine.record import MoveEntry
from server.engine.replaying import play_log
from server.engine.ulm1.state import State
from server.service.archive import archiving, rating, statistics
from server.service.games import listing_keys, move_log, packed_log
from server.service.games.model import SANDBOX, LoggedMove
from server.storage import sql
from server.storage.database import Store

Progress = Callable[[int, int], None]
"""Called with the number of games done and of all games."""

GAMES_PER_QUERY = 100


class Finding(NamedTuple):
    """Something that does not fit: in which game, at the first ply that differs, in what (log, head, result, snapshot,
    commitment, record, statistics, ratings), and in words. No secret of a game is in it."""

    game_id: str
    ply: int
    what: str
    message: str


Wrong = Iterator[tuple[int, str, str]]
"""The same without the game."""


def verify_all(store: Store, progress: Progress | None = None) -> Iterator[Finding]:
    """Yield what differs, game by game in the order of their ids; nothing when all is well. Each game is read in a
    transaction of its own, so games may go on meanwhile; one at a time is held in memory."""
    total, done, last = sql.value(store, "SELECT COUNT(*) FROM game") or 0, 0, ""
    while True:
        ids = sql.rows(store, "SELECT id FROM game WHERE id > ? ORDER BY id LIMIT ?", last, GAMES_PER_QUERY)
        for (last,) in ids:
            yield from verify_game(store, last)
            if not statistics.counts_as_kept(store, last):
                yield Finding(last, 0, "statistics", "it counts otherwise now: run `ulm verify --recount`")
            done += 1
            if progress is not None:
                progress(done, max(total, done))
        if not ids:
            break
    for game_id, message in statistics.differences(store):
        yield Finding(game_id, 0, "statistics", message)
    yield from verify_ratings(store)


def verify_ratings(store: Store, progress: Progress | None = None) -> Iterator[Finding]:
    """Yield what differs of the ratings alone, computed anew from all games that were counted."""
    for game_id, message in rating.differences(store, progress):
        yield Finding(game_id, 0, "ratings", message)


def verify_game(store: Store, game_id: str) -> list[Finding]:
    """The findings of one game; none when it is not there."""
    stored = _read(store, game_id)
    return [] if stored is None else [Finding(game_id, *wrong) for wrong in _wrong(stored)]


class _Stored(NamedTuple):
    """What is kept of one game."""

    game: sql.ByName
    client_seeds: list[str]
    moves: list[tuple[int, int, str]]
    fault: str | None
    """What is wrong with where the log lies."""
    snapshot: sql.Row | None
    record: sql.Row | None
    position: sql.Row | None
    unlisted: sql.Row | None
    """A seat that does not repeat what lists ask for as the game has it."""


_SEEDS = "SELECT client_seed FROM seat WHERE game_id = ? ORDER BY seat"
_UNLISTED = f"""
    SELECT 1 FROM seat s JOIN game g ON g.id = s.game_id
    WHERE g.id = ? AND NOT (s.listed = {listing_keys.LISTED} AND COALESCE(s.created_at, '') = g.created_at
        AND COALESCE(s.finished_at, '') = COALESCE(g.finished_at, ''))"""  # noqa: S608 - of ours


def _read(store: Store, game_id: str) -> _Stored | None:
    with store.read():
        found = sql.dicts(store, "SELECT * FROM game WHERE id = ?", game_id)
        if not found:
            return None
        logged, fault = _log(store, game_id, found[0]["archived"], found[0]["status"])
        return _Stored(
            found[0],
            [seed for (seed,) in sql.rows(store, _SEEDS, game_id)],
            sorted((row.ply, row.seat, row.move) for row in logged if row.undone_at is None),
            fault,
            sql.row(store, 'SELECT ply, state, "before" FROM snapshot WHERE game_id = ?', game_id),
            sql.row(store, "SELECT text FROM imported_record WHERE game_id = ?", game_id),
            sql.row(store, "SELECT position FROM sandbox WHERE game_id = ?", game_id),
            sql.row(store, _UNLISTED, game_id),
        )


def _log(store: Store, game_id: str, archived: int, status: str) -> tuple[list[LoggedMove], str | None]:
    """The rows of the log, wherever they lie, and what is wrong with where they do."""
    rows = move_log.in_rows(store, game_id)
    try:
        packed = packed_log.read(store, game_id)
    except RecordError as error:
        return rows, error.message
    if (archived == archiving.PACKED) != (packed is not None):
        return rows or packed or [], "the game's row and the archive differ on whether the log is archived"
    if packed is None:
        return rows, None
    if rows:
        return packed, "the log lies both in rows and in the archive"
    return packed, None if status == "finished" else f"the log is archived but the game is {status}"


def _wrong(stored: _Stored) -> Wrong:
    if stored.fault is not None:
        yield 0, "log", stored.fault
    if stored.unlisted is not None:
        yield 0, "head", "the seats do not repeat the game's status and times, which lists are found by"
    if stored.fault is None or stored.moves:
        yield from _of_log(stored)


def _of_log(stored: _Stored) -> Wrong:
    """What the log does not say, or says otherwise."""
    game = stored.game
    try:
        server_seed = bytes.fromhex(game["server_seed"])
    except ValueError:
        yield 0, "commitment", "the server's seed is not 64 hex digits"
        return
    if seeds.commitment(server_seed) != game["commitment"]:
        yield 0, "commitment", "the commitment does not match the server's seed"
    if game["status"] == "open" or (game["status"] == "abandoned" and game["started_at"] is None):
        if stored.moves or game["ply"] or stored.snapshot is not None:
            yield 0, "head", f"the game is {game['status']} but has moves or a position"
        return
    try:
        state = _first(stored, seeds.game_seed(server_seed, stored.client_seeds))
    except (ValueError, UlmError) as error:
        yield 0, "log", f"ply 0 cannot be laid out: {error}"
        return
    before: State | None = None
    whole = next((gap for gap, (ply, _, _) in enumerate(stored.moves) if ply != gap + 1), len(stored.moves))
    try:
        for step in play_log(state, [MoveEntry(text, seat) for _, seat, text in stored.moves[:whole]]):
            state, before = step.state, step.hidden
    except RecordError as error:
        yield error.ply, "log", error.message
        return
    if whole < len(stored.moves):
        yield whole + 1, "log", f"the log goes on with ply {stored.moves[whole][0]}"
        return
    yield from _head(game, state, before)
    yield from _snapshot(stored.snapshot, state, before)
    if game["origin"] == "imported":
        yield from _record(stored)


def _first(stored: _Stored, seed: bytes) -> State:
    """Ply 0. Raises `ValueError` where the position of a sandbox is not one that can be played on."""
    game = stored.game
    rules = rulesets.rules_for(game["ruleset"])
    if game["origin"] != SANDBOX:
        return rules.new_game(seed, game["seats"], json.loads(game["options"]))
    if stored.position is None:
        raise ValueError("the position that this sandbox begins with is missing")
    state = rules.state_from_dict(json.loads(stored.position[0]), seed)
    positions.check(state)
    if state.canonical_json() != stored.position[0] or state.ply or len(state.players) != game["seats"]:
        raise ValueError("the position is not the beginning of this sandbox")
    return state


def _head(game: sql.ByName, state: State, before: State | None) -> Wrong:
    """The game's row: where it says that the game stands, and how it ended."""
    over = "finished" if state.active is None or game["origin"] == "imported" else "running"
    if game["status"] == "abandoned" and over == "running":
        over = "abandoned"  # which no log can tell
    for name, kept, computed in (
        ("ply", game["ply"], state.ply),
        ("public ply", game["public_ply"], state.ply if before is None else before.ply),
        ("seat to move", game["to_move"], state.active),
        ("status", game["status"], over),
    ):
        if kept != computed:
            yield state.ply, "head", f"{name}: stored is {kept}, the log gives {computed}"
    result = records.result_of(state)
    if game["result"] != (None if result is None else canonical_json(result)):
        yield state.ply, "result", "the stored result is not the one that the log gives"


def _snapshot(snapshot: sql.Row | None, state: State, before: State | None) -> Wrong:
    """The cache. It may be missing; what is there has to be right."""
    if snapshot is None:
        return
    ply, kept, kept_before = snapshot
    if ply != state.ply:
        yield min(ply, state.ply), "snapshot", f"the snapshot is of ply {ply}, the log ends at ply {state.ply}"
    elif kept_before != (None if before is None else before.canonical_json()):
        yield max(ply - 1, 0), "snapshot", "the snapshot's state before the newest move differs from the log's"
    elif kept != state.canonical_json():
        yield ply, "snapshot", "the snapshot's state differs from the log's"


def _record(stored: _Stored) -> Wrong:
    """The record as it was given: it still verifies and holds the same moves."""
    if stored.record is None:
        yield 0, "record", "the record of this imported game is missing"
        return
    try:
        given = records.loads(stored.record[0])
        records.verify(given)
    except RecordError as error:
        yield error.ply, "record", error.message
        return
    same = [(ply, entry.seat, entry.text) for ply, entry in enumerate(given.moves, 1)]
    if same != stored.moves:
        pairs = zip(same, stored.moves, strict=False)
        ply = next((one[0] for one, other in pairs if one != other), min(len(same), len(stored.moves)) + 1)
        yield ply, "record", "the log differs from the imported record"


class Use(NamedTuple):
    """A ruleset: how many stored games and records stand under it, whether the engine knows it, whether it is an
    operator's own, and whether new games are played by it."""

    name: str
    games: int
    known: bool
    own: bool
    for_new_games: bool


def of_all(store: Store) -> list[Use]:
    """Every ruleset that there is or that a stored game asks for: known ones first, in their order."""
    rows = sql.rows(store, "SELECT ruleset, COUNT(*) FROM game GROUP BY ruleset")
    games = {str(name): int(count) for name, count in rows}
    chosen = rulesets.for_new_games().name
    names = [*rulesets.ALL, *sorted(games.keys() - rulesets.ALL.keys())]
    return [Use(name, games.get(name, 0), name in rulesets.ALL, name in rulesets.OWN, name == chosen) for name in names]
