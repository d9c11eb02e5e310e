"""`ulm verify`: every kind of damage is found, and named with its game and ply."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from server.cli import main
from server.service.archive import kept_records, replays, verification
from server.service.archive.verification import Finding
from server.service.seating import example_game
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import NOW, Match, make_player
from tests.tables import Game, ImportedRecord, Move, Seat, Snapshot

Start = Callable[..., Match]


def findings(store: Store) -> list[Finding]:
    return list(verification.verify_all(store))


@pytest.fixture
def played(match: Start) -> Match:
    game = match(2)
    for _ in range(3):
        game.play_turn()
    assert findings(game.store) == []
    return game


def first(game: Match) -> tuple[str, int, str]:
    found = findings(game.store)[0]
    return found.game_id, found.ply, found.what


@pytest.mark.parametrize(
    ("damage", "ply"),
    [
        ("UPDATE move SET move = 'salvage' WHERE ply = 2", 2),
        ("UPDATE move SET move = 'dance' WHERE ply = 4", 4),
        ("DELETE FROM move WHERE ply = 3", 3),
    ],
)
def test_a_damaged_log_is_named(played: Match, damage: str, ply: int) -> None:
    with played.store.write():
        sql.execute(played.store, damage)
    assert first(played) == (played.id, ply, "log")


def test_lost_end_of_the_log_is_named(played: Match) -> None:
    with played.store.write():
        Move.delete().where(Move.ply >= 5).execute()
    assert (played.id, 4) in {(found.game_id, found.ply) for found in findings(played.store)}


def test_changed_snapshot_is_named(played: Match) -> None:
    with played.store.write():
        snapshot = Snapshot.get()
        data = json.loads(snapshot.state)
        data["players"][1]["coins"] += 1
        snapshot.state = json.dumps(data, sort_keys=True, separators=(",", ":"))
        snapshot.save()
    assert first(played) == (played.id, played.ply(played.active), "snapshot")


def test_changed_state_before_the_newest_draw_is_named_and_a_missing_one_no_fault(played: Match) -> None:
    with played.store.write():
        Snapshot.update(before="{}").execute()
    assert first(played) == (played.id, played.ply(played.active) - 1, "snapshot")
    with played.store.write():
        Snapshot.delete().execute()
    assert findings(played.store) == []


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"commitment": "0" * 64}, "commitment"),
        ({"server_seed": "0" * 64}, "commitment"),
        ({"ply": 3}, "head"),
        ({"public_ply": 1}, "head"),
        ({"to_move": None}, "head"),
        ({"status": "finished"}, "head"),
        ({"status": "open"}, "head"),
        ({"result": "{}"}, "result"),
        ({"server_seed": "nothing"}, "commitment"),
    ],
)
def test_changed_row_is_named(played: Match, change: dict[str, object], what: str) -> None:
    with played.store.write():
        Game.update(**change).execute()
    assert what in {found.what for found in findings(played.store)}
    with played.store.read():
        seed = Game.get().server_seed
    assert seed not in str(findings(played.store))


@pytest.mark.parametrize("change", [{"listed": "open"}, {"created_at": None}, {"finished_at": "2026-01-01T00:00:00Z"}])
def test_seats_that_lists_find_wrongly_are_named(played: Match, change: dict[str, object]) -> None:
    with played.store.write():
        Seat.update(**change).where(Seat.seat == 1).execute()
    assert first(played) == (played.id, 0, "head")


def test_changed_result_of_a_finished_game_is_named(match: Start) -> None:
    game = match(2)
    game.play(game.active, "resign")
    with game.store.write():
        Game.update(result='{"scores":[],"winners":[0]}').execute()
    assert first(game) == (game.id, game.ply(None), "result")


def test_changed_import_is_named(store: Store) -> None:
    example_game.ensure_example(store, NOW)
    kept = kept_records.keep(store, make_player(store, "Ann"), replays.record(store, "example") | {"name": "x"}, NOW)
    with store.write():
        given = ImportedRecord.get()
        data = json.loads(given.text)
        data["moves"][7][0] = "salvage"
        given.text = json.dumps(data)
        given.save()
    assert [(found.game_id, found.ply, found.what) for found in findings(store)] == [(kept["id"], 8, "record")]
    assert [found.what for found in verification.verify_game(store, kept["id"])] == ["record"]
    assert verification.verify_game(store, "example") == []


def test_progress_counts_the_games(match: Start) -> None:
    started = [match(2, seed=seed) for seed in range(3)]
    store = started[0].store
    seen: list[tuple[int, int]] = []
    assert list(verification.verify_all(store, lambda done, total: seen.append((done, total)))) == []
    assert seen == [(1, 3), (2, 3), (3, 3)]


# --- the command --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_command_names_what_differs(store: Store, database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    environ = {"ULM_DATABASE_URL": database_url}
    example_game.ensure_example(store, NOW)
    assert main(["verify"], environ) == 0
    assert capsys.readouterr().out == "1 games recomputed from their logs: all as stored.\n"
    with store.write():
        Move.update(move="salvage").where(Move.ply == 12).execute()
    assert main(["verify"], environ) == 1
    assert "example ply 12: log: 'salvage'" in capsys.readouterr().out
    assert main(["verify", "--json"], environ) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 1
    assert [(found["game_id"], found["ply"], found["what"]) for found in report["findings"]] == [("example", 12, "log")]
