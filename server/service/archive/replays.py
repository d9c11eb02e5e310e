"""Finished and imported games, replayed: nothing is secret in them any more."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from dataclasses import replace
from threading import Lock
from typing import Annotated, TypedDict, Unpack

from cachetools import LRUCache, cached

from replays import sandbox
from replays.picture import picture
from replays.sight import TimelinePly, sight
from replays.sight import timeline as make_timeline
from replays.standings import TOURNAMENT
from server import engine
from server.board.svg import Style
from server.board.text import TextStyle
from server.board.text import board_text as write_board
from server.engine import record as records
from server.engine.canonical import Json
from server.engine.errors import UlmError
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.shapes import StateForm, View
from server.language import N_
from server.language import gettext as _
from server.service.accounts.players import Player
from server.service.common.errors import NotFound, bad_field
from server.service.common.naming import spoken
from server.service.games import loading, model, move_log
from server.service.games.model import Game
from server.storage import sql
from server.storage.database import Store

KEPT = 16
"""How many replays stay in memory, with their states; about 1 MB each."""
STATES_MAX = 1000
"""How many plies `states` gives at once."""
_NO_REPLAY = {
    "open": N_("this game is open: only finished games have a replay"),
    "running": N_("this game is running: only finished games have a replay"),
    "abandoned": N_("this game is abandoned: only finished games have a replay"),
}


class ReplayState(TypedDict):
    """The full state at `ply`, or with `seat` what that seat saw when it was the newest."""

    ply: int
    seat: int | None
    state: Annotated[StateForm | View, "The whole state; with `seat`, that seat's view."]


class Timeline(TypedDict):
    """A whole game at a glance, from ply 1 on."""

    id: str
    plies: list[TimelinePly]


def record(store: Store, game_id: str, player: Player | None = None) -> dict[str, Json]:
    """The file of record.md §5; an imported one as it was given. Raises `NotFound`."""
    with store.read():
        game = find(store, game_id, player)
        if game.origin == "imported":
            found = sql.row(store, "SELECT text FROM imported_record WHERE game_id = ?", game.id)
            if found is not None:
                given: dict[str, Json] = json.loads(found[0])
                return given
        return make_record(store, game).to_dict()


def make_record(store: Store, game: Game) -> records.Record:
    """The record of a stored game, from its log; of a sandbox one that begins with its position. Raises `RecordError`
    when the log is not a legal game."""
    moves = [records.MoveEntry(format_move(entry.move), entry.seat, entry.at) for entry in move_log.log(store, game)]
    if game.origin == model.SANDBOX:
        found = sql.row(store, "SELECT of_game, of_ply, of_seat FROM sandbox WHERE game_id = ?", game.id)
        left = dict(zip(("of", "ply", "seat"), found or (None, None, None), strict=True))
        first = loading.first_state(store, game)
        bare = sandbox.make(first, game.names, game.id, game.name, {sandbox.BRANCH: left})
        return records.completed(replace(bare, moves=moves))
    made = records.make(
        game_id=game.id,
        name=game.name,
        options=game.options,
        players=game.names,
        server_seed=bytes.fromhex(game.server_seed),
        client_seeds=[seat.client_seed for seat in game.seats],
        moves=moves,
        rules=game.rules,
    )
    found = None if game.deal is None else sql.row(store, _TOURNAMENT, game.id)
    if found is not None:
        tag = dict(zip(("id", "kind", "round", "entrants"), (*found[:3], json.loads(found[3])), strict=True))
        made.extra[TOURNAMENT] = tag
    return made


_TOURNAMENT = """
    SELECT t.id, t.kind, x.round, x.entrants FROM tournament_game x JOIN tournament t ON t.id = x.tournament_id
    WHERE x.game_id = ?"""


def replay_at(
    store: Store, game_id: str, ply: int | None, seat: int | None, player: Player | None, code: str | None = None
) -> engine.Game:
    """The replay of a finished game in which there is such a ply and such a seat; for people with what the server calls
    the game and its players in the language `code`. Raises `NotFound`."""
    with store.read():
        return replay_of(store, find(store, game_id, player), ply, seat, code)


def replay_of(store: Store, game: Game, ply: int | None, seat: int | None, code: str | None = None) -> engine.Game:
    """The same of a game that was found, inside a transaction."""
    replay = _replay(store, game)
    _check_ply(replay, ply)
    if seat is not None and not 0 <= seat < len(replay.names):
        raise NotFound(_("the seats of this game are 0 to %(last)s", last=len(replay.names) - 1))
    if code is None:
        return replay
    return replay.called([spoken(name, code) for name in game.names], spoken(game.name, code))


def state(store: Store, game_id: str, ply: int, seat: int | None = None, player: Player | None = None) -> ReplayState:
    """The full state at `ply`, or what `seat` saw when that ply was the newest. Raises `NotFound` for an unknown game,
    ply or seat."""
    replay = replay_at(store, game_id, ply, seat, player)
    if seat is None:
        return {"ply": ply, "seat": None, "state": replay.state(ply).to_dict()}
    return {"ply": ply, "seat": seat, "state": replay.view(ply, seat)}


def states(
    store: Store,
    game_id: str,
    first: int = 0,
    last: int | None = None,
    seat: int | None = None,
    player: Player | None = None,
) -> tuple[int, int, Iterator[ReplayState]]:
    """What `state` gives for the plies `first` to `last`, one by one; with it the last ply and the game's last ply.
    Without `last` as many as may be had at once, `STATES_MAX`. They are made while they are read: memory is bounded.
    Raises `NotFound` for an unknown game, ply or seat, `Unprocessable` for more than may be had or none."""
    replay = replay_at(store, game_id, first, seat, player)
    newest = min(first + STATES_MAX - 1, replay.plies) if last is None else _check_ply(replay, last)
    if not first <= newest < first + STATES_MAX:
        wanted = f"from is at most to, and both together name at most {STATES_MAX} plies"
        raise bad_field("to", wanted)
    try:
        replay.state(newest)  # whether the log replays shows now, not in the middle of an answer
    except UlmError as error:
        raise broken() from error
    return newest, replay.plies, _each(replay, first, newest, seat)


def _each(replay: engine.Game, first: int, last: int, seat: int | None) -> Iterator[ReplayState]:
    if first == 0:
        yield {"ply": 0, "seat": seat, "state": replay.state(0).to_dict() if seat is None else replay.view(0, seat)}
    for step in replay.steps(max(first, 1), last) if last else ():
        yield {"ply": step.ply, "seat": seat, "state": step.state.to_dict() if seat is None else step.seen_by(seat)}


def board_svg(
    store: Store, game_id: str, ply: int | None, seat: int | None, player: Player | None, **options: Unpack[Style]
) -> str:
    """The picture at `ply` (None: the last) as `seat` saw it, or with every hand open; what the ply changed is marked.
    Raises `NotFound` for an unknown game, ply or seat."""
    replay = replay_at(store, game_id, ply, seat, player)
    return picture(replay, replay.plies if ply is None else ply, seat, **options)


def board_text(
    store: Store, game_id: str, ply: int | None, seat: int | None, player: Player | None, **options: Unpack[TextStyle]
) -> str:
    """The same as text. Raises `NotFound`."""
    replay = replay_at(store, game_id, ply, seat, player)
    seen = sight(replay, replay.plies if ply is None else ply, seat)
    return write_board(seen, seat=seat, names=replay.names, **options)


def _check_ply(replay: engine.Game, ply: int | None) -> int:
    if ply is None:
        return replay.plies
    if not 0 <= ply <= replay.plies:
        raise NotFound(_("the moves of this game are 0 to %(last)s", last=replay.plies))
    return ply


def timeline(store: Store, game_id: str, player: Player | None = None) -> Timeline:
    """All that happened, ply by ply. Raises `NotFound`."""
    with store.read():
        replay = _replay(store, find(store, game_id, player))
    try:
        return {"id": game_id, "plies": make_timeline(replay)}
    except UlmError as error:
        raise broken() from error


def find(store: Store, game_id: str, player: Player | None) -> Game:
    """The finished or imported game, inside a transaction. Raises `NotFound`; running games have no replay."""
    game = loading.for_reader(store, game_id, player)
    game.require_visible(player)
    if game.status != "finished":
        raise NotFound(_(_NO_REPLAY[game.status]))
    game.require_unsealed()
    return game


def broken() -> NotFound:
    """The refusal for a log that does not replay."""
    return NotFound(_("the log of this game does not replay: ask the operator to run `ulm verify`"))


def _key(store: Store, game: Game) -> Hashable:
    """Under this a replay stays at hand: names go when their accounts do."""
    return store.number, game.id, game.name, *game.names


@cached(LRUCache(KEPT), _key, Lock())
def _replay(store: Store, game: Game) -> engine.Game:
    """The replay of a game that was found. Raises `NotFound`."""
    try:
        return engine.Game(make_record(store, game))
    except UlmError as error:
        raise broken() from error
