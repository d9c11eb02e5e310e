"""What a process remembers of states: taken for the stored text alone, by who is to move, and never shared."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from server.service.games import known_states, loading
from server.service.games.model import Game, dump
from server.service.play import turns
from server.storage.models.games import Snapshot
from tests.service.conftest import NOW, Match

Start = Callable[..., Match]


def changing(game: Match, seat: int) -> Game:
    with game.store.write():
        return loading.for_change(game.store, game.id, game.players[seat])


def stored(game: Match) -> str:
    with game.store.read():
        return str(Snapshot.get(Snapshot.game == game.id).state)


def test_who_moves_next_needs_nothing_read_and_gets_a_state_of_their_own(
    match: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = match(2)
    kept = known_states.read(changing(game, game.active), stored(game))
    assert kept is not None
    found = [changing(game, game.active).position for _ in range(2)]
    assert found[0] is not found[1] is not kept
    assert [dump(state) for state in found] == [stored(game)] * 2
    assert found[0].seed == kept.seed is not None

    def nobody_asks(table: Game, text: str) -> None:
        raise AssertionError("for others the time would tell what is hidden")

    monkeypatch.setattr(known_states, "read", nobody_asks)
    assert dump(changing(game, (game.active + 1) % 2).position) == stored(game)


def test_what_the_database_holds_counts_whatever_is_remembered(match: Start) -> None:
    game = match(2)
    seat, ply = game.active, game.ply(game.active)
    table = changing(game, seat)
    other = table.rules.apply(table.position, seat, table.rules.legal_moves(table.position)[0]).state
    known_states.keep(table, dump(other), other)  # as after a transaction that was undone
    assert dump(changing(game, seat).position) == stored(game)
    move = " ".join(table.rules.legal_moves(table.position)[0])
    turns.play(game.store, game.id, game.players[seat], ply, [move], None, NOW)
    assert known_states.read(changing(game, seat), dump(table.position)) is None


def test_another_seed_is_another_state(match: Start) -> None:
    game = match(2)
    table = changing(game, game.active)
    table.server_seed = "00" * 32
    assert known_states.read(table, stored(game)) is None
