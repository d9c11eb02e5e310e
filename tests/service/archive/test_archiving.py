"""Archived logs: nobody who reads sees a difference, rows come back as they were, and no crash leaves half."""

import json
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from server.cli import main
from server.service.archive import archiving, replays, verification
from server.service.common.errors import NotFound, Unprocessable
from server.service.erasure import personal_export
from server.service.explain import history
from server.service.games import loading
from server.service.games.saving import change_row
from server.service.lists import game_page
from server.service.play import turns
from server.settings import Settings
from server.storage import disk_space, readiness, sql
from server.storage.database import Store, open_database
from server.storage.migrate import migrate
from tests.durability.test_kill import end_sleepers, execute, inside_a_transaction
from tests.processes import Forked
from tests.service.conftest import NOW, Match, Start
from tests.tables import ArchivedLog, Game, Move
from tests.together import until

LATER = NOW + timedelta(days=100)


@pytest.fixture
def old(match: Start) -> Match:
    """A finished game with moves that were taken back, and a newer one that is under way."""
    game = match(2)
    for _ in range(2):
        seat, before = game.active, game.ply(game.active)
        for push in [text for text in game.legal(seat) if text.startswith("push ")]:
            game.play(seat, push)
            with suppress(Unprocessable):  # it revealed something
                turns.undo(game.store, game.id, game.players[seat], before, game.clock())
                continue
            break
        game.play_turn()
    assert game.store.ask(lambda: Move.select().where(Move.undone_at.is_null(False)).count())
    while game.to_move is not None:
        game.play(game.active, "resign")
    match(2, seed=2).play_turn()
    return game


def stored(store: Store) -> list[tuple[Any, ...]]:
    return sql.rows(store, "SELECT * FROM move ORDER BY id")


def forget(store: Store) -> None:
    """Let nothing be known that was read before: caches tell stores by their numbers."""
    store.number += 100_000


def shown(game: Match) -> list[object]:
    """Everything that is made of a log."""
    store, found = game.store, []
    forget(store)
    for player in (*game.players, None):
        found += [game_page.page(store, game.id, player), game_page.log(store, game.id, player)]
        found += [game_page.log(store, game.id, player, since)["moves"] for since in (1, 3, 500)]
        with store.read():
            loaded = loading.for_reader(store, game.id, player)
            found.append(history.tell(store, loaded, loaded.seat_of(player)).moves)
            found.append(loading.newest_row(store, loaded))
            found.append(loading.as_it_was(store, game.id, 3).position.canonical_json())
    found += [personal_export.export(store, player, NOW) for player in game.players]
    found += [replays.record(store, game.id), replays.timeline(store, game.id), readiness.times(store)[0]]
    return found


def test_nobody_sees_a_difference(old: Match) -> None:
    store, rows, before = old.store, stored(old.store), shown(old)
    with store.read():
        own = [row for row in rows if row[1] == old.id]
    done = archiving.archive(store, LATER, 10)
    assert (done.games, done.moves) == (1, len(own))
    assert stored(store) == [row for row in rows if row[1] != old.id]
    assert shown(old) == before
    assert list(verification.verify_all(store)) == []
    assert archiving.archive(store, LATER, 10).games == 0, "once"


def test_only_old_finished_games_are_archived(old: Match, match: Start) -> None:
    store = old.store
    ended = store.ask(lambda: Game.get_by_id(old.id).finished_at)
    assert archiving.archive(store, NOW - timedelta(days=1), 10).games == 0, f"it ended at {ended}"
    assert archiving.archive(store, LATER, 10, keep=lambda: False).games == 0
    newest = match(2, seed=3)
    newest.end_early()
    assert archiving.archive(store, LATER, 10).games == 1
    with store.read():
        assert [log.game_id for log in ArchivedLog.select()] == [old.id], "the newest row of all is in a table yet"


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE archived_log SET version = 77",
        "UPDATE archived_log SET moves = moves + 1",
        "UPDATE game SET archived = 0",
        "UPDATE game SET archived = 1 WHERE status <> 'finished'",
        "DELETE FROM archived_log",
        "",
    ],
)
def test_damage_is_found(old: Match, damage: str) -> None:
    archiving.archive(old.store, LATER, 10)
    with old.store.write():
        if damage:
            sql.execute(old.store, damage)
        else:  # a byte
            log = ArchivedLog.get()
            packed = bytearray(bytes(log.log))
            packed[len(packed) // 2] ^= 1
            ArchivedLog.update(log=bytes(packed)).execute()
    found = list(verification.verify_all(old.store))
    assert (found[0].ply, found[0].what) == (0, "log")
    if not damage:
        forget(old.store)
        with pytest.raises(NotFound, match="ulm verify"):
            replays.timeline(old.store, old.id)


def test_command_archives(old: Match, settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    environment = {"ULM_DATABASE_URL": settings.database}
    assert main(["archive"], environment) == 0
    assert "0 games archived" in capsys.readouterr().out
    assert main(["archive", "--older-than", "0"], environment) == 0
    assert "1 games archived" in capsys.readouterr().out
    assert main(["archive"], environment | {"ULM_ARCHIVE_AFTER_DAYS": "0"}) == 2
    assert "--older-than" in capsys.readouterr().err
    assert main(["export"], environment) == 0  # an archived game as any other
    [line] = capsys.readouterr().out.splitlines()
    assert json.loads(line)["replay"]["id"] == old.id
    assert main(["export", "--after", json.loads(line)["replay"]["after"]], environment) == 0
    assert capsys.readouterr().out == ""


SLOW = {
    True: [
        """CREATE TRIGGER slow BEFORE DELETE ON move BEGIN SELECT (
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT max(i) FROM n
        ); END"""
    ],
    False: [
        """CREATE OR REPLACE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
                      AS 'BEGIN PERFORM pg_sleep(60); RETURN NULL; END'""",
        "CREATE TRIGGER slow BEFORE DELETE ON move FOR EACH STATEMENT EXECUTE FUNCTION slow()",
    ],
}


def test_killed_on_the_way(old: Match, settings: Settings, tmp_path: Path) -> None:
    """Between packing and deleting: the rows are there, the archived log is not, and readers saw rows all the time."""
    store, rows = old.store, stored(old.store)
    execute(store, *SLOW[store.is_sqlite])
    with store.write():
        change_row(store, old.id, finished_at="2020-01-01T00:00:00Z")
    before = replays.record(store, old.id)
    process = Forked(main, ["archive"], {"ULM_DATABASE_URL": settings.database}, tmp_path / "log")
    until(lambda: inside_a_transaction(store))
    assert replays.record(store, old.id) == before
    process.kill()
    process.wait(60)
    process.stdout.close()
    end_sleepers(store)
    execute(store, "DROP TRIGGER slow" if store.is_sqlite else "DROP TRIGGER slow ON move")
    assert stored(store) == rows
    assert list(verification.verify_all(store)) == []
    assert archiving.archive(store, LATER, 10).games == 1
    assert replays.record(store, old.id) == before


def test_file_of_sqlite_shrinks(tmp_path: Path) -> None:
    with closing(open_database(f"sqlite:///{tmp_path}/new.sqlite3", 1)) as store:
        migrate(store)
        with store.write():
            sql.execute(store, "CREATE TABLE much (text TEXT)")
            for _ in range(500):
                sql.execute(store, "INSERT INTO much VALUES (?)", "x" * 10_000)
            sql.execute(store, "DROP TABLE much")
        assert disk_space.give_back(store) > 4_000_000
        assert disk_space.give_back(store) == 0
