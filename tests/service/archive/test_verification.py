"""`ulm verify`: every kind of damage is found, and named with its game and ply."""

import json

import pytest

from server.cli import main
from server.service.archive import kept_records, replays, verification
from server.service.archive.verification import Finding
from server.service.seating import example_game
from server.storage import sql
from server.storage.database import Store
from tests.service.conftest import NOW, Match, Start, make_player
from tests.tables import Game, ImportedRecord, Move


def findings(store: Store) -> list[Finding]:
    return list(verification.verify_all(store))


@pytest.fixture
def played(match: Start) -> Match:
    game = match(2)
    for _ in range(3):
        game.play_turn()
    assert findings(game.store) == []
    return game


SEAT = "UPDATE seat SET {} WHERE seat = 1"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("damage", "what", "ply"),
    [
        ("UPDATE move SET move = 'salvage' WHERE ply = 2", "log", 2),
        ("UPDATE move SET move = 'dance' WHERE ply = 4", "log", 4),
        ("DELETE FROM move WHERE ply = 3", "log", 3),
        ("DELETE FROM move WHERE ply >= 5", "head", 4),
        ("UPDATE snapshot SET state = REPLACE(state, '\"coins\":', '\"coins\":1')", "snapshot", None),
        ("UPDATE snapshot SET \"before\" = '{}'", "snapshot", None),
        ("UPDATE game SET commitment = ''", "commitment", 0),
        (f"UPDATE game SET server_seed = '{'0' * 64}'", "commitment", 0),
        ("UPDATE game SET server_seed = 'nothing'", "commitment", 0),
        ("UPDATE game SET ply = 3", "head", None),
        ("UPDATE game SET public_ply = 1", "head", None),
        ("UPDATE game SET to_move = NULL", "head", None),
        ("UPDATE game SET status = 'finished'", "head", None),
        ("UPDATE game SET status = 'open'", "head", 0),
        ("UPDATE game SET result = '{}'", "result", None),
        (SEAT.format("listed = 'open'"), "head", 0),
        (SEAT.format("created_at = NULL"), "head", 0),
        (SEAT.format("finished_at = '2026-01-01T00:00:00Z'"), "head", 0),
        ("DELETE FROM snapshot", None, None),
    ],
)
def test_what_was_changed_is_named(played: Match, damage: str, what: str | None, ply: int | None) -> None:
    """With its ply, and no secret; a snapshot that is missing is no fault."""
    with played.store.write():
        sql.execute(played.store, damage)
    found = findings(played.store)
    named = {one.what: one.ply for one in reversed(found)}
    assert what in named if what else not found
    assert ply is None or named[str(what)] == ply
    assert played.store.ask(lambda: Game.get().server_seed) not in str(found)


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
