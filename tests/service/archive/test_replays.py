"""Replays of finished and imported games."""

import json
from typing import Any

import pytest

from server.engine import record as records
from server.service.archive import kept_records, replay_lists, replays, verification
from server.service.common.errors import Conflict, TooLarge, Unprocessable
from server.service.lists.list_pages import Total
from server.service.play import turns
from server.service.seating import example_game
from server.storage.database import Store
from tests.service.conftest import NOW, Start, make_player
from tests.tables import Game, ImportedRecord


@pytest.fixture
def example(store: Store) -> str:
    game_id = example_game.ensure_example(store, NOW)
    assert game_id is not None
    return game_id


@pytest.fixture
def given(store: Store, example: str) -> dict[str, Any]:
    """An outside record: the example's, under another name."""
    return replays.record(store, example) | {"id": "elsewhere", "name": "From elsewhere"}


def test_example_is_a_finished_advanced_game_of_three(store: Store, example: str) -> None:
    summary = replay_lists.summary(store, example)
    assert (summary["seats"], summary["options"]["tower"], summary["origin"]) == (3, True, "example")
    assert summary["plies"] > 100
    assert len(summary["result"]["scores"]) == 3
    assert replay_lists.listing(store, None) == ([summary], Total(1, True))
    assert example_game.ensure_example(store, NOW) is None
    assert list(verification.verify_all(store)) == []


def test_no_example_beside_other_games(match: Start) -> None:
    game = match()
    assert example_game.ensure_example(game.store, NOW) is None


def test_played_game_becomes_a_replay_with_its_times(match: Start) -> None:
    """Without the moves that were taken back."""
    game = match(2)
    seat, ply = game.active, game.ply(game.active)
    game.play(seat, "push N1")
    turns.undo(game.store, game.id, game.players[seat], ply, NOW)
    game.play(seat, "push S3", "end")
    game.play(seat, "resign")
    data = replays.record(game.store, game.id)
    records.verify(records.from_dict(data))
    assert data["players"] == [{"name": "Player 0"}, {"name": "Player 1"}]
    assert data["moves"][0][2] == "2026-11-21T09:30:00Z"
    moves = [move[0] for move in data["moves"]]
    assert "push S3" in moves
    assert "push N1" not in moves


# --- outside records ----------------------------------------------------------------------------------------------


def test_unfinished_record_is_kept_too(store: Store, given: dict[str, Any]) -> None:
    record = records.from_dict(given)
    for plies in (0, 1, 30):
        part = records.make(
            "part",
            f"Part {plies}",
            record.options,
            ["a", "b", "c"],
            record.server_seed,
            record.client_seeds,
            record.moves[:plies],
        )
        kept = kept_records.keep(store, make_player(store, "Ann"), part.to_dict(), NOW)
        assert (kept["plies"], kept["result"]) == (plies, None)
        assert len(replays.timeline(store, kept["id"])["plies"]) == plies
    assert list(verification.verify_all(store)) == []


def test_strange_names_and_times_of_a_record_are_kept_but_not_shown(
    store: Store, example: str, given: dict[str, Any]
) -> None:
    given["name"] = "two\nlines https://bad.example/x " + "x" * 500
    given["players"][1]["name"] = "\u202e"
    given["players"][2]["name"] = "Ben www.bad.example"
    given["moves"][0][2] = "2026-11-21T09:30:00.123456789Z"
    kept = kept_records.keep(store, make_player(store, "Ann"), given, NOW)
    assert kept["name"].startswith("two lines … x")
    assert len(kept["name"]) <= 60
    assert [one["name"] for one in kept["players"][1:]] == ["Player 1", "Ben"]
    assert replay_lists.listing(store, None, imports=False)[0] == [replay_lists.summary(store, example)]
    assert replays.record(store, kept["id"]) == given


@pytest.mark.parametrize("extra", ["\0", "\ud800", {"\ud800": 1}, 2**70, float("nan"), float("inf")])
def test_what_cannot_be_given_back_is_not_kept(store: Store, given: dict[str, Any], extra: Any) -> None:
    with pytest.raises(Unprocessable, match=r"kept|JSON"):
        kept_records.keep(store, make_player(store, "Ann"), given | {"extra": [extra]}, NOW)


def test_records_have_bounds(store: Store, given: dict[str, Any]) -> None:
    ann = make_player(store, "Ann")
    deep: Any = []
    for _ in range(100):
        deep = [deep]
    for huge in (
        given | {"extra": deep},
        given | {"extra": [0] * 200_000},
        given | {"extra": "x" * 2_000_000},
        given | {"moves": [["draw", 0, None]] * 6000},
    ):
        with pytest.raises(TooLarge):
            kept_records.keep(store, ann, huge, NOW)
        with pytest.raises(TooLarge):
            kept_records.verify(huge)


def test_fields_of_ones_own_are_bounded_in_what_is_kept(store: Store, given: dict[str, Any]) -> None:
    """480,000 characters in a field that nobody reads were kept, and took 3 MB."""
    ann = make_player(store, "Ann")
    seed, players = given["seed"], given["players"]
    for large in (
        given | {"extra": "\U0001f600" * 480_000},
        given | {"extra": {str(number): number for number in range(2500)}},
        given | {"name": "x" * 20_000},
        given | {"id": "x" * 20_000},
        given | {"players": [{**players[0], "note": "x" * 20_000}, *players[1:]]},
        given | {"seed": {**seed, "note": "x" * 20_000}},
    ):
        assert kept_records.verify(large)["valid"]  # a file may hold them
        with pytest.raises(TooLarge, match="16000 bytes") as refused:
            kept_records.keep(store, ann, large, NOW)
        assert refused.value.kind == "too-large"
    assert store.ask(lambda: Game.select().count()) == 1
    few = given | {"extra": "\u00e4\U0001f600" * 2000}
    kept = kept_records.keep(store, ann, few, NOW)
    assert replays.record(store, kept["id"]) == few
    [row] = store.ask(lambda: list(ImportedRecord.select()))
    assert len(row.text.encode()) - len(json.dumps(given, separators=(",", ":"))) < 12_100
    assert kept_records.keep(store, ann, few, NOW)["id"] == kept["id"]


def test_so_many_records_are_kept_for_a_player_and_no_more(store: Store, given: dict[str, Any]) -> None:
    ann = make_player(store, "Ann")
    first = kept_records.keep(store, ann, given, NOW, most=1)
    with pytest.raises(Conflict, match="given 1 records"):
        kept_records.keep(store, ann, {**given, "name": "Another"}, NOW, most=1)
    assert kept_records.keep(store, ann, given, NOW, most=1) == first  # the same one is no further one
    assert kept_records.keep(store, make_player(store, "Ben"), {**given, "name": "Another"}, NOW, most=1)
