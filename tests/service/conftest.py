"""Players, games and a driver for tests of the service layer; all run on SQLite and PostgreSQL."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from server.service import accounts, games
from server.service.accounts import Player
from server.storage.database import Store

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


@dataclass
class Clock:
    """A time that passes by a minute whenever it is read."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


def make_player(store: Store, name: str, auto_draw: bool = True, now: datetime = NOW) -> Player:
    token = accounts.create_player(store, name, None, now)["token"]
    player = accounts.authenticate(store, token, now)
    assert player is not None
    if not auto_draw:
        accounts.update_profile(store, player, {"preferences": {"auto_draw": False}}, now)
        player = accounts.authenticate(store, token, now)
        assert player is not None
    return player


def fixed_entropy(number: int) -> Callable[[int], bytes]:
    """Secrets that are the same in every run, so that a test knows its game."""
    source = random.Random(number)
    return source.randbytes


@dataclass
class Match:
    """A running game with its players, by seat."""

    store: Store
    id: str
    players: list[Player]
    clock: Clock = field(default_factory=Clock)

    def page(self, seat: int | None) -> dict[str, Any]:
        return games.page(self.store, self.id, None if seat is None else self.players[seat])

    @property
    def to_move(self) -> int | None:
        return self.page(None)["to_move"]

    @property
    def active(self) -> int:
        seat = self.to_move
        assert seat is not None
        return seat

    def ply(self, seat: int | None) -> int:
        return self.page(seat)["ply"]

    def play(self, seat: int, *moves: str, ply: int | None = None, key: str | None = None) -> dict[str, Any]:
        at = self.ply(seat) if ply is None else ply
        return games.play(self.store, self.id, self.players[seat], at, list(moves), key, self.clock())

    def legal(self, seat: int) -> list[str]:
        return games.legal_moves(self.store, self.id, self.players[seat])["moves"]

    def others(self) -> list[int | None]:
        """Every seat that is not to move, and a spectator."""
        return [seat for seat in range(len(self.players)) if seat != self.active] + [None]

    def play_turn(self, *first: str) -> None:
        """The shortest turn: draw if need be, push somewhere, settle what comes, end."""
        seat = self.active
        for move in first:
            self.play(seat, move)
        for _ in range(50):
            if self.to_move != seat:
                return
            legal = self.legal(seat)
            move = next((m for m in ("draw", "end") if m in legal), None)
            self.play(seat, move or next(m for m in legal if m.split()[0] in ("push", "keep", "pick", "dock")))
        raise AssertionError("the turn does not end")


@pytest.fixture
def match(store: Store) -> Callable[..., Match]:
    """A function that starts a game: `match(seats=2, auto_draw=True, seed=1, options=None, private=False)`."""

    def start(
        seats: int = 2,
        auto_draw: bool = True,
        seed: int = 1,
        options: dict[str, bool] | None = None,
        private: bool = False,
    ) -> Match:
        players = [make_player(store, f"Player {seat}", auto_draw) for seat in range(seats)]
        page = games.create(
            store, players[0], seats, "A game", options, "", [], private, NOW, entropy=fixed_entropy(seed)
        )
        for player in players[1:]:
            games.join(store, player, page["id"], "", page["invitation"], NOW)
        return Match(store, page["id"], players)

    return start
