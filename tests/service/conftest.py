"""Players, games and a driver for tests of the service layer; all run on SQLite and PostgreSQL."""

import json
import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from server.engine import rulesets, seeds
from server.engine.canonical import canonical_json
from server.engine.ulm1 import game
from server.engine.ulm1.notation import format_move
from server.engine.ulm1.state import NOBODY, State
from server.engine.ulm2 import RULES
from server.service.accounts import access, account_opening, profiles
from server.service.accounts.players import Player, player_by_id
from server.service.lists import game_page
from server.service.play import turns
from server.service.seating import creating, joining
from server.storage.database import Store
from tests.tables import Player as PlayerRow
from tests.tables import Snapshot

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


@dataclass
class Clock:
    """A time that passes by a minute whenever it is read."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


def make_player(store: Store, name: str, auto_draw: bool = True, now: datetime = NOW) -> Player:
    token = account_opening.create_player(store, name, None, now)["token"]
    player = access.authenticate(store, token, now)
    assert player is not None
    if not auto_draw:
        profiles.update_profile(store, player, {"preferences": {"auto_draw": False}}, now)
        player = access.authenticate(store, token, now)
        assert player is not None
    return player


def give_address(store: Store, player: Any, address: str, confirmed: bool = True) -> Player:
    """An address for a player, or for whoever else has an `id`; the player as they are then."""
    with store.write():
        told = {"email": address, "email_confirmed_at": NOW if confirmed else None}
        PlayerRow.update(**told).where(PlayerRow.id == player.id).execute()
    found = player_by_id(store, player.id)
    assert found is not None
    return found


def fixed_entropy(number: int) -> Callable[[int], bytes]:
    """The server's seed of a game (32 bytes) is known by its number; ids stay random."""
    return lambda size: random.Random(number).randbytes(size) if size == 32 else secrets.token_bytes(size)


@dataclass
class Match:
    """A running game with its players, by seat."""

    store: Store
    id: str
    players: list[Player]
    clock: Clock = field(default_factory=Clock)

    def page(self, seat: int | None) -> dict[str, Any]:
        return game_page.page(self.store, self.id, None if seat is None else self.players[seat])

    @property
    def to_move(self) -> int | None:
        return self.page(0)["to_move"]

    @property
    def active(self) -> int:
        seat = self.to_move
        assert seat is not None
        return seat

    def ply(self, seat: int | None) -> int:
        return self.page(seat)["ply"]

    def play(self, seat: int, *moves: str, ply: int | None = None, key: str | None = None) -> dict[str, Any]:
        at = self.ply(seat) if ply is None else ply
        return turns.play(self.store, self.id, self.players[seat], at, list(moves), key, self.clock())

    def legal(self, seat: int) -> list[str]:
        return game_page.legal_moves(self.store, self.id, self.players[seat])["moves"]

    def follow(self, moves: tuple[tuple[int, str], ...]) -> None:
        """Play a known log, leaving out the draws that the server has made already."""
        for seat, text in moves:
            if text != "draw" or self.page(seat)["phase"] == "draw":
                self.play(seat, text)

    def edit(self, change: Callable[[State], None]) -> None:
        """Change the stored position (the cache alone), to test what a game would need long to come to."""
        with self.store.write():
            snapshot = Snapshot.get_by_id(self.id)
            state = rulesets.state_from_dict(json.loads(snapshot.state))
            change(state)
            snapshot.state = canonical_json(state.to_dict())
            snapshot.save()

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

    def end_early(self) -> None:
        """A turn of each seat, without which a game stands in no list, and then all but one resign."""
        for _ in self.players:
            self.play_turn()
        while self.to_move is not None:
            self.play(self.active, "resign")


Start = Callable[..., Match]
"""Starts a game: `match(seats=2, auto_draw=True, seed=1, options=None, private=False)`."""


@pytest.fixture
def match(store: Store) -> Start:
    """A function that starts a game."""

    def start(
        seats: int = 2,
        auto_draw: bool = True,
        seed: int = 1,
        options: dict[str, bool] | None = None,
        private: bool = False,
    ) -> Match:
        players = [make_player(store, f"Player {seat}", auto_draw) for seat in range(seats)]
        page = creating.create(
            store, players[0], seats, "A game", options, "", [], private, NOW, entropy=fixed_entropy(seed)
        )
        for player in players[1:]:
            joining.join(store, player, page["id"], "", page["invitation"], NOW)
        return Match(store, page["id"], players)

    return start


@dataclass(frozen=True)
class Situation:
    """How to come to a certain position: a number for `match(seed=…)` and the moves from there."""

    seats: int
    seed: int
    moves: tuple[tuple[int, str], ...]


def find(wanted: Callable[[State], bool], seats: int = 3, rather: str = "") -> Situation:
    """The first position of random games that is `wanted`, in a game without client seeds.

    `rather` is played as soon as it is legal, before it nothing that begins with the same word, and turns end when
    nothing else is left.
    """
    for seed in range(500):
        rng = random.Random(seed)
        server_seed = fixed_entropy(seed)(32)
        state = RULES.new_game(seeds.game_seed(server_seed, [""] * seats), seats, {})
        moves: list[tuple[int, str]] = []
        while state.active is not None:
            if moves and wanted(state):
                return Situation(seats, seed, tuple(moves))
            legal = game.legal_moves(state)
            if rather:
                verb = rather.split()[0]
                best = [move for move in legal if format_move(move) == rather]
                legal = best or [move for move in legal if move[0] not in (verb, "end")] or legal
            kinds = sorted({move[0] for move in legal})
            kind = rng.choice(kinds)
            move = rng.choice([move for move in legal if move[0] == kind])
            moves.append((state.active, format_move(move)))
            game.advance(state, move, [])
    raise AssertionError("no random game comes to such a position")


@pytest.fixture(scope="session")
def patrician() -> Situation:
    """A turn that begins with patrician in hand: the server does not draw for this player."""
    return find(
        lambda state: (
            state.phase == "draw"
            and state.turn.free_play
            and "patrician" in state.players[state.active or 0].hand
            and not state.pending
            and sum(state.bag) > 3
        )
    )


@pytest.fixture(scope="session")
def offer() -> Situation:
    """A choice between cards that only the active player sees."""
    return find(lambda state: bool(state.pending) and state.pending[-1][0] == "choose")


@pytest.fixture(scope="session")
def town_hall() -> Situation:
    """A choice after a card that only the active player has seen: a coin or a tile (Q3)."""
    return find(lambda state: bool(state.pending) and state.pending[-1][0] == "town_hall", 2, "seal town_hall")


@pytest.fixture(scope="session")
def swept() -> Situation:
    """A turn before which all six lines were blocked (T5)."""
    return find(
        lambda state: state.phase == "draw" and state.ply > 10 and all(color == NOBODY for color in state.outer), 2
    )
