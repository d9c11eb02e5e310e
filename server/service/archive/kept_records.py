"""Records from outside: checking them, keeping them, taking them away."""

from __future__ import annotations

import secrets
from datetime import datetime
from hashlib import sha256
from typing import Annotated, TypedDict

from server.engine import record as records
from server.engine.canonical import Json, canonical_json
from server.engine.errors import RecordError
from server.engine.ulm1.shapes import Result
from server.language import gettext as _
from server.service.accounts import byte_quota
from server.service.accounts.players import Player
from server.service.archive import import_checks, tallies
from server.service.archive.replay_lists import ReplaySummary, summary_of
from server.service.common import audit_log
from server.service.common.errors import Conflict, Unprocessable
from server.service.common.ids import Entropy
from server.service.common.naming import IMPORTED, Title, unnamed
from server.service.games import loading
from server.service.games.model import Entry, Game, Seat
from server.service.games.saving import changing, insert, save
from server.storage import sql
from server.storage.database import Store


class Verdict(TypedDict):
    """What the check of a record found: `ply` and `message` name what fails, `digest` is that of the last state."""

    valid: bool
    plies: int | None
    ply: Annotated[int | None, "The ply that fails; null when valid."]
    message: Annotated[str | None, "Why it fails; null when valid."]
    digest: Annotated[str | None, "Of the last state."]
    result: Result | None


def verify(data: Json) -> Verdict:
    """Check a record. Never raises for a bad record. Raises `TooLarge` beyond the limits of `import_checks`."""
    import_checks.check_size(data)
    report: Verdict = {"valid": False, "plies": None, "ply": None, "message": None, "digest": None, "result": None}
    try:
        given = records.from_dict(data)
        report["plies"] = len(given.moves)
        last = records.verify(given)
    except RecordError as error:
        return {**report, "ply": error.ply, "message": import_checks.readable(error.message)}
    return {**report, "valid": True, "digest": last.digest(), "result": records.result_of(last)}


def keep(
    store: Store,
    player: Player,
    data: Json,
    now: datetime,
    entropy: Entropy = secrets.token_bytes,
    most: int | None = None,
) -> ReplaySummary:
    """Verify an outside record and keep it for everybody to replay; the same record is kept once. `most` is how many a
    player may give (None: any number). Raises `TooLarge`, `Conflict` beyond `most`, and `Unprocessable` naming the ply
    that fails, or a text that cannot be stored."""
    import_checks.check_size(data)
    import_checks.check_storable(data)
    try:
        given = records.from_dict(data)
        records.verify(given)
    except RecordError as error:
        message = import_checks.readable(error.message)
        raise Unprocessable(
            f"ply {error.ply}: {message}; nothing was kept", {"ply": error.ply, "message": message}, "invalid-record"
        ) from None
    import_checks.check_to_keep(data)
    digest = sha256(canonical_json(data).encode("ascii")).hexdigest()
    called = import_checks.shown_name(given.name)
    title = Title(called) if called else Title(kind=IMPORTED)
    game = Game.new(
        title,
        given.options,
        len(given.players),
        "imported",
        now,
        given.rules,
        creator=player.id,
        server_seed=given.server_seed,
        entropy=entropy,
    )
    game.seats = [
        Seat(seat, None, None, import_checks.shown_name(other["name"]) or unnamed(seat), given.client_seeds[seat])
        for seat, other in enumerate(given.players)
    ]
    take_log(game, given)
    with changing(store):
        known = sql.row(store, "SELECT game_id FROM imported_record WHERE digest = ?", digest)
        if known is None:
            _require_room(store, player, most)
            insert(store, game)
            save(store, game)
            text = import_checks.compact(data)
            byte_quota.count(store, player, byte_quota.record_size(text, game.ply))
            sql.insert(store, "imported_record", game_id=game.id, player_id=player.id, digest=digest, text=text)
            return summary_of(store, game)
        return summary_of(store, loading.for_reader(store, known[0], player))


def take_log(game: Game, record: records.Record) -> None:
    """Let a game be over, with the moves of a record that verifies, and stand where these lead."""
    state, before = record.first_state(), None
    for step in records.replay(record):
        state, before = step.state, state
    game.status, game.finished_at, game.result = "finished", game.created_at, records.result_of(state)
    game.state, game.to_move = state, state.active
    game.before = before if record.moves and record.moves[-1].text == "draw" else None
    game.entries = [
        Entry(ply, entry.seat, record.rules.parse_move(entry.text), import_checks.stored_time(entry.time))
        for ply, entry in enumerate(record.moves, 1)
    ]


def _require_room(store: Store, player: Player, most: int | None) -> None:
    if most is None:
        return
    found = sql.row(store, "SELECT COUNT(*) FROM imported_record WHERE player_id = ?", player.id)
    if found is not None and found[0] >= most:
        raise Conflict(
            _("you have given %(number)s records to keep, and no more are accepted from one player", number=found[0]),
            kind="limit-reached",
        )


def remove_import(store: Store, game_id: str, now: datetime) -> None:
    """Remove an imported game and all that hangs on it. Raises `NotFound`, and `Conflict` for a game played here."""
    with store.write():
        game = loading.for_change(store, game_id)
        if game.origin != "imported":
            raise Conflict(_("game %(game_id)s was not imported: only imported games can be removed", game_id=game_id))
        byte_quota.game_gone(store, game_id)
        tallies.game_gone(store, game_id)
        sql.execute(store, "DELETE FROM game WHERE id = ?", game_id)
        audit_log.note(store, "operator_removed_record", now, game=game_id)
