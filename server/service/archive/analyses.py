"""What luck and what skill made of finished games, as it was found and kept; and what a job is to find.

A game is claimed by one process, thought about outside every transaction, and what was found is written under the
version of the method that found it. A process that dies loses its claim when the lease has run out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, NamedTuple, TypedDict, final

from replays.analysis import results
from replays.analysis.puzzles import PuzzleForm
from replays.analysis.results import Analysis, Findings
from server.engine.canonical import Json
from server.engine.ulm1.shapes import JsonSchema
from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.archive import puzzles, replays
from server.service.common.errors import Conflict, NotFound
from server.service.games import due_work, loading
from server.storage import leases, sql
from server.storage.database import Store
from server.storage.times import utc

FAILURES_MAX = 3
"""After so many a game is left alone until somebody wishes it anew."""
WAITING_MAX, OWN_WAITING_MAX = 500, 50
"""So many games may wait; whoever wishes one more is asked to come back."""


@final
class KeptAnalysis(Findings):
    """An analysis of a finished game."""

    id: str
    version: Annotated[str, "By which method and weights it was made."]


@final
class AnalysisUnderWay(TypedDict):
    """An analysis that is not there yet."""

    id: str
    status: Annotated[str, "How it stands.", JsonSchema(enum=["waiting", "running", "failed"])]
    done: Annotated[int, "Plies that are analysed."]
    plies: Annotated[int, "Plies of the game."]


class Moment(TypedDict):
    """The move that decided a game: its ply, its round, and the colours of the nine tiles then, row by row."""

    ply: int
    round: int
    square: list[str]


class Wanted(NamedTuple):
    """A game that was claimed, as the JSON form of a record; `for_puzzles`: puzzles are looked for in it, too."""

    game_id: str
    record: dict[str, Json]
    for_puzzles: bool
    request: str | None = None
    """The id of the request that wished it."""


_ROW = "SELECT wanted_at, done, version, data, lease_owner FROM analysis WHERE game_id = ?"


def of_game(store: Store, game_id: str, player: Player | None) -> KeptAnalysis | AnalysisUnderWay | None:
    """The analysis of a finished game, or how far it is; None where nobody has wished one. Raises `NotFound` for what
    is no finished game, or not for the eyes of `player`."""
    with store.read():
        game = replays.find(store, game_id, player)
        row = sql.row(store, _ROW, game_id)
    if row is None:
        return None
    wanted_at, done, version, data, owner = row
    if data is not None:
        found: Analysis = json.loads(data)
        return {"id": game_id, "version": version, "plies": found["plies"], "seats": found["seats"],
                "moments": found["moments"], "strokes": found["strokes"]}  # fmt: skip
    status = "failed" if wanted_at is None else "running" if owner else "waiting"
    return {"id": game_id, "status": status, "done": done, "plies": game.ply}


def required(store: Store, game_id: str, player: Player | None) -> KeptAnalysis | AnalysisUnderWay:
    """The same; raises `NotFound` also where nobody has wished one."""
    found = of_game(store, game_id, player)
    if found is None:
        raise NotFound(_("nobody has asked for an analysis of this game yet"))
    return found


def moments(store: Store, game_ids: Sequence[str]) -> dict[str, Moment]:
    """The moments of those of these games that are analysed. The caller has asked who may see them."""
    known = f"SELECT game_id, moment FROM analysis WHERE moment IS NOT NULL AND game_id IN {sql.marks(game_ids)}"  # noqa: S608
    return {game_id: json.loads(moment) for game_id, moment in sql.rows(store, known, *game_ids)}


def versions(store: Store, game_ids: Sequence[str]) -> dict[str, str]:
    """Which of these games are analysed, each with by what."""
    known = f"SELECT game_id, version FROM analysis WHERE data IS NOT NULL AND game_id IN {sql.marks(game_ids)}"  # noqa: S608
    return dict(sql.rows(store, known, *game_ids))


def _moment(store: Store, game_id: str, found: Findings) -> str | None:
    """The moment of a game as it is stored."""
    at = results.decisive(found)
    if at is None:
        return None
    with store.read():
        replay = replays.replay_of(store, loading.for_bot(store, game_id), at[0], None)
    square = [color for row in replay.state(at[0]).to_dict()["grid"] for color in row]
    moment: Moment = {"ply": at[0], "round": at[1], "square": square}
    return json.dumps(moment, separators=(",", ":"))


_STRANGERS = "strangers"  # all who ask without an account are one caller
_WAITING = "SELECT COUNT(*), COUNT(CASE WHEN asker = ? THEN 1 END) FROM analysis WHERE wanted_at IS NOT NULL"


def ask(store: Store, game_id: str, player: Player | None, now: datetime) -> KeptAnalysis | AnalysisUnderWay:
    """Wish an analysis of a finished game; one that is there by the method of now is enough. Raises `NotFound`, and
    `Conflict` when too many wait."""
    with store.write(power_cut_safe=False):
        game = replays.find(store, game_id, player)
        row = sql.row(store, _ROW, game_id)
        if row is None or row[2] != results.version(game.seat_count) or row[3] is None:
            asker = _STRANGERS if player is None else player.id
            ((waiting, own),) = sql.rows(store, _WAITING, asker)
            if waiting >= WAITING_MAX or own >= OWN_WAITING_MAX:
                raise Conflict(_("too many games are waiting for their analysis: try again later"))
            due_work.want_analysis(store, game_id, asker, now)
    return required(store, game_id, player)


_ASKER = "COALESCE(analysis.asker, analysis.game_id)"
_FREE = "wanted_at IS NOT NULL AND (lease_until IS NULL OR lease_until <= ? OR lease_until > ?)"
_ANY = f"SELECT 1 FROM analysis WHERE {_FREE} LIMIT 1"  # noqa: S608
_CLAIM = f"""
    WITH found AS MATERIALIZED (
        SELECT game_id FROM analysis WHERE {_FREE}
        ORDER BY {leases.turn_of("analyses", _ASKER)}, wanted_at, game_id LIMIT 1{{skip}})
    UPDATE analysis SET lease_owner = ?, lease_until = ?, done = 0 WHERE game_id IN (SELECT game_id FROM found)
    RETURNING game_id, request, {_ASKER}"""  # noqa: S608


def claim(store: Store, owner: str, now: datetime, until: datetime) -> Wanted | None:
    """A game for `owner` to analyse before `until`, by turns one of each who asked; None for none."""
    found = leases.claim_row(store, _ANY, _CLAIM, now, until, owner=owner, queue="analyses")
    if found is None:
        return None
    game_id = str(found[0])
    with store.read():
        game = loading.for_bot(store, game_id)
        record = replays.make_record(store, game)
    return Wanted(game_id, record.to_dict(), puzzles.may_have(game), found[1])


_RENEW = "UPDATE analysis SET lease_until = ?, done = ? WHERE game_id = ? AND lease_owner = ? RETURNING game_id"
_FINISH = """
    UPDATE analysis SET version = ?, data = ?, moment = ?,
        wanted_at = NULL, asker = NULL, lease_owner = NULL, lease_until = NULL
    WHERE game_id = ? AND lease_owner = ? RETURNING game_id"""
_RELEASE = """
    UPDATE analysis SET lease_owner = NULL, lease_until = NULL, done = 0, failures = failures + ?,
        wanted_at = CASE WHEN failures + ? >= ? THEN NULL ELSE wanted_at END
    WHERE game_id = ? AND lease_owner = ?"""


def renew(store: Store, owner: str, game_id: str, until: datetime, done: int) -> bool:
    """Say how many plies are done, and hold the game until a later time; whether it is still the owner's."""
    with store.write(power_cut_safe=False):
        return sql.row(store, _RENEW, utc(until), done, game_id, owner) is not None


def keep(store: Store, owner: str, game_id: str, found: Analysis, there: Sequence[PuzzleForm], now: datetime) -> None:
    """Keep what was found, an analysis and puzzles, if the game is still the owner's."""
    text, moment = json.dumps(found, separators=(",", ":")), _moment(store, game_id, found)
    with store.write():
        if sql.row(store, _FINISH, found["version"], text, moment, game_id, owner) is not None:
            puzzles.keep(store, game_id, there, now)


def release(store: Store, owner: str, game_id: str, failed: bool) -> None:
    """Leave a game to whoever comes next; `failed` when it could not be analysed."""
    with store.write(power_cut_safe=False):
        sql.execute(store, _RELEASE, int(failed), int(failed), FAILURES_MAX, game_id, owner)
