"""A deal of the day that a thousand have played: how long its pages take (docs/contests.md)."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.timing import Figure, duration, progress_done, show
from bots.rules_of_thumb import play_steady
from server.app import create_app
from server.engine import record as records
from server.engine import seeds
from server.engine.canonical import canonical_json
from server.engine.ulm1.notation import format_move
from server.service.common.naming import OF_DAY, server_name
from server.service.contests import day, deals
from server.settings import Settings
from server.storage import sql
from server.storage.database import Store

PLAYERS = 1000
DIFFERENT = 40
"""So many games are played; each is that of several players."""
ASKED = 20
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)


def fill(store: Store, players: int, now: datetime) -> str:
    """Let so many have played the deal of the day, beside the bots of the field, who have just begun; a game's id."""
    day.look_after(store, now)
    with store.write():
        row = sql.row(store, "SELECT id FROM deal WHERE day = ?", now.date().isoformat())
        found = None if row is None else deals.find(store, row[0])
    if found is None:
        raise RuntimeError("there is no deal of today")
    games = [_play(found, number) for number in range(min(DIFFERENT, players))]
    with store.write():
        deal = deals.find(store, found.id, locked=True) or found  # a server beside this may have revealed it
        for number in range(players):
            _store(store, deal, f"g{number:07d}", f"p{number:07d}", *games[number % len(games)])
    return "g0000000"


def _play(deal: deals.Deal, number: int) -> tuple[list[tuple[int, str]], str, str]:
    """A game of the deal: its moves, its last position, its result."""
    rng, rules = random.Random(number), deal.rules
    seed = seeds.game_seed(bytes.fromhex(deal.server_seed), [""] * deal.seats)
    state, moves = rules.new_game(seed, deal.seats, deal.options), list[tuple[int, str]]()
    while state.active is not None:
        seat = state.active
        move = play_steady(rules.view(state, seat), rules.legal_moves(state), rng)
        state = rules.apply(state, seat, move).state
        moves.append((seat, format_move(move)))
    return moves, state.canonical_json(), canonical_json(records.result_of(state))


def _store(
    store: Store, deal: deals.Deal, game: str, player: str, moves: list[tuple[int, str]], state: str, result: str
) -> None:
    at, plies = deal.opens_at, len(moves)
    name = f"Player {player[1:]}"
    sql.insert(store, "player", id=player, name=name, found_as=name.lower(), preferences="{}", created_at=at)
    sql.insert(
        store, "game", id=game, name=deal.day, title=OF_DAY, status="finished", ruleset=deal.ruleset, seats=deal.seats,
        options=canonical_json(deal.options), server_seed=deal.server_seed, commitment=deal.commitment,
        private=deal.revealed_at is None, ply=plies, public_ply=plies, version=plies, result=result, origin="played",
        created_at=at, started_at=at, finished_at=at, deal_id=deal.id, creator_id=player,
    )  # fmt: skip
    for seat in range(deal.seats):
        who = (player, None, f"Player {player[1:]}") if seat == 0 else (None, day.OPPONENT, server_name(day.OPPONENT))
        sql.insert(
            store, "seat", game_id=game, seat=seat, player_id=who[0], bot=who[1], name=who[2],
            name_kind=None if seat == 0 else day.OPPONENT, client_seed="", listed="finished", created_at=at,
        )  # fmt: skip
    sql.insert(store, "snapshot", game_id=game, ply=plies, state=state)
    for ply, (seat, move) in enumerate(moves, 1):
        sql.insert(store, "move", game_id=game, ply=ply, seat=seat, move=move, played_at=at, automatic=False)


def figures(players: int = PLAYERS) -> Iterator[Figure]:
    """How long it takes to reveal the deal, and to ask for its pages."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder), database_url=f"sqlite:///{folder}/ulm.db", example=False))
        store, at = app.extensions["ulm.store"], NOW
        app.extensions["ulm.now"] = lambda: at
        game = fill(store, players, NOW)
        at = NOW + timedelta(days=1)
        began = time.perf_counter()
        day.look_after(store, at)
        yield Figure("it is revealed", "deal", (time.perf_counter() - began,))
        client, there = app.test_client(), NOW.date().isoformat()
        for path in (f"/deal/{there}", f"/deal/{there}?page=11", f"/deal/{there}/{game}", "/deal/months/2026-11",
                     f"/api/v1/deals/{there}"):  # fmt: skip
            times, size = [], 0
            for _ in range(ASKED):
                began = time.perf_counter()
                answer = client.get(path)
                times.append(time.perf_counter() - began)
                size = len(answer.data)
                if answer.status_code != 200:
                    raise RuntimeError(f"{path}: {answer.status}")
            yield Figure(path, "page", tuple(times), f"{size} bytes; the first time {duration(times[0])}")


def run() -> None:
    """Print it."""
    found = list(figures())
    progress_done()
    show(f"A deal of the day that {PLAYERS} have played", found)
