"""A deal of the day that many have played. `python -m tests.service.contests.field` lets a thousand have done so, and
prints how long it takes to reveal the deal, and to ask for its pages."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bots.rules_of_thumb import play_steady
from server.app import create_app
from server.engine import record as records
from server.engine import rulesets, seeds
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
NAMES = ("Jörg Weiß", "Світлана", "Ελένη", "小林")
"""Of players, with numbers behind them."""
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)


def fill(store: Store, players: int, now: datetime) -> str:
    """Let so many have played the deal of the day, beside the bots of the field, who have just begun; a game's id."""
    day.look_after(store, now)
    with store.read():
        found = deals.find(store, now.date().isoformat())
    assert found is not None
    games = [_play(found, number) for number in range(min(DIFFERENT, players))]
    with store.write():
        deal = deals.find(store, found.id, locked=True)  # a server beside this may have revealed it
        assert deal is not None
        for number in range(players):
            _store(store, deal, f"g{number:07d}", f"p{number:07d}", *games[number % len(games)])
    return "g0000000"


def _play(deal: deals.Deal, number: int) -> tuple[list[tuple[int, str]], str, str]:
    """A game of the deal: its moves, its last position, its result."""
    rng, rules = random.Random(number), rulesets.rules_for(deal.ruleset)
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
    at, plies = f"{deal.day}T00:00:00Z", len(moves)
    name = f"{NAMES[int(player[1:]) % len(NAMES)]} {player[1:]}"
    sql.insert(store, "player", id=player, name=name, found_as=name.casefold(), preferences="{}", created_at=at)
    sql.insert(
        store, "game", id=game, name=deal.day, title=OF_DAY, status="finished", ruleset=deal.ruleset, seats=deal.seats,
        options=canonical_json(deal.options), server_seed=deal.server_seed, commitment=deal.commitment,
        private=deal.revealed_at is None, ply=plies, public_ply=plies, version=plies, result=result, origin="played",
        created_at=at, started_at=at, finished_at=at, deal_id=deal.id, creator_id=player,
    )  # fmt: skip
    for seat in range(deal.seats):
        who = (player, None, name) if seat == 0 else (None, day.OPPONENT, server_name(day.OPPONENT))
        sql.insert(
            store, "seat", game_id=game, seat=seat, player_id=who[0], bot=who[1], name=who[2],
            name_kind=None if seat == 0 else day.OPPONENT, client_seed="", listed="finished", created_at=at,
        )  # fmt: skip
    sql.insert(store, "snapshot", game_id=game, ply=plies, state=state)
    for ply, (seat, move) in enumerate(moves, 1):
        sql.insert(store, "move", game_id=game, ply=ply, seat=seat, move=move, played_at=at, automatic=False)


def main() -> None:
    """Print it, the best and the worst of some times of each."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder), database_url=f"sqlite:///{folder}/ulm.db", example=False))
        store, client, at = app.extensions["ulm.store"], app.test_client(), NOW
        app.extensions["ulm.now"] = lambda: at
        game = fill(store, PLAYERS, NOW)
        at = NOW + timedelta(days=1)
        measured("it is revealed", lambda: day.look_after(store, at), 1)
        there = f"/deal/{NOW.date()}"
        for path in (there, f"{there}?page=11", f"{there}/{game}", "/deal/months/2026-11", f"/api/v1/deals{there[5:]}"):
            measured(path, lambda path=path: client.get(path).data)


def measured(what: str, made: Callable[[], object], times: int = 20) -> None:
    """Do it so many times, and print how long that took."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        assert made()
        took.append(1000 * (time.perf_counter() - began))
    print(f"{what}: {min(took):.0f} to {max(took):.0f} ms")


if __name__ == "__main__":
    main()
