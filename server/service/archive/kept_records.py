"""Records from outside: what they have to be like, checking them, keeping them, taking them away."""

from __future__ import annotations

import secrets
from datetime import datetime
from hashlib import sha256
from typing import Annotated, TypedDict

import orjson

from server.engine import record as records
from server.engine.canonical import Json, canonical_json, walk
from server.engine.errors import RecordError
from server.engine.ulm1.shapes import Result
from server.language import gettext as _
from server.service.accounts import stored_bytes
from server.service.accounts.players import Player
from server.service.archive import statistics
from server.service.archive.replay_lists import ReplaySummary, summary_of
from server.service.common import audit_log, checks
from server.service.common.checks import NAME_MAX, storable
from server.service.common.errors import Conflict, TooLarge, Unprocessable
from server.service.common.ids import Entropy
from server.service.common.naming import IMPORTED, Title, unnamed
from server.service.games import loading
from server.service.games.model import Entry, Game, Seat
from server.service.games.saving import changing, insert, save
from server.storage import sql
from server.storage.database import Store

MOVES_MAX = 5000  # a long game of four has about 1000
VALUES_MAX = 100_000
TEXT_MAX = 1_000_000  # characters of all texts together
DEPTH_MAX = 32
FREE_MAX = 16_000
"""Bytes of what the game does not follow from, in a record that is kept: names, and the fields that nobody here knows.
A file may hold any number of these; what strangers put onto this server for good may not."""
_PLAYED = ("moves", "digests", "result")
WHOLE_MAX = 2**53


class Verdict(TypedDict):
    """What the check of a record found: `ply` and `message` name what fails, `digest` is that of the last state."""

    valid: bool
    plies: int | None
    ply: Annotated[int | None, "The ply that fails; null when valid."]
    message: Annotated[str | None, "Why it fails; null when valid."]
    digest: Annotated[str | None, "Of the last state."]
    result: Result | None


def verify(data: Json) -> Verdict:
    """Check a record. Never raises for a bad record. Raises `TooLarge` beyond the limits of `check_size`."""
    check_size(data)
    report: Verdict = {"valid": False, "plies": None, "ply": None, "message": None, "digest": None, "result": None}
    try:
        given = records.from_dict(data)
        report["plies"] = len(given.moves)
        last = records.verify(given)
    except RecordError as error:
        return {**report, "ply": error.ply, "message": readable(error.message)}
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
    check_size(data)
    check_storable(data)
    try:
        given = records.from_dict(data)
        records.verify(given)
    except RecordError as error:
        message = readable(error.message)
        raise Unprocessable(
            f"ply {error.ply}: {message}; nothing was kept", {"ply": error.ply, "message": message}, "invalid-record"
        ) from None
    check_to_keep(data)
    digest = sha256(canonical_json(data).encode("ascii")).hexdigest()
    called = shown_name(given.name)
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
        Seat(seat, None, None, shown_name(other["name"]) or unnamed(seat), given.client_seeds[seat])
        for seat, other in enumerate(given.players)
    ]
    take_log(game, given)
    with changing(store):
        known = sql.row(store, "SELECT game_id FROM imported_record WHERE digest = ?", digest)
        if known is None:
            _require_room(store, player, most)
            insert(store, game)
            save(store, game)
            text = compact(data)
            stored_bytes.count(store, player, stored_bytes.record_size(text, game.ply))
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
        Entry(ply, entry.seat, record.rules.parse_move(entry.text), stored_time(entry.time))
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
        stored_bytes.game_gone(store, game_id)
        statistics.game_gone(store, game_id)
        sql.execute(store, "DELETE FROM game WHERE id = ?", game_id)
        audit_log.note(store, "operator_removed_record", now, game=game_id)


def check_size(data: Json) -> None:
    """Raise `TooLarge` for more than anybody can have played; it takes time in step with the bounds at most."""
    characters = 0
    for values, (value, depth) in enumerate(walk(data), 1):
        if isinstance(value, str):
            characters += len(value)
        elif isinstance(value, dict):
            characters += sum(map(len, value))
        if depth > DEPTH_MAX or values > VALUES_MAX or characters > TEXT_MAX:
            raise TooLarge(
                f"a record has at most {MOVES_MAX} moves, {VALUES_MAX} values, {TEXT_MAX} characters of text, "
                f"and is nested at most {DEPTH_MAX} deep"
            )
    if isinstance(data, dict) and isinstance(data.get("moves"), list) and len(data["moves"]) > MOVES_MAX:
        raise TooLarge(f"a record has at most {MOVES_MAX} moves, this one {len(data['moves'])}")


def check_to_keep(data: dict[str, Json]) -> None:
    """Raise `TooLarge` for a record (of the right shape, and storable) that says too much beside its game."""
    free = len(compact({key: value for key, value in data.items() if key not in _PLAYED}).encode())
    if free > FREE_MAX:
        raise TooLarge(
            _(
                "names and fields of your own may take %(most)s bytes in a record that is kept, and yours take "
                "%(present)s: leave some out",
                most=FREE_MAX,
                present=free,
            )
        )


def compact(data: dict[str, Json]) -> str:
    """A record as it is stored: each character as itself, where an escape takes six times as much."""
    return orjson.dumps(data, option=orjson.OPT_SORT_KEYS).decode()


def check_storable(data: Json) -> None:
    """Raise `Unprocessable` for texts and numbers that cannot be stored and given back as they are."""
    for value, _depth in walk(data):
        texts = (value,) if isinstance(value, str) else value if isinstance(value, dict) else ()
        if not all(map(storable, texts)):
            raise _unstorable("texts with NUL characters or lone surrogates cannot be kept")
        if isinstance(value, int) and abs(value) > WHOLE_MAX:
            raise _unstorable("whole numbers beyond 2^53 cannot be kept")
        if isinstance(value, float) and not abs(value) < float("inf"):
            raise _unstorable("NaN and Infinity are no JSON numbers")


def _unstorable(message: str) -> Unprocessable:
    return Unprocessable(f"ply 0: {message}", {"ply": 0, "message": message}, "invalid-record")


def shown_name(given: str) -> str:
    """A name of an outside record as pages show it: one printable line without web addresses, empty when nothing of it
    can be seen. The record itself keeps it as given."""
    line = given[: 4 * NAME_MAX]
    while (unseen := checks.unseen(line)) is not None:
        line = line.replace(unseen, " ")
    return " ".join(checks.without_web_addresses(line).split())[:NAME_MAX].strip(" …")


def stored_time(time: str | None) -> str | None:
    """The time of a move, cut to seconds."""
    return None if time is None else time[:19] + "Z"


def readable(message: str) -> str:
    """A message that quotes the record, fit for an answer."""
    return message.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\0")
